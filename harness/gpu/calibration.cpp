// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/calibration.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// The smallest of the sorted values that at least so many per cent of them do not exceed.
std::uint64_t quantile(const std::vector<std::uint32_t>& sorted, std::uint64_t percent) {
    return sorted[(sorted.size() * percent + 99) / 100 - 1];
}

std::uint64_t window_for(const PollWindow& poll) {
    std::uint64_t longest = 0;
    std::uint64_t most_satisfied = 0;
    for (const std::optional<PollLatencies>* form : {&poll.program, &poll.control}) {
        if (*form) {
            longest = std::max(longest, (*form)->high_ns);
            most_satisfied = std::max(most_satisfied, (*form)->satisfied);
        }
    }
    if (most_satisfied < fewest_satisfied) {
        return poll.ceiling_ns;
    }
    return std::min(poll.ceiling_ns, std::max(shortest_window, window_factor * longest));
}

} // namespace

void Pilot::note(std::span<const std::uint32_t> record) {
    if (noted_++ < pilot_trials_to_warm_up) {
        return;
    }
    ++trials_;
    for (const Timing& timing : layout_.timings) {
        if (timing.kind == TimingKind::poll) {
            const std::uint32_t word = record[timing.latency_word];
            std::vector<std::uint32_t>& satisfied = satisfied_[timing.key];
            if (word != 0 && word != unsatisfied_poll) {
                satisfied.push_back(word - 1);
            }
        }
    }
}

std::map<std::string, PollLatencies> Pilot::latencies() const {
    std::map<std::string, PollLatencies> all;
    for (auto [key, satisfied] : satisfied_) {
        std::sort(satisfied.begin(), satisfied.end());
        PollLatencies& latencies = all[key];
        latencies.trials = trials_;
        latencies.satisfied = satisfied.size();
        if (!satisfied.empty()) {
            latencies.median_ns = quantile(satisfied, 50);
            latencies.high_ns = quantile(satisfied, 95);
        }
    }
    return all;
}

std::vector<PollWindow> calibrate(const Pilot& program, const Pilot* control) {
    std::vector<PollWindow> polls;
    const auto of_key = [&](const Timing& timing) -> PollWindow& {
        const auto known =
            std::find_if(polls.begin(), polls.end(), [&](const PollWindow& each) { return each.poll == timing.key; });
        return known != polls.end() ? *known
                                    : polls.emplace_back(PollWindow{timing.key, timing.nanoseconds, 0, {}, {}});
    };
    for (const Pilot* form : {&program, control}) {
        if (form == nullptr) {
            continue;
        }
        const std::map<std::string, PollLatencies> latencies = form->latencies();
        for (const Timing& timing : form->layout().timings) {
            if (const auto found = latencies.find(timing.key); found != latencies.end()) {
                PollWindow& poll = of_key(timing);
                (form == &program ? poll.program : poll.control) = found->second;
            }
        }
    }
    for (PollWindow& poll : polls) {
        poll.window_ns = window_for(poll);
    }
    return polls;
}

Windows windows_of(const std::vector<PollWindow>& polls) {
    Windows windows;
    for (const PollWindow& poll : polls) {
        windows[poll.poll] = static_cast<std::uint32_t>(poll.window_ns);
    }
    return windows;
}

} // namespace pdlcts
