// SPDX-License-Identifier: Apache-2.0
// Outcome sets that were written down without the machine. It has to give the same sets, exactly.
#include "conformance/machine/machine.hpp"
#include "conformance/machine/outcome_folder.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace pdlcts;

namespace {

constexpr std::array<Route, 1> stream_only{Route::stream};
constexpr std::array<Route, 3> every_route{Route::stream, Route::captured, Route::edges};

std::set<Outcome> machine_outcomes(const Program& program, const Plan& plan) {
    const Exploration exploration = explore(program, plan);
    REQUIRE_MESSAGE(exploration.decided, exploration.undecided_because);
    CHECK(!exploration.stuck);
    std::set<Outcome> outcomes;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        outcomes.insert(outcome);
    }
    return outcomes;
}

} // namespace

TEST_CASE("the machine agrees with every published outcome set") {
    // From an independent reading of the rules, by brute force, and held against what a GPU showed.
    const FolderCounts counts = check_folder("machine", "outcomes", stream_only, machine_outcomes);
    CHECK(counts.sets == 53);
}

TEST_CASE("the machine agrees with the textbook shapes of memory models") {
    const FolderCounts counts = check_folder("machine", "textbook", stream_only, machine_outcomes);
    CHECK(counts.sets >= 183);
}

TEST_CASE("the machine agrees with the plans whose outcomes were written down by hand") {
    const FolderCounts counts = check_folder("machine", "plans", every_route, machine_outcomes);
    CHECK(counts.sets >= 629);
}
