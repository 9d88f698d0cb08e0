// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/cell.hpp"

#include <span>
#include <string>
#include <vector>

/// Evidence a second: what a test environment is worth is how many violations it can show, and how fast.
namespace pdlcts {

/// What the cells of one route, or their instances, add up to.
struct Evidence {
    std::uint64_t executions = 0; ///< trials, or instances, of programs and controls
    std::uint64_t killed = 0;     ///< executions of controls that were armed and show what `never` rules out
    RunTime time;
    bool operator==(const Evidence&) const = default;
};

Evidence evidence_of_trials(std::span<const Cell> cells, Route route);
Evidence evidence_of_instances(std::span<const Cell> cells, Route route);

/// A line for each route on which a device ran, and one for its instances where there are any:
/// `captured: 48000 trials in 0.05 s (960000/s, 2700000/s while they ran), 20000 killed controls (400000/s,
/// 1125000/s)`.
std::vector<std::string> print_evidence(std::span<const Cell> cells);

} // namespace pdlcts
