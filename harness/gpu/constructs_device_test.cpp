// SPDX-License-Identifier: Apache-2.0
// Every construct of the language on a GPU, by every route that can express it: programs that check themselves.
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "harness/gpu/constructs.hpp"
#include "harness/gpu/device_testing.hpp"

using namespace pdlcts;

namespace {

constexpr std::uint64_t trials = 300;

/// What holds of the trials of program and control alike: each has an outcome, made of values that it can have.
void check_tally(const Tally& tally) {
    CHECK(tally.trials() == trials);
    CHECK(tally.unwritten == 0);
    for (const auto& counted : tally.outcomes) { // a structured binding is nothing that a message can capture
        CHECK_MESSAGE(counted.first.find("=other") == std::string::npos,
                      counted.second << " trials: " << counted.first);
    }
}

std::string print(const Tally& tally) {
    std::string text;
    for (const auto& [outcome, times] : tally.outcomes) {
        text += std::to_string(times) + " x " + outcome + "\n";
    }
    return text;
}

void check_claims(const Litmus& litmus, const RouteRun& run) {
    const Claim& claim = litmus.program.claim;
    const Tally& program = run.form.program.tally;
    INFO("the program: ", print(program));
    if (claim.never) {
        CHECK(matching(program, *claim.never) == 0);
    }
    if (claim.sometimes) {
        CHECK(matching(program, *claim.sometimes) > 0);
    }
    if (claim.armed) {
        CHECK(matching(program, *claim.armed) > 0);
    }
    if (litmus.control) {
        const Tally& control = run.form.control->tally;
        INFO("the control: ", print(control));
        CHECK((matching(control, claim.never ? *claim.never : *claim.sometimes) > 0) == claim.never.has_value());
    }
}

} // namespace

TEST_CASE("every construct does on a GPU what its program claims") {
    const auto claimed = [](const Litmus& litmus) {
        return litmus.routes.empty() ? std::vector(std::begin(all_routes), std::end(all_routes)) : litmus.routes;
    };
    run_constructs(trials, claimed, [](const Litmus& litmus, Route route, const RouteRun& run) {
        check_tally(run.form.program.tally);
        if (run.form.control) {
            check_tally(run.form.control->tally);
        }
        check_claims(litmus, run);
        if (launches_graph(route)) {
            CHECK(run.form.program.structure.built == run.form.program.structure.expected);
        }
    });
}
