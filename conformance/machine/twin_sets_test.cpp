// SPDX-License-Identifier: Apache-2.0
// The twin against outcome sets that were written down by hand: what it is to hold the machine to has to be right.
#include "conformance/litmus/parser.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/machine/outcome_folder.hpp"
#include "conformance/machine/twin.hpp"
#include "conformance/plan/lower.hpp"

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
    check("outcomes", std::span(basic_routes).first(1), 53);
}

TEST_CASE("the twin gives the textbook shapes of memory models") {
    check("textbook", std::span(basic_routes).first(1), 183);
}

TEST_CASE("the twin gives the plans whose outcomes were written down by hand") {
    check("plans", basic_routes, 629);
}

TEST_CASE("where the machine is known to differ, it allows less, and in load buffering alone") {
    // README.md: y is read behind the release in time only, through an acquire and then a trigger that orders no
    // memory.
    const Result<Litmus> litmus = parse_litmus("memory x = 0, y = 0\n"
                                               "grid a <<<1, 1>>> on t\nthread 0:\nld.acquire.gpu x -> r0\n"
                                               "grid b <<<1, 1>>> on t pss\nthread 0:\nst.relaxed.sys y, 1\n"
                                               "grid c <<<1, 1>>> on s\nthread 0:\nld.relaxed.gpu y -> r1\n"
                                               "st.release.sys x, 2\nends\n",
                                               "example.litmus");
    REQUIRE(litmus);
    const Plan plan = *lower(litmus->program, Route::stream);
    const Outcome differs{{"r0", {2}}, {"r1", {1}}};
    const Exploration machine = explore(litmus->program, plan);
    std::set<Outcome> both;
    for (const auto& [outcome, trace] : machine.outcomes) {
        both.insert(outcome);
    }
    CHECK(both.insert(differs).second);
    CHECK(both == twin_outcomes(litmus->program, plan));
}
