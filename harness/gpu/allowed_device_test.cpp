// SPDX-License-Identifier: Apache-2.0
// Every construct of the language on a GPU, held to the outcomes that the abstract machine allows.
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/plan/lower.hpp"
#include "harness/gpu/constructs.hpp"
#include "harness/gpu/device_testing.hpp"

using namespace pdlcts;

namespace {

void check_allowed(const Program& program, Route route, const Tally& tally) {
    const auto plan = lower(program, route);
    REQUIRE_MESSAGE(plan, plan.error().message);
    const Exploration explored = explore(program, *plan);
    CHECK_MESSAGE(explored.decided, explored.undecided_because);
    if (!explored.decided) {
        return;
    }
    for (const auto& counted : tally.outcomes) { // a structured binding is nothing that a message can capture
        CHECK_MESSAGE(explored.outcomes.contains(*parse_outcome(counted.first)),
                      counted.second << " trials: " << counted.first);
    }
}

} // namespace

TEST_CASE("no construct does on a GPU what the machine does not allow") {
    // By every route, also where the program makes no claim.
    const auto every_route = [](const Litmus&) { return std::vector(std::begin(all_routes), std::end(all_routes)); };
    run_constructs(1000, every_route, [](const Litmus& litmus, Route route, const RouteRun& run) {
        check_allowed(litmus.program, route, run.form.program.tally);
        if (litmus.control) {
            check_allowed(*litmus.control, route, run.form.control->tally);
        }
    });
}
