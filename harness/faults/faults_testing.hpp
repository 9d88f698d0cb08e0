// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/cells.hpp"
#include "harness/faults/sampled_gpu.hpp"
#include "harness/judge/judge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace pdlcts {

inline const Case& case_of(std::string_view id) {
    const auto found = std::find_if(embedded_cases().begin(), embedded_cases().end(),
                                    [&](const Case& listed) { return listed.id == id; });
    REQUIRE_MESSAGE(found != embedded_cases().end(), id);
    return *found;
}

/// A cell as a quick run on a faulty machine makes it.
inline Cell cell_of(Fault fault, std::string_view id, Route route, std::uint64_t seed = 1) {
    const Case& listed = case_of(id);
    Thresholds thresholds;
    thresholds.quick = true;
    thresholds.program_trials = 100;
    Result<Cell> cell = prepare_cell(listed, route, thresholds, embedded_ledger());
    REQUIRE(cell);
    SampledGpu machine(fault);
    const std::vector<Result<CompiledCase>> compiled = machine.compile({&listed.litmus});
    REQUIRE(compiled.front());
    TrialOptions trials;
    trials.trials = trials_of_a_cell(true);
    trials.seed = seed;
    RouteRun first = machine.run(listed.litmus, *compiled.front(), route, trials);
    std::optional<RouteRun> second;
    if (const std::optional<Route> other = other_route(listed, embedded_ledger())) {
        second = machine.run(listed.litmus, *compiled.front(), *other, trials);
    }
    record_run(*cell, listed, *compiled.front(), std::move(first), std::move(second));
    return *cell;
}

inline std::string verdict_of(Fault fault, std::string_view id, Route route = Route::stream) {
    return std::string(name(judge(cell_of(fault, id, route)).verdict));
}

} // namespace pdlcts
