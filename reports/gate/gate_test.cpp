// SPDX-License-Identifier: Apache-2.0
// The gate's rules, each as the issue says it, on files of which one thing is spoiled.
#include "reports/gate/gate_testing.hpp"

using namespace pdlcts;
using namespace pdlcts::examples;
using Rules = std::vector<GateProblemRule>;

namespace {

/// One verdict of the first cell of a file, with a baseline where the same cell is another.
struct Row {
    Cell (*now)(Cell);
    Cell (*before)(Cell); ///< null: without a baseline
    Verdict verdict;
    CellRule rule;
    Disposition disposition;
};

Cell sound(Cell cell) {
    return cell;
}
Cell timed_out(Cell cell) {
    return with(Incident::timeout, std::move(cell));
}
Cell crashed(Cell cell) {
    return with(Incident::crash, std::move(cell));
}
Cell device_error(Cell cell) {
    return with(Incident::device_error, std::move(cell));
}
Cell harness_error(Cell cell) {
    return with(Incident::harness_error, std::move(cell));
}
Cell missing(Cell cell) {
    return with(Incident::missing, std::move(cell));
}
Cell not_supported(Cell cell) {
    return with(Incident::not_supported, std::move(cell));
}
Cell unexplained(Cell cell) {
    cell.form.program.allowed = {"overlapped=0 seen=1"};
    return cell;
}
Cell recorded(Cell cell) {
    cell.basis = Basis::inferred;
    return cell;
}
Cell observed(Cell cell) {
    cell.claim = sometimes_cell().claim;
    cell.strength = Strength::permission;
    cell.form = sometimes_cell().form;
    return cell;
}
Cell not_observed(Cell cell) {
    cell = observed(std::move(cell));
    cell.form.program.tally.outcomes = {{"seen=0", 2000}};
    return cell;
}

constexpr auto passes = Disposition::passes;
constexpr auto fails = Disposition::fails;

constexpr Row rows[] = {
    // Without a baseline.
    {sound, nullptr, Verdict::pass, CellRule::holds, passes},
    {observed, nullptr, Verdict::observed, CellRule::holds, passes},
    {recorded, nullptr, Verdict::recorded, CellRule::holds, passes},
    {not_observed, nullptr, Verdict::not_observed, CellRule::not_promised, passes},
    {not_supported, nullptr, Verdict::not_supported, CellRule::not_supported, passes},
    {failing, nullptr, Verdict::fail, CellRule::against, fails},
    {unexplained, nullptr, Verdict::unexplained, CellRule::against, fails},
    {timed_out, nullptr, Verdict::timeout, CellRule::against, fails},
    {crashed, nullptr, Verdict::crash, CellRule::against, fails},
    {device_error, nullptr, Verdict::device_error, CellRule::against, fails},
    {harness_error, nullptr, Verdict::harness_error, CellRule::against, fails},
    {vacuous, nullptr, Verdict::vacuous, CellRule::no_evidence, fails},
    {missing, nullptr, Verdict::missing, CellRule::no_evidence, fails},
    // A baseline excuses what showed nothing before, and nothing else.
    {vacuous, vacuous, Verdict::vacuous, CellRule::as_in_baseline, passes},
    {missing, missing, Verdict::missing, CellRule::as_in_baseline, passes},
    {failing, failing, Verdict::fail, CellRule::against, fails},
    {crashed, crashed, Verdict::crash, CellRule::against, fails},
    {not_supported, not_supported, Verdict::not_supported, CellRule::not_supported, passes},
    // Newly VACUOUS or MISSING, from whatever it was.
    {vacuous, sound, Verdict::vacuous, CellRule::lost_evidence, fails},
    {vacuous, failing, Verdict::vacuous, CellRule::lost_evidence, fails},
    {vacuous, missing, Verdict::vacuous, CellRule::lost_evidence, fails},
    {vacuous, not_supported, Verdict::vacuous, CellRule::lost_evidence, fails},
    {vacuous, recorded, Verdict::vacuous, CellRule::lost_evidence, fails},
    {missing, sound, Verdict::missing, CellRule::lost_evidence, fails},
    {missing, vacuous, Verdict::missing, CellRule::lost_evidence, fails},
    {missing, observed, Verdict::missing, CellRule::lost_evidence, fails},
    // Other ways to show less than before.
    {not_supported, sound, Verdict::not_supported, CellRule::lost_evidence, fails},
    {not_supported, observed, Verdict::not_supported, CellRule::lost_evidence, fails},
    {not_supported, failing, Verdict::not_supported, CellRule::not_supported, passes},
    {recorded, sound, Verdict::recorded, CellRule::lost_evidence, fails},
    {not_observed, sound, Verdict::not_observed, CellRule::lost_evidence, fails},
    {not_observed, observed, Verdict::not_observed, CellRule::not_promised, passes},
    // To show more is no reason to be shut.
    {sound, failing, Verdict::pass, CellRule::holds, passes},
    {sound, vacuous, Verdict::pass, CellRule::holds, passes},
};

} // namespace

TEST_CASE("each verdict passes or fails, by itself and against a baseline") {
    for (const Row& row : rows) {
        Results now = passing();
        Results before = now;
        now.cells[0] = row.now(now.cells[0]);
        if (row.before != nullptr) {
            before.cells[0] = row.before(before.cells[0]);
        }
        const GateReport report = gate_of(now, row.before == nullptr ? nullptr : &before);
        const CellDecision& decision = decision_on(report, never_id);
        CAPTURE(name(row.verdict));
        CAPTURE((row.before == nullptr ? "no baseline" : name(*decision.baseline)));
        CHECK(name(decision.verdict) == name(row.verdict));
        CHECK(name(decision.rule) == name(row.rule));
        CHECK(decision.disposition == row.disposition);
        CHECK(report.problems.empty());
        CHECK(report.open() == (row.disposition == passes));
        CHECK_FALSE(decision.why.empty());
    }
}

TEST_CASE("a native check passes or fails like any other cell") {
    Results results = passing();
    CHECK(gate_of(results).open());
    results.native[0].probes[0].found = "cudaSuccess";
    const GateReport report = gate_of(results);
    CHECK_FALSE(report.open());
    CHECK(decision_on(report, "graph-query/get-edges-lossy").rule == CellRule::against);
    CHECK(report.count(Disposition::fails) == 1);
}

TEST_CASE("a baseline of another case excuses nothing") {
    Results now = passing();
    Results before = now;
    now.cells[0] = vacuous(now.cells[0]);
    before.cells[0] = vacuous(before.cells[0]);
    before.cells[0].digest = std::string(64, 'e');
    // The same list of cases, compiled to other code: the case is the same.
    CHECK(gate_of(now, &before).open());
    before.suite.cases_digest = std::string(64, 'f');
    before.suite.version = "0.0.9";
    const GateReport report = gate_of(now, &before);
    CHECK(decision_on(report, never_id).rule == CellRule::no_evidence);
    CHECK(decision_on(report, never_id).stale);
    CHECK(report.problems.empty());
    // A PASS that is no longer shown is lost, whatever became of the case.
    before.cells[0] = passing().cells[0];
    before.cells[0].digest = std::string(64, 'e');
    CHECK(decision_on(gate_of(now, &before), never_id).rule == CellRule::lost_evidence);
}

TEST_CASE("a list of cases that shrank is missed, cell by cell") {
    const Results before = passing();
    Results now = before;
    now.cells.erase(now.cells.begin());
    const GateReport report = gate_of(now, &before);
    const CellDecision& decision = decision_on(report, never_id);
    CHECK(decision.rule == CellRule::gone);
    CHECK(decision.verdict == Verdict::missing);
    CHECK(decision.disposition == Disposition::fails);
    CHECK_FALSE(report.open());
    now.native.clear();
    CHECK(gate_of(now, &before).count(Disposition::fails) == 2);
    // One that grew is not.
    CHECK(gate_of(before, &now).open());
    // Who asks for selected cases, knows that others are not there.
    now.every_case = false;
    CHECK(rules(gate_of(now, &before)) == Rules{GateProblemRule::partial});
    CHECK(gate_of(now, &before, {}, {.partial = true}).open());
    // But a run of every case is no selection.
    now.every_case = true;
    CHECK_FALSE(gate_of(now, &before, {}, {.partial = true}).open());
}

TEST_CASE("another list of cases under the same version shuts the gate") {
    const Results before = passing();
    Results now = before;
    now.suite.cases_digest = std::string(64, 'e');
    CHECK(rules(gate_of(now, &before)) == Rules{GateProblemRule::list_changed});
    now.suite.version = "0.2.0";
    CHECK(gate_of(now, &before).open());
}

TEST_CASE("what is wrong with a file as a whole shuts the gate, and some of it can be let pass") {
    struct FileRow {
        void (*spoil)(Results&);
        GateProblemRule rule;
        GateAllowances allowed; ///< none: nothing lets it pass
    };
    const FileRow file_rows[] = {
        {[](Results& results) { results.every_case = false; }, GateProblemRule::partial, {.partial = true}},
        {[](Results& results) { results.suite.dirty = true; }, GateProblemRule::dirty, {.dirty = true}},
        {[](Results& results) { results.cells[1].thresholds.quick = true; }, GateProblemRule::quick, {.quick = true}},
        {[](Results& results) { results.environment.gpu = "abstract machine"; }, GateProblemRule::no_device, {}},
        {[](Results& results) { results.environment.fault = "none"; }, GateProblemRule::sampled, {}},
        {[](Results& results) { results.cells[0].image = "sampled executions, fault none"; },
         GateProblemRule::sampled,
         {}},
        {[](Results& results) { results.cells[0].image = "machine"; }, GateProblemRule::no_device, {}},
        {[](Results& results) {
             results.cells.clear();
             results.native.clear();
         },
         GateProblemRule::empty,
         {}},
        {[](Results& results) {
             results.native.clear();
             results.cells = {not_supported(results.cells[0]), recorded(results.cells[1])};
         },
         GateProblemRule::empty,
         {}},
    };
    for (const FileRow& row : file_rows) {
        Results results = passing();
        row.spoil(results);
        CAPTURE(name(row.rule));
        CHECK(rules(gate_of(results)) == Rules{row.rule});
        const bool can_be_allowed =
            row.allowed.partial || row.allowed.quick || row.allowed.dirty || row.allowed.other_suite;
        const GateReport let_pass =
            gate_of(results, nullptr, {}, can_be_allowed ? row.allowed : GateAllowances{true, true, true, true});
        CHECK(let_pass.open() == can_be_allowed);
        CHECK(let_pass.notes.size() == (can_be_allowed ? 1 : 0)); // never in silence
    }
}

TEST_CASE("a file that contradicts itself, or a baseline that does, shuts the gate") {
    const Results results = passing();
    GateInput input{.file = {results, {"x.json: /cells/0/verdict: the file says PASS"}},
                    .other_suite = false,
                    .baseline = {},
                    .waivers = {},
                    .today = a_day,
                    .allow = {true, true, true, true}};
    CHECK(rules(gate(input)) == Rules{GateProblemRule::contradiction});
    input.file.differences.clear();
    CHECK(gate(input).open());
    input.baseline.emplace(GateFile{results, {"b.json: /digest: the evidence was changed"}});
    CHECK(rules(gate(input)) == Rules{GateProblemRule::bad_baseline});
    Results machine = results;
    machine.environment = abstract_machine();
    input.baseline.emplace(GateFile{machine, {}});
    CHECK(rules(gate(input)) == Rules{GateProblemRule::bad_baseline});
}

TEST_CASE("a file of another list of cases than the program's is refused unless asked for") {
    const Results results = passing();
    GateInput input{
        .file = {results, {}}, .other_suite = true, .baseline = {}, .waivers = {}, .today = a_day, .allow = {}};
    CHECK(rules(gate(input)) == Rules{GateProblemRule::other_suite});
    input.allow.other_suite = true;
    CHECK(gate(input).open());
}

TEST_CASE("results of the abstract machine never pass, however good they are") {
    Results results = results_of(abstract_machine(), {machine_cell(MachineAnswer::Kind::proved, "12 outcomes")});
    const GateReport report = gate_of(results, &results, {}, {true, true, true, true});
    CHECK_FALSE(report.open());
    CHECK(report.cells[0].rule == CellRule::no_device);
    CHECK(rules(report) == Rules{GateProblemRule::empty, GateProblemRule::no_device, GateProblemRule::bad_baseline});
}

TEST_CASE("improvements and what showed more before are named") {
    Results now = passing();
    Results before = now;
    before.cells[0] = failing(before.cells[0]);
    now.cells[1] = not_observed(now.cells[1]);
    const GateReport report = gate_of(now, &before);
    CHECK(report.open());
    CHECK(decision_on(report, never_id).improved);
    CHECK_FALSE(decision_on(report, never_id).weaker);
    CHECK(decision_on(report, sometimes_id).weaker);
    // From FAIL to VACUOUS nothing has improved.
    now.cells[0] = vacuous(now.cells[0]);
    CHECK_FALSE(decision_on(gate_of(now, &before), never_id).improved);
}

TEST_CASE("a second cell of one name hides no FAIL") {
    Results results = passing();
    results.cells.push_back(failing(results.cells[0]));
    CHECK(decision_on(gate_of(results), never_id).rule == CellRule::against);
    std::swap(results.cells.front(), results.cells.back());
    CHECK(decision_on(gate_of(results), never_id).rule == CellRule::against);
}
