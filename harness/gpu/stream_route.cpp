// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/stream_route.hpp"

#include "harness/gpu/launch_attributes.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

void open_trial(std::size_t index, const TrialStreams& streams, const TrialEvents& events, bool is_awaited,
                IssueListener& listener) {
    {
        const OnGpu on(streams.gpu_of(std::size_t{0}));
        listener.separate(streams, 0);
        // One call of four, where a program has two grids in one stream.
        if (is_awaited || streams.size() > 1) {
            check(cudaEventRecord(events.opened(index), streams.main()), "recording the separator before a trial");
        }
    }
    for (std::size_t stream = 1; stream < streams.size(); ++stream) {
        const OnGpu on(streams.gpu_of(stream));
        check(cudaStreamWaitEvent(streams.at(stream), events.opened(index), 0), "forking a stream for a trial");
        listener.stream_forked(streams, stream);
    }
}

void close_trial(std::size_t index, const TrialStreams& streams, const TrialEvents& events) {
    for (std::size_t stream = 1; stream < streams.size(); ++stream) {
        const OnGpu on(streams.gpu_of(stream));
        check(cudaEventRecord(events.closed(index, stream), streams.at(stream)), "recording the end of a trial");
        check(cudaStreamWaitEvent(streams.main(), events.closed(index, stream), 0), "joining the streams of a trial");
    }
}

/// Issues the operations of one trial, each by the call that it stands for.
struct OperationIssuer {
    const Trial& trial;
    std::size_t index;
    const TrialStreams& streams;
    const TrialEvents& events;
    const StreamCalls& interface;
    IssueListener& listener;
    HostCalls& calls;
    BlockingCalls* blocking;
    std::size_t place = 0; ///< of the operation in the program
    std::size_t nodes = 0;
    std::set<cudaStream_t> used = {};

    void issued(cudaStream_t stream) {
        used.insert(stream);
        listener.node_issued(stream, nodes++);
    }

    BlockingCalls& host() const {
        if (blocking == nullptr) {
            throw HarnessFault("the host's own thread has no part in this route, and the program gives it one");
        }
        return *blocking;
    }

    void operator()(const Grid& grid) {
        const cudaStream_t stream = streams.at(grid.stream);
        const OnGpu on(streams.gpu_of(grid.stream));
        LaunchAttributes attributes = launch_attributes(grid, index, events);
        interface.launch(trial.program->kernels[place], shape_of(grid, trial), stream, trial.arguments(grid),
                         attributes.all());
        issued(stream);
    }
    void operator()(const Record& record) {
        const OnGpu on(streams.gpu_of(record.stream));
        interface.record(events.named(index, record.event), streams.at(record.stream));
    }
    void operator()(const WaitEvent& wait) {
        const cudaStream_t stream = streams.at(wait.stream);
        const OnGpu on(streams.gpu_of(wait.stream));
        if (used.insert(stream).second) {
            listener.before_first_wait(stream);
        }
        interface.wait(stream, events.named(index, wait.event));
    }
    void operator()(const Memset& memset) {
        const cudaStream_t stream = streams.at(memset.stream);
        const OnGpu on(streams.gpu_of(memset.stream));
        const PlacedLocation& location = trial.location(memset.location);
        interface.set(trial.place_of(location), memset.byte, location.bytes(), stream);
        issued(stream);
    }
    void operator()(const Memcpy& copy) {
        const cudaStream_t stream = streams.at(copy.stream);
        const OnGpu on(streams.gpu_of(copy.stream));
        const PlacedLocation& source = trial.location(copy.source);
        interface.copy(trial.place_of(trial.location(copy.destination)), trial.place_of(source), source.bytes(),
                       stream);
        issued(stream);
    }
    void operator()(const HostFunction& function) {
        const cudaStream_t stream = streams.at(function.stream);
        const OnGpu on(streams.gpu_of(function.stream));
        calls.push_back(call_of(function, *trial.program->layout, trial.host_record));
        interface.call(perform_host_call, &calls.back(), stream);
        issued(stream);
    }
    void operator()(const SyncStream& sync) {
        const cudaStream_t stream = streams.at(sync.stream);
        host().make([stream, &calls_of = interface] { return calls_of.synchronize(stream); },
                    "waiting for a stream of the program");
        ++nodes;
    }
    void operator()(const SyncEvent& sync) {
        const cudaEvent_t event = events.named(index, sync.event);
        host().make([event, &calls_of = interface] { return calls_of.synchronize(event); },
                    "waiting for an event of the program");
        ++nodes;
    }
    void operator()(const SyncDevice&) {
        const std::set<int> gpus = streams.gpus();
        for (const int gpu : gpus) {
            const OnGpu on(gpu);
            host().make([] { return cudaDeviceSynchronize(); }, "waiting for a GPU, as the program does");
        }
        if (gpus.empty()) {
            host().make([] { return cudaDeviceSynchronize(); }, "waiting for the device, as the program does");
        }
        ++nodes;
    }
    void operator()(const HostRead& read) { act(read); }
    void operator()(const HostWrite& write) { act(write); }
    void act(const HostInstruction& instruction) {
        static_cast<void>(host());
        perform(action_of(instruction, *trial.program->layout, trial.host_record), trial.base);
        ++nodes;
    }
};

} // namespace

void issue_trial(const Trial& trial, std::size_t index, const TrialStreams& streams, const TrialEvents& events,
                 bool is_awaited, const StreamCalls& interface, IssueListener& listener, HostCalls& calls,
                 BlockingCalls* blocking) {
    open_trial(index, streams, events, is_awaited, listener);
    OperationIssuer issuer{trial, index, streams, events, interface, listener, calls, blocking};
    issuer.used.insert(streams.main());
    for (const HostOperation& operation : trial.program->program->operations) {
        std::visit(issuer, operation);
        ++issuer.place;
    }
    close_trial(index, streams, events);
}

bool host_takes_part(const Program& program) {
    return std::any_of(program.operations.begin(), program.operations.end(), [](const HostOperation& operation) {
        return stream_of(operation) == nullptr || std::holds_alternative<SyncStream>(operation);
    });
}

} // namespace pdlcts
