// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trial.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// Calls `use` for each event that an operation of the program records, with the recording stream.
template <typename Use>
void for_each_recorded_event(const Program& program, Use use) {
    for (const HostOperation& operation : program.operations) {
        if (const auto* record = std::get_if<Record>(&operation)) {
            use(record->event, record->stream);
        } else if (const auto* grid = std::get_if<Grid>(&operation)) {
            if (grid->programmatic_event) {
                use(grid->programmatic_event->event, grid->stream);
            }
            if (grid->launch_completion_event) {
                use(*grid->launch_completion_event, grid->stream);
            }
        }
    }
}

/// The streams whose grids are on the second GPU.
std::set<std::string> streams_of_peer(const Program& program) {
    std::set<std::string> streams;
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation); grid != nullptr && grid->peer) {
            streams.insert(grid->stream);
        }
    }
    return streams;
}

bool has_grid_on(const Program& program, const std::string& stream) {
    return std::any_of(program.operations.begin(), program.operations.end(), [&](const HostOperation& operation) {
        const auto* grid = std::get_if<Grid>(&operation);
        return grid != nullptr && grid->stream == stream;
    });
}

} // namespace

TrialStreams::TrialStreams(const std::vector<NamedStream>& named, const GpuPair& gpus) {
    for (const NamedStream& stream : named) {
        index_[stream.name] = streams_.size();
        gpus_.push_back(gpus.differ() ? std::optional(gpus.of(stream.peer)) : std::nullopt);
        const OnGpu on(gpus_.back());
        streams_.push_back(create_stream());
    }
}

std::set<int> TrialStreams::gpus() const {
    std::set<int> all;
    for (const std::optional<int>& gpu : gpus_) {
        if (gpu) {
            all.insert(*gpu);
        }
    }
    return all;
}

TrialEvents::TrialEvents(std::size_t trials, const NamedEvents& named, const TrialStreams& streams,
                         const StreamCalls& interface)
    : events_a_trial_(1 + streams.size() + named.size()) {
    std::vector<std::optional<int>> gpus{streams.gpu_of(std::size_t{0})};
    for (std::size_t stream = 0; stream < streams.size(); ++stream) {
        gpus.push_back(streams.gpu_of(stream));
    }
    for (const auto& [name, stream] : named) {
        index_[name] = gpus.size();
        gpus.push_back(streams.gpu_of(stream));
    }
    events_.reserve(trials * events_a_trial_);
    for (std::size_t event = 0; event < trials * events_a_trial_; ++event) {
        const OnGpu on(gpus[event % events_a_trial_]);
        events_.push_back(interface.create_event());
    }
}

cudaEvent_t TrialEvents::named(std::size_t trial, const std::string& name) const {
    return at(trial, index_.at(name));
}

std::vector<NamedStream> all_streams(const Litmus& litmus) {
    std::vector<NamedStream> streams;
    for (const Program* program : {&litmus.program, litmus.control ? &*litmus.control : nullptr}) {
        if (program == nullptr) {
            continue;
        }
        const std::set<std::string> of_peer = streams_of_peer(*program);
        for (const std::string& name : program->streams) {
            const bool peer = of_peer.contains(name);
            const auto known = std::find_if(streams.begin(), streams.end(),
                                            [&](const NamedStream& stream) { return stream.name == name; });
            if (known == streams.end()) {
                streams.push_back({name, peer});
            } else if (peer != known->peer) {
                if (has_grid_on(litmus.program, name) && has_grid_on(*program, name)) {
                    throw Unsupported("stream " + name +
                                      " is one GPU's in the program, and the other's in the control");
                }
                known->peer = true;
            }
        }
    }
    return streams;
}

NamedEvents all_events(const Litmus& litmus, const std::vector<NamedStream>& streams) {
    const auto is_of_peer = [&](const std::string& name) {
        return std::any_of(streams.begin(), streams.end(),
                           [&](const NamedStream& stream) { return stream.name == name && stream.peer; });
    };
    NamedEvents events;
    const auto note = [&](const std::string& event, const std::string& stream) {
        const auto [known, is_new] = events.emplace(event, stream);
        if (!is_new && is_of_peer(known->second) != is_of_peer(stream)) {
            throw Unsupported("event " + event + " is recorded by streams of two GPUs, and is one GPU's; record two");
        }
    };
    for_each_recorded_event(litmus.program, note);
    if (litmus.control) {
        for_each_recorded_event(*litmus.control, note);
    }
    return events;
}

} // namespace pdlcts
