// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/judge_rows.hpp"

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

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
        {"a control that was armed more often has to be violated more often", never_cell,
         [](Cell& c) {
             // 21 in 2,000: a program of 1,000 armed trials misses such a violation with (1 - 0.0105)^1000 = 3e-5.
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 1000}};
             c.form.control->tally.outcomes = {{"overlapped=1 seen=0", 21}, {"overlapped=1 seen=1", 1979}};
         },
         Verdict::vacuous, "control violated too rarely: 21 of 2000 trials armed, 42 needed"},
        {"a control that was armed more often, and violated as much more", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"overlapped=1 seen=1", 1000}};
             c.form.control->tally.outcomes = {{"overlapped=1 seen=0", 42}, {"overlapped=1 seen=1", 1958}};
         },
         Verdict::pass, ""},
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
        {"never and ends: never decides", never_cell, [](Cell& c) { c.claim.ends = true; }, Verdict::pass,
         "no trial missed its deadline, though no control shows that one would"},
    };
    check_rows(rows);
}

TEST_CASE("sometimes: an occurrence needs a control without one") {
    static const Row rows[] = {
        {"shown", sometimes_cell, leave, Verdict::observed, "40 of 2000 trials, 0 of 2000 trials of the control"},
        {"a guarantee whose only observable is a permitted effect", sometimes_cell,
         [](Cell& c) { c.strength = Strength::guarantee; }, Verdict::observed,
         "40 of 2000 trials, 0 of 2000 trials of the control"},
        {"a requirement that nothing validates", sometimes_cell, [](Cell& c) { c.strength = Strength::requirement; },
         Verdict::observed, "40 of 2000 trials, 0 of 2000 trials of the control"},
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
         "40 of 2000 trials, but the control shows it too (1 of 2001 trials), so it has another cause"},
        {"shown where the situation did not arise", sometimes_cell, [](Cell& c) { c.claim.armed = "seen == 0"; },
         Verdict::not_observed, "40 of 2000 trials, none of them armed, so it has another cause"},
        {"the situation did not arise in the control", sometimes_cell, [](Cell& c) { c.claim.armed = "seen == 1"; },
         Verdict::not_observed,
         "40 of 2000 trials, but the control was never armed (0 of 2000 trials), so no cause is shown"},
        {"one less than enough", sometimes_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"seen=0", 1980}, {"seen=1", 20}};
         },
         Verdict::not_observed,
         "too rarely: 20 of 2000 trials armed, 21 needed before the control's silence shows a cause"},
        {"just enough", sometimes_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"seen=0", 1979}, {"seen=1", 21}};
         },
         Verdict::observed, "21 of 2000 trials, 0 of 2000 trials of the control"},
        {"a control armed half as often has to see twice as many", sometimes_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes = {{"seen=0", 1959}, {"seen=1", 41}};
             c.form.control->tally.outcomes = {{"seen=0", 1000}};
         },
         Verdict::not_observed,
         "too rarely: 41 of 2000 trials armed, 42 needed before the control's silence shows a cause"},
        {"a cell that asks for more gets more", sometimes_cell, [](Cell& c) { c.thresholds.control_violations = 41; },
         Verdict::not_observed,
         "too rarely: 40 of 2000 trials armed, 41 needed before the control's silence shows a cause"},
        {"no control", sometimes_cell, [](Cell& c) { c.form.control.reset(); }, Verdict::recorded,
         "40 of 2000 trials; no control, so no cause is shown"},
        {"an undecided machine is named", sometimes_cell, [](Cell& c) { c.form.program.decided = false; },
         Verdict::observed,
         "40 of 2000 trials, 0 of 2000 trials of the control; the abstract machine could not decide what is allowed"},
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
             c.form.program.tally = {};
             c.form.control->tally = {};
             c.incident = Incident::not_supported;
             c.incident_detail = "needs compute capability 10.0";
         },
         Verdict::not_supported, "needs compute capability 10.0"},
        {"not supported, and run: the one hides the other", never_cell,
         [](Cell& c) {
             c.form.program.tally.outcomes["overlapped=1 seen=other"] = 1;
             c.incident = Incident::not_supported;
         },
         Verdict::harness_error, "the cell says that nothing could run, and holds trials"},
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

TEST_CASE("one GPU that stands in for two shows nothing of two, but what goes wrong on it goes wrong") {
    static const Row rows[] = {
        {"two GPUs", never_cell,
         [](Cell& c) {
             c.form.second_gpu = SecondGpu{"H200", false};
         },
         Verdict::pass, ""},
        {"one", never_cell,
         [](Cell& c) {
             c.form.second_gpu = SecondGpu{"H200", true};
         },
         Verdict::recorded,
         "0 violations in 2000 trials, 1990 in 2000 of the control; the first GPU stood in for the second, which shows "
         "nothing of two GPUs"},
        {"one, where an effect was to be seen", sometimes_cell,
         [](Cell& c) {
             c.form.second_gpu = SecondGpu{"H200", true};
         },
         Verdict::recorded,
         "40 occurrences in 2000 trials, 0 in 2000 of the control; the first GPU stood in for the second, which shows "
         "nothing of two GPUs"},
        {"one, and a violation", never_cell,
         [](Cell& c) {
             violate(c);
             c.form.second_gpu = SecondGpu{"H200", true};
         },
         Verdict::fail, "3 of 2003 trials violate the claim: overlapped=1 seen=0"},
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
