// SPDX-License-Identifier: Apache-2.0
// The twin against outcome sets that were written down by hand: what it is to hold the machine to has to be right.
#include "conformance/machine/outcome_folder.hpp"
#include "conformance/machine/twin.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

std::set<Outcome> twin_outcomes(const Program& program, const Plan& plan) {
    const auto twin = twin::explore(program, plan, 200'000);
    REQUIRE_MESSAGE(twin, "too large for the twin");
    CHECK(!twin->stuck);
    return twin->outcomes;
}

void check(const std::string& folder, std::span<const Route> routes, std::size_t least) {
    const FolderCounts counts = check_folder("twin", folder, routes, twin_outcomes);
    CHECK(counts.sets >= least);
}

} // namespace

TEST_CASE("the twin gives every published outcome set") {
    check("outcomes", std::span(all_routes).first(1), 53);
}

TEST_CASE("the twin gives the textbook shapes of memory models") {
    check("textbook", std::span(all_routes).first(1), 183);
}

TEST_CASE("the twin gives the plans whose outcomes were written down by hand") {
    check("plans", all_routes, 629);
}
