// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/selftest/fate.hpp"

#include <functional>
#include <vector>

/// The suite's test of itself: every mutant in place of every sound program.
namespace pdlcts {

/// One mutant in place of one sound cell.
struct MutantRun {
    std::string mutant;
    std::size_t cell = 0; ///< index into the sound cells
    /// Given: the claim cannot tell it from the sound program, and it was not run.
    std::string equivalent_because;
    SeenMutant seen; ///< else
    bool operator==(const MutantRun&) const = default;
};

/// Its fate, derived.
MutantJudgement judge_run(const std::vector<Cell>& sound, const MutantRun& run);

struct SelfTestOptions {
    std::uint64_t trials = 2000; ///< of each program, and as many of its control
    std::uint64_t seed = 1;
    Thresholds thresholds;
    std::vector<Route> routes;          ///< empty means every route
    std::vector<const Mutant*> mutants; ///< empty means all of them
    /// Without it only what the specification says of a program is changed: the abstract machine has no trials.
    bool measurement = true;
    std::function<void(const std::string&)> progress = [](const std::string&) {};
};

struct SelfTest {
    std::vector<Cell> sound;
    std::vector<MutantRun> runs; ///< by cell, and in the order of the mutants
    bool device_lost = false;    ///< then the runs behind are missing
};

/// Runs each case as it is on each of its routes, and then each mutant that applies to it.
SelfTest self_test(Gpu& gpu, const std::vector<Case>& cases, const SelfTestOptions& options);

} // namespace pdlcts
