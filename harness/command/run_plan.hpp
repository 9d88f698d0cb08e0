// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/commands.hpp"
#include "harness/command/select.hpp"
#include "harness/worker/native_cells.hpp"
#include "harness/worker/performer.hpp"
#include "reports/results/results.hpp"

#include <map>

/// What a run does, laid out before anything runs.
namespace pdlcts {

/// A cell, before it has evidence.
struct PlannedCell {
    CellJob job;
    Cell cell;
    bool takes_second_gpu = false;
};

struct RunPlan {
    std::vector<Case> cases;
    std::vector<PlannedCell> cells;
    std::vector<NativeCase> checks;
    std::vector<NativeCell> native;    ///< of each check, before it has evidence
    std::vector<std::string> left_out; ///< cases that a route cannot express, and why
    bool every_case = false;
};

RunPlan plan_run(const RunOptions& options, const std::vector<Case>& cases);

RunSetup setup_of(const RunOptions& options, std::uint64_t seed, std::string cache_folder);

/// The places of `count` things in the order in which a run takes them: the list's own, or one that the seed draws.
std::vector<std::size_t> order_of(std::size_t count, const RunOptions& options, std::uint64_t seed);

/// A command line that runs the cell again as it ran here.
std::string reproduce(const RunOptions& options, std::uint64_t seed, const CellJob& job, const Cell& cell);

/// Everything that the cells of two runs have to have in common for one to go on with the other's, by name.
std::map<std::string, std::string> fingerprint(const RunOptions& options, const RunPlan& plan, std::uint64_t seed);

bool is_of_fault(const RunOptions& options);
bool wants_pictures(const RunOptions& options);

} // namespace pdlcts
