// SPDX-License-Identifier: Apache-2.0
// The machine against its twin, on random programs: equal sets of outcomes, exactly.
#include "conformance/machine/twin.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/machine/small_program.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace pdlcts;

namespace {

std::string printed(const std::set<Outcome>& outcomes) {
    std::string text;
    for (const Outcome& outcome : outcomes) {
        text += "  " + print(outcome) + "\n";
    }
    return text;
}

std::set<Outcome> outcomes_of(const Exploration& exploration) {
    std::set<Outcome> outcomes;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        outcomes.insert(outcome);
    }
    return outcomes;
}

struct Counts {
    unsigned compared = 0;
    unsigned too_large = 0;
    std::size_t states = 0;
    std::size_t twin_states = 0;
};

void compare(const Program& program, const Plan& plan, std::size_t limit, Counts& counts) {
    const auto twin = twin::explore(program, plan, limit);
    if (!twin) {
        ++counts.too_large;
        return;
    }
    const Exploration machine = explore(program, plan);
    ++counts.compared;
    counts.states += machine.states;
    counts.twin_states += twin->states;
    const std::set<Outcome> outcomes = outcomes_of(machine);
    CHECK_MESSAGE((machine.decided && outcomes == twin->outcomes && machine.stuck.has_value() == twin->stuck),
                  "route " << std::string(name(plan.route)) << "\n"
                           << print(program) << "machine: " << machine.undecided_because << "\n"
                           << printed(outcomes) << "twin:\n"
                           << printed(twin->outcomes));
}

void compare_random_programs(unsigned programs, unsigned size, std::size_t limit) {
    Counts counts;
    for (unsigned seed = 0; seed < programs; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const Program program = small_random_program(random, 3 + seed % (size - 2));
        std::vector<std::vector<Node>> seen;
        for (const Route route : all_routes) {
            const Result<Plan> plan = lower(program, route);
            // Routes that make the same of a program need one comparison.
            if (plan && std::find(seen.begin(), seen.end(), plan->nodes) == seen.end()) {
                seen.push_back(plan->nodes);
                compare(program, *plan, limit, counts);
            }
        }
    }
    MESSAGE(counts.compared << " plans of " << programs << " programs compared on the machine and its twin, "
                            << counts.states << " states against " << counts.twin_states << "; " << counts.too_large
                            << " were too large for the twin");
    CHECK(counts.compared > programs - programs / 10);
}

} // namespace

TEST_CASE("the machine and its twin agree on random programs") {
    compare_random_programs(2000, 6, 400);
}

// Minutes, optimised: `machine_tests --no-skip --test-case="*at length*"`.
TEST_CASE("the machine and its twin agree at length" * doctest::skip()) {
    compare_random_programs(100'000, 8, 5'000);
}
