// SPDX-License-Identifier: Apache-2.0
// The machine against its twin, on random programs: equal sets of outcomes, exactly.
#include "conformance/machine/twin.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/machine/small_program.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/counted.hpp"

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

struct Counts {
    unsigned compared = 0;
    unsigned too_large = 0;
    unsigned disagreements = 0;
    std::size_t states = 0;
    std::size_t attempts = 0;
};

/// What both say of a plan, and whether that is the same. Plans that one of them has to give up count as the same.
struct Comparison {
    bool decided = false;
    bool same = true;
    std::string text;
};

Comparison compare(const Program& program, const Plan& plan, std::size_t limit, Counts& counts) {
    const auto twin = twin::explore(program, plan, limit);
    if (!twin) {
        ++counts.too_large;
        return {};
    }
    const Exploration machine = explore(program, plan);
    if (!machine.decided) {
        ++counts.too_large;
        return {};
    }
    ++counts.compared;
    counts.states += machine.states;
    counts.attempts += twin->attempts;
    std::set<Outcome> outcomes;
    for (const auto& [outcome, trace] : machine.outcomes) {
        outcomes.insert(outcome);
    }
    if (outcomes == twin->outcomes && machine.stuck.has_value() == twin->stuck) {
        return {true, true, ""};
    }
    return {true, false,
            "route " + std::string(name(plan.route)) + "\n" + print(program) +
                "machine:" + (machine.stuck ? " stuck" : "") + "\n" + printed(outcomes) +
                "twin:" + (twin->stuck ? " stuck" : "") + "\n" + printed(twin->outcomes)};
}

/// Each program that lacks one operation, agent or instruction of this one.
std::vector<Program> smaller(const Program& program) {
    std::vector<Program> all;
    for (std::size_t operation = 0; operation < program.operations.size(); ++operation) {
        const auto change = [&](const auto& edit) {
            all.push_back(program);
            edit(all.back().operations[operation]);
        };
        all.push_back(program);
        all.back().operations.erase(all.back().operations.begin() + static_cast<std::ptrdiff_t>(operation));
        const auto* grid = std::get_if<Grid>(&program.operations[operation]);
        for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
            const auto offset = static_cast<std::ptrdiff_t>(agent);
            change([&](HostOperation& changed) {
                auto& agents = std::get<Grid>(changed).agents;
                agents.erase(agents.begin() + offset);
            });
            for (std::size_t index = 0; index < grid->agents[agent].instructions.size(); ++index) {
                change([&](HostOperation& changed) {
                    auto& instructions = std::get<Grid>(changed).agents[agent].instructions;
                    instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(index));
                });
            }
        }
    }
    std::erase_if(all, [](const Program& each) { return !parse_litmus(print(each), "smaller"); });
    return all;
}

/// The disagreement of the smallest program that still shows it.
std::string minimised(const Program& program, Route route, std::size_t limit, std::string text) {
    for (const Program& each : smaller(program)) {
        const Result<Plan> plan = lower(each, route);
        Counts counts;
        if (plan) {
            if (Comparison comparison = compare(each, *plan, limit, counts); !comparison.same) {
                return minimised(each, route, limit, std::move(comparison.text));
            }
        }
    }
    return text;
}

void compare_random_programs(Theme theme, unsigned programs, unsigned size, std::size_t limit) {
    Counts counts;
    for (unsigned seed = 0; seed < programs; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        const Program program = small_random_program(random, theme, 3 + seed % (size - 2));
        std::vector<std::vector<Node>> seen;
        for (const Route route : basic_routes) {
            const Result<Plan> plan = lower(program, route);
            // Routes that make the same of a program need one comparison.
            if (plan && std::find(seen.begin(), seen.end(), plan->nodes) == seen.end()) {
                seen.push_back(plan->nodes);
                const Comparison comparison = compare(program, *plan, limit, counts);
                counts.disagreements += comparison.same ? 0 : 1;
                CHECK_MESSAGE(comparison.same, minimised(program, route, limit, comparison.text));
            }
        }
    }
    counted("machine against twin: ", name(theme), ": ", programs, " programs, ", counts.compared, " plans, ",
            counts.states, " states and ", counts.attempts, " attempts, ", counts.too_large, " too large, ",
            counts.disagreements, " disagreements");
    CHECK(counts.compared > programs - programs / 10);
}

} // namespace

TEST_CASE("random programs keep the rules of the language") {
    for (const Theme theme : all_themes) {
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            const Program program = small_random_program(random, theme, 6);
            const Result<Litmus> litmus = parse_litmus(print(program), "random");
            REQUIRE_MESSAGE(litmus, litmus.error().message << "\n" << print(program));
            CHECK(litmus->program == program);
        }
    }
}

TEST_CASE("the machine and its twin agree on random programs") {
    for (const Theme theme : all_themes) {
        compare_random_programs(theme, 260, 6, 2'000);
    }
}

// Minutes, optimised: `machine_twin_tests --no-skip --test-case="*at length*"`.
TEST_CASE("the machine and its twin agree at length" * doctest::skip()) {
    for (const Theme theme : all_themes) {
        compare_random_programs(theme, 20'000, 8, 20'000);
    }
}
