// SPDX-License-Identifier: Apache-2.0
#include "harness/command/cells.hpp"

#include "conformance/machine/machine.hpp"
#include "conformance/plan/instances.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/parallel.hpp"
#include "harness/command/machine_answers.hpp"
#include "harness/judge/judge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace pdlcts;

namespace {

const Case& listed(const char* id) {
    const auto found = std::find_if(embedded_cases().begin(), embedded_cases().end(),
                                    [&](const Case& candidate) { return candidate.id == id; });
    REQUIRE(found != embedded_cases().end());
    return *found;
}

/// The program with blocks before and behind those of every grid, as a run's variations add them (variation.hpp).
Program with_extra_blocks(Program program) {
    for (HostOperation& operation : program.operations) {
        if (auto* grid = std::get_if<Grid>(&operation)) {
            const unsigned before = grid->cluster;
            grid->blocks += before + 2 * grid->cluster;
            for (Agent& agent : grid->agents) {
                agent.blocks.first += before;
                agent.blocks.last += before;
            }
        }
    }
    return program;
}

std::set<Outcome> outcomes_of(const Exploration& exploration) {
    std::set<Outcome> outcomes;
    for (const auto& [outcome, steps] : exploration.outcomes) {
        outcomes.insert(outcome);
    }
    return outcomes;
}

/// A run as a device would report it that shows one outcome in each program.
RouteRun device_run(const Litmus& litmus, Route route, const std::string& program, const std::string& control) {
    RouteRun run;
    run.form.route = route;
    run.form.program.tally.outcomes[program] = 2000;
    run.form.control.emplace().tally.outcomes[control] = 2000;
    const auto built = [&](const Program& source, Observation& observation) {
        const Plan plan = *lower(source, route);
        observation.structure.expected = print_dependencies(source, plan);
        observation.structure.undocumented = plan.undocumented;
        observation.structure.built = observation.structure.expected;
        observation.structure.read_back = route != Route::stream;
        return plan;
    };
    const Plan program_plan = built(litmus.program, run.form.program);
    const Plan control_plan = built(*litmus.control, *run.form.control);
    if (launches_graph(route)) {
        run.program_built = program_plan;
        run.control_built = control_plan;
    }
    return run;
}

const CompiledCase compiled{"the source", "sass sm_90", {}, {}};

} // namespace

TEST_CASE("on the machine every cell of the suite is proved") {
    for (const Case& candidate : embedded_cases()) {
        for (const Route route : cell_routes(candidate, embedded_ledger())) {
            CAPTURE(candidate.id);
            const Result<Cell> cell = machine_cell(candidate, route, embedded_ledger());
            REQUIRE_MESSAGE(cell, (cell ? "" : cell.error().message));
            const Judgement judgement = judge(*cell);
            CHECK_MESSAGE(judgement.verdict == Verdict::proved, judgement.reason);
        }
    }
}

TEST_CASE("what is only recorded gets fewer trials, and what shows itself seldom gets more") {
    const auto trials = [](const char* name, bool quick) {
        const Case& each = listed(name);
        return trials_of(*prepare_cell(each, Route::stream, {}, embedded_ledger()), each.litmus, quick);
    };
    CHECK(trials("visibility/post-trigger-writes", false) == 2000);
    CHECK(trials("ambiguities/three-kernels-and-no-wait-in-the-middle", false) == 500);
    CHECK(trials("stream/copy-before-a-secondary", false) == 10'000);
    CHECK(trials("stream/copy-before-a-secondary", true) == 1250);
}

TEST_CASE("a device run is judged by the machine's outcomes") {
    const Case& wait = listed("visibility/post-trigger-writes");
    const auto verdict = [&](const std::string& program, const std::string& control) {
        Cell cell = *prepare_cell(wait, Route::captured, {}, embedded_ledger());
        record_run(cell, wait, compiled, device_run(wait.litmus, Route::captured, program, control), std::nullopt);
        return judge(cell).verdict;
    };
    CHECK(verdict("overlapped=1 seen=1", "overlapped=1 seen=0") == Verdict::pass);
    CHECK(verdict("overlapped=1 seen=0", "overlapped=1 seen=0") == Verdict::fail);
    CHECK(verdict("overlapped=1 seen=1", "overlapped=1 seen=1") == Verdict::vacuous);
    CHECK(verdict("overlapped=0 seen=1", "overlapped=1 seen=0") == Verdict::vacuous);
    CHECK(verdict("overlapped=1 seen=other", "overlapped=1 seen=0") == Verdict::unexplained);
    CHECK(verdict("overlapped=1 seen=1", "overlapped=1 seen=7") == Verdict::unexplained);
}

TEST_CASE("an equivalence needs both forms, their dependencies and a form that differs") {
    const Case& port = listed("graph-capture/pss-port");
    const auto judged = [&](auto change) {
        Cell cell = *prepare_cell(port, Route::captured, {}, embedded_ledger());
        RouteRun captured = device_run(port.litmus, Route::captured, "overlapped=1", "overlapped=0");
        RouteRun edges = device_run(port.litmus, Route::edges, "overlapped=1", "overlapped=0");
        change(captured, edges);
        record_run(cell, port, compiled, std::move(captured), std::move(edges));
        return judge(cell);
    };
    CHECK(judged([](RouteRun&, RouteRun&) {}).verdict == Verdict::pass);
    const Judgement other_edge = judged([](RouteRun& captured, RouteRun&) {
        captured.form.program.structure.built = {"primary -> secondary: type default, port default"};
    });
    CHECK(other_edge.verdict == Verdict::fail);
    const Judgement not_overlapping = judged([](RouteRun& captured, RouteRun& edges) {
        captured.form.program.tally.outcomes = {{"overlapped=0", 2000}};
        edges.form.program.tally.outcomes = {{"overlapped=0", 2000}};
    });
    CHECK(not_overlapping.verdict == Verdict::vacuous);
    CHECK(other_route(port, embedded_ledger()) == Route::edges);
}

TEST_CASE("routes that are asked for are those on which the case makes its claim") {
    using Routes = std::vector<Route>;
    const auto wanted = [](const char* name, const Routes& asked) {
        return wanted_routes(listed(name), asked, embedded_ledger());
    };
    CHECK(wanted("wait/two-events-are-both-covered", {}) == Routes{Route::stream, Route::captured, Route::edges});
    CHECK(wanted("wait/two-events-are-both-covered", {Route::child, Route::driver}) ==
          Routes{Route::child, Route::driver});
    CHECK(wanted("visibility/post-trigger-writes", {}).size() == 7);
    CHECK(wanted("graph-capture/pss-port", {Route::stream, Route::cloned, Route::child}) == Routes{Route::cloned});
    CHECK(wanted("attribute/pss-of-runtime-and-driver", {}) == Routes{Route::stream});
    CHECK(wanted("graph-exec/copy-of-a-graph-overlaps", {}) == Routes{Route::cloned, Route::child});
    CHECK(wanted("graph-exec/copy-of-a-graph-overlaps", {Route::captured}).empty());
}

TEST_CASE("what the machine was asked before is what it says of the program and the plan, and of no other") {
    MachineAnswers machine;
    std::set<std::vector<std::string>> different;
    for (const char* const name : {"visibility/post-trigger-writes", "model/default-serialization"}) {
        const Litmus& litmus = listed(name).litmus;
        for (const Program* program : {&litmus.program, &*litmus.control}) {
            for (const Route route : {Route::stream, Route::captured, Route::edges}) {
                Plan plan = *lower(*program, route);
                machine.ask(*program, plan);
                CHECK(machine.answer(*program, plan) == allowed_set(*program, plan));
                // Dependencies that a driver built otherwise are another question.
                plan.nodes[1].dependencies.clear();
                CHECK(machine.answer(*program, plan) == allowed_set(*program, plan));
                different.insert(machine.answer(*program, plan).outcomes);
                different.insert(allowed_set(*program, *lower(*program, route)).outcomes);
            }
        }
    }
    CHECK(different.size() > 2);
}

TEST_CASE("threads that ask the machine at the same time have the same answer") {
    MachineAnswers machine;
    const Litmus& litmus = listed("visibility/post-trigger-writes").litmus;
    const Plan plan = *lower(litmus.program, Route::stream);
    std::vector<AllowedSet> answers(8);
    for_each_in_parallel(answers, [&](AllowedSet& answer) { answer = machine.answer(litmus.program, plan); });
    for (const AllowedSet& answer : answers) {
        CHECK(answer == allowed_set(litmus.program, plan));
    }
}

TEST_CASE("a plan that was built otherwise is judged as built") {
    const Case& serial = listed("model/default-serialization");
    Cell cell = *prepare_cell(serial, Route::captured, {}, embedded_ledger());
    RouteRun run = device_run(serial.litmus, Route::captured, "overlapped=1 seen=0", "overlapped=1 seen=0");
    run.program_built->nodes[1].dependencies = {{0, DependencyType::programmatic, Port::programmatic}};
    run.form.program.structure.built = print_dependencies(serial.litmus.program, *run.program_built);
    record_run(cell, serial, compiled, std::move(run), std::nullopt);
    const std::vector<std::string>& allowed = cell.form.program.allowed;
    CHECK(std::find(allowed.begin(), allowed.end(), "overlapped=1 seen=0") != allowed.end());
}

TEST_CASE("the digest tells apart what ran") {
    const Litmus& litmus = listed("visibility/post-trigger-writes").litmus;
    const Litmus& other = listed("visibility/not-before-wait").litmus;
    const std::string digest = digest_of_run(litmus, Route::stream, "sass sm_90", "source");
    CHECK(digest.size() == 64);
    CHECK(digest != digest_of_run(other, Route::stream, "sass sm_90", "source"));
    CHECK(digest != digest_of_run(litmus, Route::edges, "sass sm_90", "source"));
    CHECK(digest != digest_of_run(litmus, Route::stream, "ptx compute_90", "source"));
    CHECK(digest != digest_of_run(litmus, Route::stream, "sass sm_90", "another source"));
}

TEST_CASE("a results file cannot claim another allowed set or answer than the machine gives") {
    const Case& wait = listed("visibility/post-trigger-writes");
    const Cell cell = *machine_cell(wait, Route::stream, embedded_ledger());
    const auto review = [](const Cell& reviewed, WrittenBy written_by = WrittenBy::another_suite) {
        return review_with_machine(std::span(&reviewed, 1), embedded_ledger(), written_by);
    };
    CHECK(review(cell).differences.empty());
    CHECK(review(cell).reviewed == 1);

    Cell wider = cell;
    wider.form.program.allowed.emplace_back("overlapped=1 seen=0");
    CHECK(review(wider).differences.size() == 1);
    Cell other_claim = cell;
    other_claim.claim.never = "seen == 7";
    CHECK(review(other_claim).differences.size() == 1);
    Cell other_answer = cell;
    other_answer.machine->kind = MachineAnswer::Kind::refuted;
    CHECK(review(other_answer).differences.size() == 1);
    Cell other_plan = cell;
    other_plan.form.program.structure.expected.clear();
    CHECK(review(other_plan).differences.size() == 1);

    Cell other_version = cell;
    other_version.digest = std::string(64, '0');
    CHECK(review(other_version).other_version == 1);
    CHECK(review(other_version).reviewed == 0);
    CHECK(review(other_version).differences.empty());
    CHECK(review(other_version, WrittenBy::a_suite_with_these_cases).differences.empty());
    CHECK(review(other_version, WrittenBy::this_suite).differences.size() == 1);
    // A digest that fits nothing does not free a cell from its case.
    Cell disguised = other_claim;
    disguised.digest = other_version.digest;
    CHECK(review(disguised).differences.empty());
    CHECK(review(disguised, WrittenBy::a_suite_with_these_cases).differences.size() == 1);
    Cell of_a_user = other_version;
    of_a_user.case_id = "my-pattern";
    CHECK(review(of_a_user, WrittenBy::this_suite).differences.empty());

    Cell without_control = cell;
    without_control.form.control.reset();
    CHECK(review(without_control).differences.size() == 1);
    // A plan that was built otherwise hides nothing of what is expected.
    Cell built_otherwise = other_plan;
    built_otherwise.form.program.structure.read_back = true;
    built_otherwise.form.program.structure.built = {"a plan"};
    built_otherwise.form.program.structure.undocumented = {"nobody said it"};
    CHECK(review(built_otherwise).differences.size() == 2);
}

TEST_CASE("a results file of a case of two GPUs names the second") {
    const auto differences = [](const char* name, std::optional<SecondGpu> second) {
        const Case& reviewed = listed(name);
        const std::string outcome = print(
            explore(reviewed.litmus.program, *lower(reviewed.litmus.program, Route::stream)).outcomes.begin()->first);
        Cell cell = *prepare_cell(reviewed, Route::stream, {}, embedded_ledger());
        RouteRun run = device_run(reviewed.litmus, Route::stream, outcome, outcome);
        run.form.second_gpu = std::move(second);
        record_run(cell, reviewed, compiled, std::move(run), std::nullopt);
        return review_with_machine(std::span(&cell, 1), embedded_ledger(), WrittenBy::a_suite_with_these_cases)
            .differences;
    };
    CHECK(differences("visibility/peer-reads-behind-a-flag", SecondGpu{"another", false}).empty());
    CHECK(differences("visibility/peer-reads-behind-a-flag", std::nullopt).size() == 1);
    CHECK(differences("visibility/post-trigger-writes", std::nullopt).empty());
    CHECK(differences("visibility/post-trigger-writes", SecondGpu{"another", false}).size() == 1);
}

TEST_CASE("a cell stands on the routes of its case") {
    const Case& port = listed("graph-capture/pss-port");
    Cell cell = *machine_cell(port, Route::captured, embedded_ledger());
    const auto differences = [&] {
        return review_with_machine(std::span(&cell, 1), embedded_ledger(), WrittenBy::this_suite).differences;
    };
    CHECK(differences().empty());
    // The same program by streams, allowed sets and all, is no form of a graph.
    const Cell by_streams = *machine_cell(port, Route::stream, embedded_ledger());
    cell.other_form = by_streams.form;
    REQUIRE(differences().size() == 1);
    CHECK(differences().front() == "graph-capture/pss-port on captured, other form: the case is not compared with the "
                                   "stream route");
    cell = by_streams;
    REQUIRE(differences().size() == 1);
    CHECK(differences().front() == "graph-capture/pss-port on stream: the case claims nothing on this route");
}

TEST_CASE("small cases whose shape allows instances are proved to allow them, in the plan that ran") {
    // Not all: two instances of a large case are many executions, and such a case just has none in a run.
    for (const char* id : {"attribute/same-stream-required", "model/default-serialization",
                           "visibility/not-before-wait", "visibility/post-trigger-writes"}) {
        const Case& each = listed(id);
        CAPTURE(each.id);
        CHECK_FALSE(why_no_instances(each.litmus));
        for (const Route route : routes_with_cell(each, embedded_ledger())) {
            CHECK(proves_instances(each.litmus, device_run(each.litmus, route, "-", "-")));
        }
    }
    const Case& counting = listed("trigger/kickoff-requires-all-blocks");
    CHECK_FALSE(proves_instances(counting.litmus, device_run(counting.litmus, Route::stream, "-", "-")));
}

TEST_CASE("instances are filed beside the trials; what went wrong with them went wrong with the form") {
    const Case& each = listed("visibility/post-trigger-writes");
    RouteRun trials = device_run(each.litmus, Route::captured, "overlapped=1 seen=1", "overlapped=1 seen=0");
    RouteRun instances = trials;
    instances.instances = 500;
    record_instances(trials, instances);
    REQUIRE(trials.form.instances);
    CHECK(trials.form.instances->launches == 4);
    CHECK(trials.form.instances->blocks == 500);
    CHECK(trials.form.instances->program.trials() == 2000);
    CHECK(trials.form.instances->control->trials() == 2000);
    CHECK(trials.form.program.tally.trials() == 2000);
    instances.incident = Incident::timeout;
    instances.incident_detail = "late";
    record_instances(trials, instances);
    CHECK(trials.incident == Incident::timeout);
    CHECK(trials.incident_detail == "in a run of instances: late");
}

TEST_CASE("blocks that exit at once change no outcome of any case, on any route") {
    // Enough for most cases, and quick; what has more states is left out, and counted.
    const Limits limits{.states = 500};
    int compared = 0;
    int left_out = 0;
    for (const Case& each : embedded_cases()) {
        CAPTURE(each.id);
        for (const Program* program : {&each.litmus.program, each.litmus.control ? &*each.litmus.control : nullptr}) {
            for (const Route route : {Route::stream, Route::captured, Route::edges}) {
                if (program == nullptr || !lower(*program, route)) {
                    continue;
                }
                const Program extended = with_extra_blocks(*program);
                const Exploration plain = explore(*program, *lower(*program, route), limits);
                const Exploration with_extra = explore(extended, *lower(extended, route), limits);
                if (!plain.decided || !with_extra.decided) {
                    ++left_out;
                    continue;
                }
                CHECK(outcomes_of(plain) == outcomes_of(with_extra));
                ++compared;
            }
        }
    }
    MESSAGE(compared << " programs compared, " << left_out << " left out");
    CHECK(compared > 3 * left_out);
}
