// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/stream_route.hpp"

#include <array>
#include <set>

namespace pdlcts {
namespace {

void open_trial(std::size_t index, const TrialStreams& streams, const TrialEvents& events, IssueListener& listener) {
    const cudaStream_t main = streams.main();
    const auto issue_separator = [&](std::size_t stream) {
        check(cudaMemsetAsync(streams.separator_word(stream), 0, sizeof(std::uint32_t), streams.at(stream)),
              "issuing the separator before a trial");
        listener.separator_issued(streams.at(stream), stream == 0);
    };
    listener.before_separator(main);
    issue_separator(0);
    check(cudaEventRecord(events.opened(index), main), "recording the separator before a trial");
    for (std::size_t stream = 1; stream < streams.size(); ++stream) {
        check(cudaStreamWaitEvent(streams.at(stream), events.opened(index), 0), "forking a stream for a trial");
        listener.stream_forked(streams.at(stream));
        if (listener.separates_every_stream()) {
            issue_separator(stream);
        }
    }
}

void close_trial(std::size_t index, const TrialStreams& streams, const TrialEvents& events) {
    for (std::size_t stream = 1; stream < streams.size(); ++stream) {
        check(cudaEventRecord(events.closed(index, stream), streams.at(stream)), "recording the end of a trial");
        check(cudaStreamWaitEvent(streams.main(), events.closed(index, stream), 0), "joining the streams of a trial");
    }
}

/// The attributes that the program gives, no others: pss = 0 is given too.
struct Attributes {
    std::array<cudaLaunchAttribute, 3> all = {};
    std::size_t count = 0;

    cudaLaunchAttributeValue& add(cudaLaunchAttributeID id) {
        all[count].id = id;
        return all[count++].val;
    }
};

Attributes attributes_of(const Grid& grid, std::size_t index, const TrialEvents& events) {
    Attributes attributes;
    if (grid.pss) {
        attributes.add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed =
            *grid.pss;
    }
    if (grid.programmatic_event) {
        auto& value = attributes.add(cudaLaunchAttributeProgrammaticEvent).programmaticEvent;
        value.event = events.named(index, grid.programmatic_event->event);
        value.flags = 0;
        value.triggerAtBlockStart = grid.programmatic_event->at_block_start ? 1 : 0;
    }
    if (grid.launch_completion_event) {
        auto& value = attributes.add(cudaLaunchAttributeLaunchCompletionEvent).launchCompletionEvent;
        value.event = events.named(index, *grid.launch_completion_event);
        value.flags = 0;
    }
    return attributes;
}

} // namespace

void issue_trial(const Trial& trial, std::size_t index, const TrialStreams& streams, const TrialEvents& events,
                 IssueListener& listener) {
    open_trial(index, streams, events, listener);
    std::size_t nodes = 0;
    std::set<cudaStream_t> used{streams.main()};
    for (std::size_t place = 0; place < trial.program->program->operations.size(); ++place) {
        const auto issue =
            Overloaded{[&](const Grid& grid) {
                           Attributes attributes = attributes_of(grid, index, events);
                           launch(trial.program->kernels[place], {grid.blocks, grid.threads}, streams.at(grid.stream),
                                  trial.record, std::span(attributes.all).first(attributes.count));
                           used.insert(streams.at(grid.stream));
                           listener.node_issued(streams.at(grid.stream), nodes++);
                       },
                       [&](const Record& record) {
                           check(cudaEventRecord(events.named(index, record.event), streams.at(record.stream)),
                                 "recording an event of the program");
                       },
                       [&](const WaitEvent& wait) {
                           if (used.insert(streams.at(wait.stream)).second) {
                               listener.before_first_wait(streams.at(wait.stream));
                           }
                           check(cudaStreamWaitEvent(streams.at(wait.stream), events.named(index, wait.event), 0),
                                 "waiting for an event of the program");
                       },
                       [&](const Memset& memset) {
                           check(cudaMemsetAsync(trial.word_of(memset.location), memset.byte, sizeof(std::uint32_t),
                                                 streams.at(memset.stream)),
                                 "issuing a memset of the program");
                           used.insert(streams.at(memset.stream));
                           listener.node_issued(streams.at(memset.stream), nodes++);
                       }};
        std::visit(issue, trial.program->program->operations[place]);
    }
    close_trial(index, streams, events);
}

} // namespace pdlcts
