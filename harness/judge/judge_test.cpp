// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/example_cells.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

/// One rule of the judge: a cell, spoiled, and what DESIGN.md says of it.
struct Row {
    const char* rule;
    Cell (*cell)();
    void (*spoil)(Cell&);
    Verdict verdict;
    const char* reason;
};

void check_rows(std::span<const Row> rows) {
    for (const Row& row : rows) {
        Cell cell = row.cell();
        row.spoil(cell);
        const Judgement judgement = judge(cell);
        CAPTURE(row.rule);
        CHECK(name(judgement.verdict) == name(row.verdict));
        CHECK(judgement.reason == row.reason);
    }
}

void leave(Cell&) {}
void violate(Cell& cell) {
    cell.form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
}
void build_other_plan(Cell& cell) {
    cell.form.route = Route::captured;
    cell.form.program.structure = plan_of("a -> b: type programmatic, port programmatic");
    cell.form.program.structure.built = {"a -> b: type full, port full"};
}
void undocument(Cell& cell) {
    cell.form.program.structure.undocumented = {"an event before a pss kernel"};
}

Cell proved_cell() {
    return machine_cell(MachineAnswer::Kind::proved, "12 outcomes");
}
Cell refuted_cell() {
    return machine_cell(MachineAnswer::Kind::refuted, "seen=0 is allowed");
}
Cell undecided_cell() {
    return machine_cell(MachineAnswer::Kind::not_decided, "4000000 states");
}
Cell ends_cell() {
    Cell cell = never_cell();
    cell.claim = {.never = "", .sometimes = "", .ends = true, .armed = ""};
    return cell;
}

} // namespace

TEST_CASE("never: what earns a PASS, and what each lack of it gives") {
    static const Row rows[] = {
        {"all evidence there", never_cell, leave, Verdict::pass, ""},
        {"one violation is enough", never_cell, violate, Verdict::fail,
         "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
        {"a violation that is not armed counts", never_cell,
         [](Cell& c) { c.form.program.tally.outcomes["overlapped=0 seen=0"] = 1; }, Verdict::fail,
         "1 of 2001 trials violate the claim: overlapped=0 seen=0"},
        {"a claim beyond the specification says so", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.program.allowed.emplace_back("overlapped=1 seen=0");
         },
         Verdict::fail,
         "3 of 2003 trials violate the claim: overlapped=1 seen=0; the abstract machine allows this, so the claim "
         "asks for more than the specification does"},
        {"derived is marked", never_cell, [](Cell& c) { c.basis = Basis::derived; }, Verdict::pass, "derived"},
        {"quick is marked", never_cell,
         [](Cell& c) {
             c.thresholds = {.control_violations = 21, .program_trials = 100, .quick = true};
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 100}};
         },
         Verdict::pass, "quick"},
        {"derived and quick", never_cell,
         [](Cell& c) {
             c.basis = Basis::derived;
             c.thresholds.quick = true;
         },
         Verdict::pass, "derived, quick"},
        {"a definition follows the claim's rules", never_cell, [](Cell& c) { c.strength = Strength::definition; },
         Verdict::pass, ""},
        {"exactly enough", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 1000}};
             c.form.control->tally.outcomes = {{"overlapped=1 seen=0", 21}};
         },
         Verdict::pass, ""},
        {"one armed trial short", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 999}, {"overlapped=0 seen=1", 1}};
         },
         Verdict::vacuous, "not armed: 999 of 1000 trials armed, 1000 needed"},
        {"not armed", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 3}, {"overlapped=0 seen=1", 1997}};
         },
         Verdict::vacuous, "not armed: 3 of 2000 trials armed, 1000 needed"},
        {"too few trials", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 500}};
         },
         Verdict::vacuous, "too few trials: 500, 1000 needed"},
        {"one control violation short", never_cell,
         [](Cell& c) {
             c.form.control->tally.outcomes = {{"overlapped=1 seen=0", 20}, {"overlapped=0 seen=0", 1980}};
         },
         Verdict::vacuous, "control violated too rarely: 20 of 2000 trials armed, 21 needed"},
        {"control not violated", never_cell,
         [](Cell& c) {
             c.form.control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
         },
         Verdict::vacuous, "control not violated: 0 of 2000 trials"},
        {"control not armed: its violations have another cause", never_cell,
         [](Cell& c) {
             c.form.control->tally.outcomes = {{"overlapped=0 seen=0", 2000}};
         },
         Verdict::vacuous, "control not armed: 0 of 2000 trials"},
        {"no control", never_cell, [](Cell& c) { c.form.control.reset(); }, Verdict::vacuous,
         "no control, so nothing shows that a violation would be seen"},
        {"several lacks are all named", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 500}};
             c.form.control->tally.outcomes = {{"overlapped=1 seen=1", 500}};
         },
         Verdict::vacuous, "too few trials: 500, 1000 needed; control not violated: 0 of 500 trials"},
        {"the machine is undecided", never_cell, [](Cell& c) { c.form.program.decided = false; }, Verdict::vacuous,
         "the abstract machine could not decide what is allowed"},
        {"the machine is undecided of the control", never_cell, [](Cell& c) { c.form.control->decided = false; },
         Verdict::vacuous, "the abstract machine could not decide what is allowed"},
        {"an undecided machine excuses no violation", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.program.decided = false;
         },
         Verdict::fail, "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
        {"a cell may ask for more", never_cell, [](Cell& c) { c.thresholds.control_violations = 1991; },
         Verdict::vacuous, "control violated too rarely: 1990 of 2000 trials armed, 1991 needed"},
        {"a cell cannot ask for less", never_cell,
         [](Cell& c) {
             c.thresholds = {.control_violations = 0, .program_trials = 1, .quick = false};
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 100}};
             c.form.control->tally.outcomes = {{"overlapped=1 seen=0", 1}};
         },
         Verdict::vacuous,
         "too few trials: 100, 1000 needed; control violated too rarely: 1 of 1 trials armed, 21 needed"},
        {"never and ends: never decides", never_cell, [](Cell& c) { c.claim.ends = true; }, Verdict::pass, ""},
    };
    check_rows(rows);
}

TEST_CASE("sometimes: an occurrence needs a control without one") {
    static const Row rows[] = {
        {"shown", sometimes_cell, leave, Verdict::observed, "12 of 2000 trials, 0 of 2000 trials of the control"},
        {"a guarantee whose only observable is a permitted effect", sometimes_cell,
         [](Cell& c) { c.strength = Strength::guarantee; }, Verdict::observed,
         "12 of 2000 trials, 0 of 2000 trials of the control"},
        {"a requirement that nothing validates", sometimes_cell, [](Cell& c) { c.strength = Strength::requirement; },
         Verdict::observed, "12 of 2000 trials, 0 of 2000 trials of the control"},
        {"not shown", sometimes_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"seen=0", 2000}};
         },
         Verdict::not_observed, "0 of 2000 trials"},
        {"the control shows it and may not", sometimes_cell,
         [](Cell& c) { c.form.control->tally.outcomes["seen=1"] = 1; }, Verdict::unexplained,
         "the abstract machine does not allow seen=1 of the control"},
        {"the control shows it and may", sometimes_cell,
         [](Cell& c) {
             c.form.control->tally.outcomes["seen=1"] = 1;
             c.form.control->allowed.emplace_back("seen=1");
         },
         Verdict::not_observed,
         "12 of 2000 trials, but the control shows it too (1 of 2001 trials), so it has another cause"},
        {"no control", sometimes_cell, [](Cell& c) { c.form.control.reset(); }, Verdict::recorded,
         "12 of 2000 trials; no control, so no cause is shown"},
        {"an undecided machine is named", sometimes_cell, [](Cell& c) { c.form.program.decided = false; },
         Verdict::observed,
         "12 of 2000 trials, 0 of 2000 trials of the control; the abstract machine could not decide what is allowed"},
    };
    check_rows(rows);
}

TEST_CASE("ends: a missed deadline is a FAIL, and no missed deadline proves nothing") {
    static const Row rows[] = {
        {"no deadline missed", ends_cell, leave, Verdict::vacuous,
         "no deadline was missed, but no control can hang, so nothing shows that one would be"},
        {"missed", ends_cell,
         [](Cell& c) {
             c.incident = Incident::timeout;
             c.incident_detail = "20 s";
         },
         Verdict::fail, "a deadline was missed: 20 s"},
        {"missed, without a word", ends_cell, [](Cell& c) { c.incident = Incident::timeout; }, Verdict::fail,
         "a deadline was missed"},
        {"missed, by a case that does not claim to end", never_cell,
         [](Cell& c) {
             c.incident = Incident::timeout;
             c.incident_detail = "20 s";
         },
         Verdict::timeout, "20 s"},
        {"missed, of an inferred statement", ends_cell,
         [](Cell& c) {
             c.basis = Basis::inferred;
             c.incident = Incident::timeout;
         },
         Verdict::timeout, ""},
    };
    check_rows(rows);
}

TEST_CASE("incidents, and what outranks them") {
    static const Row rows[] = {
        {"crash", never_cell,
         [](Cell& c) {
             c.incident = Incident::crash;
             c.incident_detail = "signal 11";
         },
         Verdict::crash, "signal 11"},
        {"device error", never_cell, [](Cell& c) { c.incident = Incident::device_error; }, Verdict::device_error, ""},
        {"harness error", never_cell, [](Cell& c) { c.incident = Incident::harness_error; }, Verdict::harness_error,
         ""},
        {"missing", never_cell, [](Cell& c) { c.incident = Incident::missing; }, Verdict::missing, ""},
        {"not supported", never_cell,
         [](Cell& c) {
             c.incident = Incident::not_supported;
             c.incident_detail = "needs compute capability 10.0";
         },
         Verdict::not_supported, "needs compute capability 10.0"},
        {"a violation seen before the crash", never_cell,
         [](Cell& c) {
             violate(c);
             c.incident = Incident::crash;
         },
         Verdict::fail, "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
        {"a violation of the equivalence's other form before the crash", equivalence_cell,
         [](Cell& c) {
             c.other_form->program.tally.outcomes["overlapped=1 seen=0"] = 1;
             c.incident = Incident::crash;
         },
         Verdict::fail, "edges: 1 of 2001 trials violate the claim: overlapped=1 seen=0"},
        {"an occurrence is no violation", sometimes_cell, [](Cell& c) { c.incident = Incident::crash; }, Verdict::crash,
         ""},
    };
    check_rows(rows);
}

TEST_CASE("the machine's answer is never a PASS") {
    static const Row rows[] = {
        {"proved", proved_cell, leave, Verdict::proved, "12 outcomes"},
        {"refuted", refuted_cell, leave, Verdict::refuted, "seen=0 is allowed"},
        {"not decided", undecided_cell, leave, Verdict::not_decided, "4000000 states"},
        {"an answer beside trials", never_cell,
         [](Cell& c) {
             c.machine = MachineAnswer{MachineAnswer::Kind::proved, "", {}};
         },
         Verdict::harness_error, "the cell holds both a machine's answer and trials of a device"},
    };
    check_rows(rows);
}

TEST_CASE("evidence that is missing, broken or not allowed") {
    static const Row rows[] = {
        {"no trial", never_cell, [](Cell& c) { c.form.program.tally = {}; }, Verdict::missing, "no trial was run"},
        {"an outcome counted zero times was not seen", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=0", 0}};
         },
         Verdict::missing, "no trial was run"},
        {"no trial of the control", never_cell, [](Cell& c) { c.form.control->tally = {}; }, Verdict::missing,
         "no trial of the control was run"},
        {"an empty cell", [] { return Cell{}; }, leave, Verdict::harness_error,
         "the case claims nothing: neither never, sometimes nor ends"},
        {"two claims", never_cell, [](Cell& c) { c.claim.sometimes = "seen == 1"; }, Verdict::harness_error,
         "the case claims both never and sometimes"},
        {"unwritten", never_cell, [](Cell& c) { c.form.program.tally.unwritten = 2; }, Verdict::harness_error,
         "a register was never written in 2 of 2002 trials"},
        {"unwritten in the control", never_cell, [](Cell& c) { c.form.control->tally.unwritten = 1; },
         Verdict::harness_error, "a register was never written in 1 of 2001 trials"},
        {"a violation outranks unwritten", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.control->tally.unwritten = 1;
         },
         Verdict::fail, "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
        {"not allowed", never_cell, [](Cell& c) { c.form.program.tally.outcomes["overlapped=1 seen=other"] = 1; },
         Verdict::unexplained, "the abstract machine does not allow overlapped=1 seen=other"},
        {"not allowed, in the control", never_cell,
         [](Cell& c) { c.form.control->tally.outcomes["overlapped=1 seen=other"] = 1; }, Verdict::unexplained,
         "the abstract machine does not allow overlapped=1 seen=other of the control"},
        {"a violation outranks what is not allowed", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.program.tally.outcomes["overlapped=1 seen=other"] = 1;
         },
         Verdict::fail, "3 of 2004 trials violate the claim: overlapped=1 seen=0"},
    };
    check_rows(rows);
}

TEST_CASE("texts that do not parse are the harness's error") {
    for (const bool control : {false, true}) {
        Cell cell = never_cell();
        (control ? *cell.form.control : cell.form.program).tally.outcomes["no outcome"] = 1;
        CHECK(judge(cell).verdict == Verdict::harness_error);
        (control ? *cell.form.control : cell.form.program).tally.outcomes.erase("no outcome");
        (control ? *cell.form.control : cell.form.program).allowed.emplace_back("no outcome");
        CHECK(judge(cell).verdict == Verdict::harness_error);
    }
    Cell claim = never_cell();
    claim.claim.never = "seen ==";
    CHECK(judge(claim).verdict == Verdict::harness_error);
    Cell armed = never_cell();
    armed.claim.armed = "overlapped";
    CHECK(judge(armed).verdict == Verdict::harness_error);
    CHECK(judge(armed).armed == 0);
    Cell violated = never_cell();
    violate(violated);
    violated.form.program.tally.outcomes["no outcome"] = 1;
    CHECK(judge(violated).verdict == Verdict::fail);
}

TEST_CASE("what no document states is recorded") {
    static const Row rows[] = {
        {"inferred", never_cell, [](Cell& c) { c.basis = Basis::inferred; }, Verdict::recorded,
         "0 violations in 2000 trials, 1990 in 2000 of the control; inferred, no document states it"},
        {"unspecified", never_cell, [](Cell& c) { c.strength = Strength::unspecified; }, Verdict::recorded,
         "0 violations in 2000 trials, 1990 in 2000 of the control; unspecified"},
        {"an inferred violation is no FAIL", never_cell,
         [](Cell& c) {
             violate(c);
             c.basis = Basis::inferred;
             c.form.program.allowed.emplace_back("overlapped=1 seen=0");
         },
         Verdict::recorded,
         "3 violations in 2003 trials, 1990 in 2000 of the control; inferred, no document states it"},
        {"an inferred violation that the machine does not allow", never_cell,
         [](Cell& c) {
             violate(c);
             c.basis = Basis::inferred;
         },
         Verdict::unexplained, "the abstract machine does not allow overlapped=1 seen=0"},
        {"inferred, without a trial", never_cell,
         [](Cell& c) {
             c.basis = Basis::inferred;
             c.form.program.tally = {};
         },
         Verdict::missing, "no trial was run"},
        {"inferred, unwritten", never_cell,
         [](Cell& c) {
             c.basis = Basis::inferred;
             c.form.program.tally.unwritten = 1;
         },
         Verdict::harness_error, "a register was never written in 1 of 2001 trials"},
        {"unspecified, sometimes", sometimes_cell, [](Cell& c) { c.strength = Strength::unspecified; },
         Verdict::recorded, "12 occurrences in 2000 trials, 0 in 2000 of the control; unspecified"},
        {"undocumented plan", never_cell, undocument, Verdict::recorded,
         "0 violations in 2000 trials, 1990 in 2000 of the control; undocumented: an event before a pss kernel"},
        {"undocumented plan of the control", never_cell,
         [](Cell& c) { c.form.control->structure.undocumented = {"two events"}; }, Verdict::recorded,
         "0 violations in 2000 trials, 1990 in 2000 of the control; undocumented: two events"},
        {"a violation by an undocumented plan", never_cell,
         [](Cell& c) {
             violate(c);
             undocument(c);
             c.form.program.allowed.emplace_back("overlapped=1 seen=0");
         },
         Verdict::recorded,
         "3 violations in 2003 trials, 1990 in 2000 of the control; undocumented: an event before a pss kernel"},
        {"an undocumented control excuses no violation", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.control->structure.undocumented = {"two events"};
         },
         Verdict::fail, "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
        {"another plan than documented", never_cell, build_other_plan, Verdict::recorded,
         "the driver built another plan than documented: built [a -> b: type full, port full], documented [a -> b: "
         "type programmatic, port programmatic]; 0 violations in 2000 trials, 1990 in 2000 of the control"},
        {"a violation by another plan than documented", never_cell,
         [](Cell& c) {
             violate(c);
             build_other_plan(c);
             c.form.program.allowed.emplace_back("overlapped=1 seen=0");
         },
         Verdict::recorded,
         "the driver built another plan than documented: built [a -> b: type full, port full], documented [a -> b: "
         "type programmatic, port programmatic]; 3 violations in 2003 trials, 1990 in 2000 of the control"},
    };
    check_rows(rows);
}

TEST_CASE("equivalence: the read-back, the form that must differ, and both behaviours") {
    static const Row rows[] = {
        {"both pass", equivalence_cell, leave, Verdict::pass, "captured and edges are both PASS"},
        {"both observed", sometimes_equivalence_cell, leave, Verdict::pass, "captured and edges are both OBSERVED"},
        {"derived is marked", equivalence_cell, [](Cell& c) { c.basis = Basis::derived; }, Verdict::pass,
         "captured and edges are both PASS, derived"},
        {"another plan than documented", equivalence_cell,
         [](Cell& c) { c.form.program.structure.built = {"primary -> secondary: type full, port full"}; },
         Verdict::fail,
         "the driver built another plan than documented: built [primary -> secondary: type full, port full], "
         "documented [primary -> secondary: type programmatic, port programmatic]"},
        {"another plan of the control", equivalence_cell, [](Cell& c) { c.form.control->structure.built.clear(); },
         Verdict::fail,
         "the driver built another plan of the control than documented: built [], documented [primary -> secondary: "
         "type full, port full]"},
        {"another plan, seen without a trial", equivalence_cell,
         [](Cell& c) {
             c.form.program.tally = {};
             c.form.program.structure.built.clear();
         },
         Verdict::fail,
         "the driver built another plan than documented: built [], documented [primary -> secondary: type "
         "programmatic, port programmatic]"},
        {"the control builds the same plan", equivalence_cell,
         [](Cell& c) { c.form.control->structure = c.form.program.structure; }, Verdict::vacuous,
         "the driver built the same plan for the control, which must differ"},
        {"nothing was read back", equivalence_cell, [](Cell& c) { c.form.program.structure.read_back = false; },
         Verdict::vacuous, "the plan was not read back from the driver"},
        {"no control", equivalence_cell, [](Cell& c) { c.form.control.reset(); }, Verdict::vacuous,
         "no control, the form that must differ"},
        {"no other form", equivalence_cell, [](Cell& c) { c.other_form.reset(); }, Verdict::missing,
         "the other form was not run"},
        {"no trial of the other form", equivalence_cell, [](Cell& c) { c.other_form->program.tally = {}; },
         Verdict::missing, "no trial was run (edges)"},
        {"both forms are one", equivalence_cell, [](Cell& c) { c.other_form->route = Route::captured; },
         Verdict::harness_error, "both forms of the equivalence are captured"},
        {"one form fails", equivalence_cell,
         [](Cell& c) { c.other_form->program.tally.outcomes["overlapped=1 seen=0"] = 1; }, Verdict::fail,
         "edges: 1 of 2001 trials violate the claim: overlapped=1 seen=0"},
        {"both vacuous", equivalence_cell,
         [](Cell& c) {
             c.form.control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
             c.other_form->control->tally.outcomes = {{"overlapped=1 seen=1", 1000}};
         },
         Verdict::vacuous,
         "captured: VACUOUS (control not violated: 0 of 2000 trials); edges: VACUOUS (control not violated: 0 of 1000 "
         "trials)"},
        {"one vacuous", equivalence_cell,
         [](Cell& c) {
             c.other_form->control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
         },
         Verdict::vacuous, "captured: PASS; edges: VACUOUS (control not violated: 0 of 2000 trials)"},
        {"overlap is opportunistic", sometimes_equivalence_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"seen=0", 2000}};
         },
         Verdict::vacuous,
         "captured: NOT OBSERVED (0 of 2000 trials); edges: OBSERVED (12 of 2000 trials, 0 of 2000 trials of the "
         "control)"},
        {"neither observed", sometimes_equivalence_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"seen=0", 2000}};
             c.other_form->program.tally.outcomes = {{"seen=0", 2000}};
         },
         Verdict::vacuous, "captured: NOT OBSERVED (0 of 2000 trials); edges: NOT OBSERVED (0 of 2000 trials)"},
        {"the explicit graph is not what was asked for", equivalence_cell,
         [](Cell& c) { c.other_form->program.structure.built.clear(); }, Verdict::vacuous,
         "captured: PASS; edges: RECORDED (the driver built another plan than documented: built [], documented "
         "[primary -> secondary: type programmatic, port programmatic]; 0 violations in 2000 trials, 1990 in 2000 of "
         "the control)"},
        {"not allowed, in the other form", equivalence_cell,
         [](Cell& c) { c.other_form->control->tally.outcomes["overlapped=1 seen=other"] = 1; }, Verdict::unexplained,
         "the abstract machine does not allow overlapped=1 seen=other of the control (edges)"},
        {"undocumented", equivalence_cell, undocument, Verdict::recorded,
         "0 violations in 2000 trials, 1990 in 2000 of the control; undocumented: an event before a pss kernel"},
        {"a second form elsewhere", never_cell, [](Cell& c) { c.other_form = never_form(Route::edges); },
         Verdict::harness_error, "a second form beside a statement that is no equivalence"},
    };
    check_rows(rows);
}

TEST_CASE("counts") {
    Cell cell = never_cell();
    cell.form.program.tally.outcomes = {{"overlapped=1 seen=1", 5},
                                        {"overlapped=0 seen=1", 7},
                                        {"overlapped=1 seen=0", 11},
                                        {"overlapped=0 seen=0", 13}};
    cell.form.program.tally.unwritten = 17;
    cell.form.control->tally.outcomes = {{"overlapped=1 seen=0", 19}, {"overlapped=0 seen=0", 23}};
    const Judgement judgement = judge(cell);
    CHECK(judgement.trials == 53);
    CHECK(judgement.armed == 16);
    CHECK(judgement.violations == 24);
    CHECK(judgement.control_trials == 42);
    CHECK(judgement.control_armed == 19);
    CHECK(judgement.control_violations == 42);
    CHECK(judgement.control_armed_violations == 19);
    CHECK(count(cell.form.program, cell.claim) == Counts{53, 16, 24, 11});
    cell.claim.armed.clear();
    CHECK(judge(cell).armed == 36);
}

TEST_CASE("the upper bound on the rate of violations") {
    const auto bound = [](std::uint64_t armed) {
        Cell cell = never_cell();
        cell.form.program.tally.outcomes = {{"overlapped=1 seen=1", armed}, {"overlapped=0 seen=1", 50}};
        return judge(cell).upper_bound;
    };
    // The rule of three: about 3 / n. Exact values by hand: 1 - 0.05 = 0.95; 1 - sqrt(0.05) = 0.776393...
    CHECK(bound(0) == 1);
    CHECK(bound(1) == doctest::Approx(0.95));
    CHECK(bound(2) == doctest::Approx(0.7763932));
    CHECK(bound(1000) == doctest::Approx(0.00299125).epsilon(1e-5));
    CHECK(bound(1'000'000'000'000) == doctest::Approx(2.99573e-12).epsilon(1e-5));

    Cell violated = never_cell();
    violate(violated);
    CHECK(judge(violated).upper_bound == 1);
    CHECK(judge(sometimes_cell()).upper_bound == 1);
}

TEST_CASE("a reason stays a sentence") {
    Cell cell = never_cell();
    cell.incident = Incident::crash;
    for (int i = 0; i < 1000; ++i) {
        cell.incident_detail += "\xc3\xa9"; // two bytes, not to be cut apart
    }
    const std::string reason = judge(cell).reason;
    CHECK(reason.size() == 1000);
    CHECK(reason.substr(reason.size() - 6) == "\xc3\xa9 ...");
}

TEST_CASE("a statement shows the first of its verdicts in the published order") {
    const auto shows = [](std::vector<Verdict> verdicts, Verdict verdict, std::size_t sharing) {
        const StatementVerdict statement = worst(verdicts);
        CHECK(name(statement.verdict) == name(verdict));
        CHECK(statement.sharing == sharing);
        CHECK(statement.of == verdicts.size());
    };
    shows({}, Verdict::missing, 0);
    shows({Verdict::pass, Verdict::vacuous, Verdict::pass}, Verdict::pass, 2);
    shows({Verdict::pass, Verdict::fail, Verdict::pass}, Verdict::fail, 1);
    shows({Verdict::harness_error, Verdict::pass}, Verdict::harness_error, 1);
    shows({Verdict::unexplained, Verdict::fail}, Verdict::fail, 1);
    shows({Verdict::not_supported, Verdict::missing}, Verdict::not_supported, 1);
    shows({Verdict::recorded, Verdict::observed}, Verdict::observed, 1);
}

TEST_CASE("names") {
    const char* const names[] = {"FAIL",          "UNEXPLAINED", "REFUTED",       "TIMEOUT", "CRASH",    "DEVICE ERROR",
                                 "HARNESS ERROR", "PASS",        "OBSERVED",      "PROVED",  "RECORDED", "VACUOUS",
                                 "NOT OBSERVED",  "NOT DECIDED", "NOT SUPPORTED", "MISSING"};
    for (int i = 0; i < 16; ++i) {
        CHECK(name(static_cast<Verdict>(i)) == names[i]);
    }
    CHECK(name(Incident::device_error) == "device_error");
}
