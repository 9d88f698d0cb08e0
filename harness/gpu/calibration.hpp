// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/routes.hpp"
#include "harness/gpu/trial_record.hpp"
#include "harness/gpu/variation.hpp"
#include "harness/judge/cell.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

/// Calibration: how long a poll really needs. The `within` of a program is a ceiling; a poll that is never satisfied -
/// which is what a sound device makes of many a program - would wait all of it in every trial.
///
/// A pilot, the first batch of a run, has the ceilings, and each of its trials leaves the latencies of its polls after
/// everything else. A poll's window is then a multiple of a high quantile of the latencies of program or control,
/// whichever is longer, and never above the ceiling. What keeps this honest:
///
/// - Program and control have the same windows, in the same run. Windows that are too short leave trials unarmed or
///   controls unharmed, and the cell VACUOUS; they cannot make it PASS.
/// - A poll that neither form satisfied often enough keeps its ceiling.
/// - Trials beside a background kernel keep the ceilings, and so do all of the stream route: there it is the host that
///   decides when a grid is launched, and a pilot says nothing of what it does later. (With windows of a few
///   microseconds an H200's stream controls were violated in half of the trials instead of in all.)
/// - The pilot's trials are trials: what they show is counted.
namespace pdlcts {

inline constexpr std::uint64_t pilot_trials = 40;
/// The first trials of the pilot, whose latencies are not used: they load what loads lazily.
inline constexpr std::uint64_t pilot_trials_to_warm_up = 8;
inline constexpr std::uint64_t fewest_satisfied = 16;   ///< trials, of one form
inline constexpr std::uint64_t window_factor = 4;       ///< times the quantile of 95 %
inline constexpr std::uint64_t shortest_window = 4'000; ///< nanoseconds: several polls

/// The latencies of one form's polls.
class Pilot {
public:
    explicit Pilot(const Layout& layout) : layout_(layout) {}

    /// Notes what a trial of the pilot left in its record.
    void note(std::span<const std::uint32_t> record);

    std::map<std::string, PollLatencies> latencies() const; ///< by the poll's key
    const Layout& layout() const { return layout_; }

private:
    const Layout& layout_;
    std::uint64_t trials_ = 0; ///< without those to warm up
    std::uint64_t noted_ = 0;
    std::map<std::string, std::vector<std::uint32_t>> satisfied_;
};

/// The windows of all polls of a case, those of the program first.
std::vector<PollWindow> calibrate(const Pilot& program, const Pilot* control);

Windows windows_of(const std::vector<PollWindow>& polls);

inline bool calibrates(Route route, bool wanted) {
    return wanted && launches_graph(route);
}

} // namespace pdlcts
