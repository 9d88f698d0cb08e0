// SPDX-License-Identifier: Apache-2.0
// Sampled executions, and what the runner and the judge make of them.
#include "conformance/machine/machine.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/counted.hpp"
#include "harness/faults/faults_testing.hpp"

using namespace pdlcts;

namespace {

/// How many of a few trials end in an outcome that the exhaustive search does not know.
std::size_t unknown_outcomes(const Program& program, Route route, Fault fault, std::size_t& trials) {
    Samplers samplers(fault);
    Result<SampledProgram> sampled = SampledProgram::make(program, route, fault, samplers);
    if (!sampled) {
        return 0;
    }
    const Exploration exploration = explore(program, sampled->built(), {}, fault);
    SampleRandom random(7);
    std::size_t unknown = 0;
    for (unsigned trial = 0; exploration.decided && trial < 12; ++trial, ++trials) {
        const Outcome* const outcome = sampled->next(random);
        const bool known = outcome == nullptr ? exploration.stuck.has_value() : exploration.outcomes.contains(*outcome);
        unknown += known ? 0 : 1;
    }
    return unknown;
}

} // namespace

TEST_CASE("what is sampled is an execution that the search knows, with a fault and without") {
    std::size_t trials = 0;
    std::size_t unknown = 0;
    for (const Case& listed : embedded_cases()) {
        const Route route = default_routes(listed.litmus).front();
        unknown += unknown_outcomes(listed.litmus.program, route, Fault::none, trials);
        if (listed.id.starts_with("wait/") || listed.id.starts_with("event-programmatic/")) {
            for (const Fault fault : {Fault::wait_returns_at_once, Fault::wait_released_by_another_grid,
                                      Fault::implicit_trigger_never_comes, Fault::no_overlap}) {
                unknown += unknown_outcomes(listed.litmus.program, route, fault, trials);
            }
        }
    }
    CHECK(trials > 2000);
    CHECK(unknown == 0);
    counted("sampled executions that the search knows: ", trials, " trials, ", unknown, " disagreements");
}

TEST_CASE("a seed gives the same trials again, and another one others") {
    const Cell one = cell_of(Fault::none, "wait/chain-of-increments", Route::stream, 1);
    CHECK(one == cell_of(Fault::none, "wait/chain-of-increments", Route::stream, 1));
    CHECK(one.form.control->tally !=
          cell_of(Fault::none, "wait/chain-of-increments", Route::stream, 2).form.control->tally);
}

TEST_CASE("cells say that no GPU ran, and which fault the machine had") {
    const SampledGpu machine(Fault::wait_without_flush);
    CHECK(machine.environment().gpu == "abstract machine, fault wait-without-flush");
    CHECK(machine.environment().fault == "wait-without-flush");
    CHECK(cell_of(Fault::wait_without_flush, "wait/repeated", Route::stream).image ==
          "sampled executions, fault wait-without-flush");
    CHECK(cell_of(Fault::none, "wait/repeated", Route::stream).image == "sampled executions, fault none");
}

TEST_CASE("the sound machine earns the verdicts of a device that does all that it may") {
    CHECK(verdict_of(Fault::none, "wait/blocks-until-completion") == "PASS");
    CHECK(verdict_of(Fault::none, "visibility/post-trigger-writes", Route::edges) == "PASS");
    CHECK(verdict_of(Fault::none, "attribute/same-stream-required") == "OBSERVED");
    CHECK(verdict_of(Fault::none, "graph-capture/pss-port", Route::captured) == "PASS");
    CHECK(verdict_of(Fault::none, "wait/repeated") == "RECORDED");
}

TEST_CASE("a fault fails the cases of its rule, and leaves others alone") {
    CHECK(verdict_of(Fault::wait_returns_at_once, "wait/blocks-until-completion") == "FAIL");
    CHECK(verdict_of(Fault::wait_returns_at_once, "trigger/kickoff-requires-all-blocks") == "PASS");
    CHECK(verdict_of(Fault::one_triggered_block_is_enough, "trigger/kickoff-requires-all-blocks") == "FAIL");
    CHECK(verdict_of(Fault::one_triggered_block_is_enough, "wait/blocks-until-completion") == "PASS");
    CHECK(verdict_of(Fault::stream_sync_forgets_an_unwaited_primary, "stream/host-sync-behind-an-unwaited-primary") ==
          "FAIL");
    CHECK(verdict_of(Fault::stream_sync_forgets_an_unwaited_primary, "stream/copy-behind-an-unwaited-primary") ==
          "PASS");
}

TEST_CASE("an execution that never ends is a deadline that was missed") {
    const Cell cell = cell_of(Fault::implicit_trigger_never_comes, "trigger/implicit-on-exit", Route::stream);
    CHECK(cell.incident == Incident::timeout);
    CHECK(verdict_of(Fault::implicit_trigger_never_comes, "trigger/implicit-on-exit") == "FAIL");
    CHECK(verdict_of(Fault::second_wait_hangs, "wait/repeated") == "TIMEOUT");
}

TEST_CASE("a permission that is lost shows as NOT OBSERVED, a situation that no longer arises as VACUOUS") {
    CHECK(verdict_of(Fault::explicit_edges_treated_as_default, "model/three-components", Route::edges) ==
          "NOT OBSERVED");
    CHECK(verdict_of(Fault::explicit_edges_treated_as_default, "model/three-components", Route::captured) ==
          "OBSERVED");
    CHECK(verdict_of(Fault::no_overlap, "visibility/post-trigger-writes") == "VACUOUS");
}

TEST_CASE("a graph is read back as it was built, also where it is launched otherwise") {
    const Cell dropped = cell_of(Fault::capture_drops_edge_types, "graph-capture/pss-port", Route::captured);
    CHECK(dropped.form.program.structure.built != dropped.form.program.structure.expected);
    CHECK(judge(dropped).verdict == Verdict::fail);
    const Cell launched = cell_of(Fault::explicit_edges_treated_as_default, "model/three-components", Route::edges);
    CHECK(launched.form.program.structure.read_back);
    CHECK(launched.form.program.structure.built == launched.form.program.structure.expected);
}

TEST_CASE("what the sound machine does not allow is UNEXPLAINED where no verdict is drawn") {
    CHECK(verdict_of(Fault::pss_applied_across_a_host_function, "ambiguities/host-function-in-between") ==
          "UNEXPLAINED");
}

TEST_CASE("a case has a cell on every route of its claim, and an equivalence one with two forms") {
    for (const Case& listed : embedded_cases()) {
        CAPTURE(listed.id);
        std::vector<Route> routes = default_routes(listed.litmus);
        routes.resize(is_equivalence(listed, embedded_ledger()) ? 1 : routes.size());
        CHECK(cell_routes(listed, embedded_ledger()) == routes);
    }
    CHECK(cell_of(Fault::none, "graph-capture/pss-port", Route::captured).other_form);
}
