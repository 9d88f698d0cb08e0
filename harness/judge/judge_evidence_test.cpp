// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/judge_rows.hpp"

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

void build_other_plan(Cell& cell) {
    cell.form.route = Route::captured;
    cell.form.program.structure = plan_of("a -> b: type programmatic, port programmatic");
    cell.form.program.structure.built = {"a -> b: type full, port full"};
}
void undocument(Cell& cell) {
    cell.form.program.structure.undocumented = {"an event before a pss kernel"};
}

Cell with_instances() {
    Cell cell = never_cell();
    cell.form.instances = Instances{.launches = 10,
                                    .blocks = 100,
                                    .program = {.outcomes = {{"overlapped=1 seen=1", 1000}}},
                                    .control = Tally{.outcomes = {{"overlapped=1 seen=0", 1000}}},
                                    .time = {}};
    return cell;
}

} // namespace

TEST_CASE("instances count against a claim, and never for it") {
    static const Row rows[] = {
        {"beside enough trials", with_instances, leave, Verdict::pass, ""},
        {"they are no trials", with_instances,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 999}};
         },
         Verdict::vacuous, "too few trials: 999, 1000 needed"},
        {"they are no trials of the control", with_instances,
         [](Cell& c) {
             c.form.control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
         },
         Verdict::vacuous, "control not violated: 0 of 2000 trials"},
        {"one that violates", with_instances,
         [](Cell& c) { c.form.instances->program.outcomes["overlapped=0 seen=0"] = 2; }, Verdict::fail,
         "2 of 1002 instances violate the claim: overlapped=0 seen=0"},
        {"one that the machine does not allow", with_instances,
         [](Cell& c) { c.form.instances->program.outcomes["overlapped=0 seen=other"] = 1; }, Verdict::unexplained,
         "the abstract machine does not allow overlapped=0 seen=other of an instance"},
        {"one of the control that the machine does not allow", with_instances,
         [](Cell& c) { c.form.instances->control->outcomes["overlapped=0 seen=other"] = 1; }, Verdict::unexplained,
         "the abstract machine does not allow overlapped=0 seen=other of an instance of the control"},
        {"one that wrote nothing", with_instances, [](Cell& c) { c.form.instances->program.unwritten = 1; },
         Verdict::harness_error, "a register was never written in 1 of 1001 trials"},
        {"without trials", with_instances, [](Cell& c) { c.form.program.tally = {}; }, Verdict::missing,
         "no trial was run"},
        {"occurrences in instances are no observation",
         [] {
             Cell cell = sometimes_cell();
             cell.form.program.tally.outcomes = {{"seen=0", 2000}};
             cell.form.instances = Instances{.launches = 1,
                                             .blocks = 9,
                                             .program = {.outcomes = {{"seen=1", 9}}},
                                             .control = Tally{.outcomes = {{"seen=0", 9}}},
                                             .time = {}};
             return cell;
         },
         leave, Verdict::not_observed, "0 of 2000 trials"},
    };
    check_rows(rows);
    CHECK(judge(with_instances()).trials == 2000);
    CHECK(judge(with_instances()).upper_bound == judge(never_cell()).upper_bound);
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
        {"trials without an image", never_cell, [](Cell& c) { c.image.clear(); }, Verdict::harness_error,
         "the cell holds trials, and no image that a device ran"},
        {"trials of the machine", never_cell, [](Cell& c) { c.image = "machine"; }, Verdict::harness_error,
         "the cell holds trials, and no image that a device ran"},
        {"a stream's plan, read back", never_cell, [](Cell& c) { c.form.program.structure.read_back = true; },
         Verdict::harness_error, "a plan was read back from a stream, which has none to read"},
        {"a graph that was not read back", never_cell, [](Cell& c) { c.form.route = Route::edges; }, Verdict::vacuous,
         "the plan was not read back from the driver"},
        {"a graph whose control was not read back", never_cell,
         [](Cell& c) {
             c.form = never_form(Route::edges);
             c.form.control->structure.read_back = false;
         },
         Verdict::vacuous, "the plan was not read back from the driver"},
        {"an occurrence in a graph that was not read back", sometimes_cell,
         [](Cell& c) { c.form.route = Route::captured; }, Verdict::vacuous,
         "the plan was not read back from the driver"},
        {"a violation in a graph that was not read back", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.route = Route::edges;
         },
         Verdict::fail, "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
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

TEST_CASE("an outcome that is written in another way is the same outcome") {
    Cell allowed = never_cell();
    allowed.form.program.allowed = {"seen=1 overlapped=0", "  seen=1 overlapped=1"};
    CHECK(judge(allowed).verdict == Verdict::pass);
    Cell seen = never_cell();
    seen.form.program.tally.outcomes = {{"seen=1 overlapped=1", 2000}};
    CHECK(judge(seen).verdict == Verdict::pass);
    Cell other = never_cell();
    other.form.program.allowed = {"seen=1 overlapped=0"};
    CHECK(judge(other).verdict == Verdict::unexplained);
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
         Verdict::recorded, "40 occurrences in 2000 trials, 0 in 2000 of the control; unspecified"},
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
        {"of streams there is nothing to read back", equivalence_of_streams, leave, Verdict::pass,
         "stream and driver are both PASS"},
        {"of streams, and the control lives", equivalence_of_streams,
         [](Cell& c) {
             c.other_form->control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
         },
         Verdict::vacuous, "stream: PASS; driver: VACUOUS (control not violated: 0 of 2000 trials)"},
        {"a stream beside a graph", equivalence_cell, [](Cell& c) { c.other_form = never_form(Route::stream); },
         Verdict::vacuous, "the two forms were not built with the same dependencies"},
        {"nothing was read back", equivalence_cell, [](Cell& c) { c.form.program.structure.read_back = false; },
         Verdict::vacuous, "the plan was not read back from the driver"},
        {"the other form was not read back", equivalence_cell,
         [](Cell& c) { c.other_form->program.structure.read_back = false; }, Verdict::vacuous,
         "captured: PASS; edges: VACUOUS (the plan was not read back from the driver)"},
        {"each form as documented, and the two documented differently", equivalence_cell,
         [](Cell& c) { c.other_form->program.structure = plan_of("primary -> secondary: type full, port full"); },
         Verdict::vacuous, "the two forms were not built with the same dependencies"},
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
         "captured: NOT OBSERVED (0 of 2000 trials); edges: OBSERVED (40 of 2000 trials, 0 of 2000 trials of the "
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
