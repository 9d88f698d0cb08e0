// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trial.hpp"

#include <algorithm>

namespace pdlcts {

TrialStreams::TrialStreams(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        index_[name] = streams_.size();
        streams_.push_back(create_stream());
    }
}

TrialEvents::TrialEvents(std::size_t trials, const std::set<std::string>& names, std::size_t streams)
    : events_a_trial_(1 + streams + names.size()) {
    std::size_t next = 1 + streams;
    for (const std::string& name : names) {
        index_[name] = next++;
    }
    events_.reserve(trials * events_a_trial_);
    for (std::size_t event = 0; event < trials * events_a_trial_; ++event) {
        events_.push_back(create_event());
    }
}

cudaEvent_t TrialEvents::named(std::size_t trial, const std::string& name) const {
    return at(trial, index_.at(name));
}

std::vector<std::string> all_streams(const Litmus& litmus) {
    std::vector<std::string> names = litmus.program.streams;
    if (litmus.control) {
        for (const std::string& name : litmus.control->streams) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    return names;
}

std::set<std::string> event_names(const Program& program) {
    std::set<std::string> names;
    for (const HostOperation& operation : program.operations) {
        std::visit(Overloaded{[&](const Grid& grid) {
                                  if (grid.programmatic_event) {
                                      names.insert(grid.programmatic_event->event);
                                  }
                                  if (grid.launch_completion_event) {
                                      names.insert(*grid.launch_completion_event);
                                  }
                              },
                              [&](const auto& each) {
                                  if constexpr (requires { each.event; }) {
                                      names.insert(each.event);
                                  }
                              }},
                   operation);
    }
    return names;
}

} // namespace pdlcts
