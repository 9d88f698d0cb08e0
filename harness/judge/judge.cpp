// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/judge.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/concat.hpp"
#include "harness/judge/claim.hpp"

#include <algorithm>
#include <cmath>

namespace pdlcts {
namespace {

/// A cell, read.
struct Evidence {
    const Cell& cell;
    Conditions conditions;
    FormReading form;
    std::optional<FormReading> other;

    std::vector<const FormReading*> forms() const { return other ? std::vector{&form, &*other} : std::vector{&form}; }
    std::vector<const ObservationReading*> observations() const {
        std::vector<const ObservationReading*> all;
        for (const FormReading* each : forms()) {
            all.push_back(&each->program);
            for (const auto* reading : {&each->control, &each->instances, &each->control_instances}) {
                if (*reading) {
                    all.push_back(&**reading);
                }
            }
        }
        return all;
    }
};

bool has_trials(const Evidence& evidence) {
    const std::vector<const ObservationReading*> all = evidence.observations();
    return std::any_of(all.begin(), all.end(),
                       [](const ObservationReading* reading) { return reading->counts.trials > 0; });
}

// ---- the rules, in order: the first that speaks decides -----------------------------------------------------------

std::optional<Finding> violation(const Evidence& evidence) {
    for (const FormReading* form : evidence.forms()) {
        if (std::optional<Finding> failure = failed(evidence.cell, *form)) {
            if (evidence.other) {
                failure->reason = concat(name(form->route), ": ", failure->reason);
            }
            return failure;
        }
    }
    return std::nullopt;
}

std::optional<Finding> incident(const Evidence& evidence) {
    const Cell& cell = evidence.cell;
    if (cell.incident == Incident::timeout && cell.claim.ends && judged(cell) && !undocumented(evidence.form.program)) {
        const char* separator = cell.incident_detail.empty() ? "" : ": ";
        return Finding{Verdict::fail, concat("a deadline was missed", separator, cell.incident_detail)};
    }
    return judge_incident(cell.incident, cell.incident_detail, has_trials(evidence) ? "trials" : "");
}

std::optional<Finding> machine_answer(const Evidence& evidence) {
    const std::optional<MachineAnswer>& machine = evidence.cell.machine;
    if (!machine) {
        return std::nullopt;
    }
    if (has_trials(evidence)) {
        return Finding{Verdict::harness_error, "the cell holds both a machine's answer and trials of a device"};
    }
    switch (machine->kind) {
    case MachineAnswer::Kind::proved:
        return Finding{Verdict::proved, machine->reason};
    case MachineAnswer::Kind::refuted:
        return Finding{Verdict::refuted, machine->reason};
    case MachineAnswer::Kind::not_decided:
        break;
    }
    return Finding{Verdict::not_decided, machine->reason};
}

/// What an equivalence says of the plan itself needs no trial: the read-back decides.
std::optional<Finding> other_plan(const Evidence& evidence) {
    if (evidence.cell.strength != Strength::equivalence || !judged(evidence.cell)) {
        return std::nullopt;
    }
    if (built_otherwise(evidence.form.program)) {
        return Finding{Verdict::fail, "the driver built another plan than documented: " +
                                          both_plans(evidence.form.program.observation->structure)};
    }
    if (evidence.form.control && built_otherwise(*evidence.form.control)) {
        return Finding{Verdict::fail, "the driver built another plan of the control than documented: " +
                                          both_plans(evidence.form.control->observation->structure)};
    }
    return std::nullopt;
}

std::optional<Finding> harness_error(const Evidence& evidence) {
    if (!evidence.conditions.problem.empty()) {
        return Finding{Verdict::harness_error, evidence.conditions.problem};
    }
    const std::string& image = evidence.cell.image;
    if ((image.empty() || image == "machine") && has_trials(evidence)) {
        return Finding{Verdict::harness_error, "the cell holds trials, and no image that a device ran"};
    }
    for (const ObservationReading* reading : evidence.observations()) {
        if (reading->tally->unwritten > 0) {
            return Finding{Verdict::harness_error, "a register was never written in " +
                                                       of_trials(reading->tally->unwritten, reading->counts.trials)};
        }
        if (!reading->problem.empty()) {
            return Finding{Verdict::harness_error, reading->problem};
        }
    }
    for (const FormReading* form : evidence.forms()) {
        if (!launches_graph(form->route) && (form->program.observation->structure.read_back ||
                                             (form->control && form->control->observation->structure.read_back))) {
            return Finding{Verdict::harness_error, "a plan was read back from a stream, which has none to read"};
        }
    }
    if (evidence.other && evidence.cell.strength != Strength::equivalence) {
        return Finding{Verdict::harness_error, "a second form beside a statement that is no equivalence"};
    }
    if (evidence.other && evidence.other->route == evidence.form.route) {
        return Finding{Verdict::harness_error,
                       "both forms of the equivalence are " + std::string(name(evidence.form.route))};
    }
    return std::nullopt;
}

std::optional<Finding> unexplained(const Evidence& evidence) {
    for (const FormReading* form : evidence.forms()) {
        const std::string where = evidence.other ? concat(" (", name(form->route), ")") : "";
        const auto look = [&](const ObservationReading& reading, const char* of) -> std::optional<Finding> {
            if (reading.unexplained.empty()) {
                return std::nullopt;
            }
            return Finding{Verdict::unexplained,
                           concat("the abstract machine does not allow ", some_of(reading.unexplained), of, where)};
        };
        if (const auto finding = look(form->program, "")) {
            return finding;
        }
        for (const auto& [reading, of] : {std::pair{&form->control, " of the control"},
                                          {&form->instances, " of an instance"},
                                          {&form->control_instances, " of an instance of the control"}}) {
            if (const auto finding = *reading ? look(**reading, of) : std::nullopt) {
                return finding;
            }
        }
    }
    return std::nullopt;
}

std::optional<Finding> missing(const Evidence& evidence) {
    if (evidence.cell.strength == Strength::equivalence && !evidence.other) {
        return Finding{Verdict::missing, "the other form was not run"};
    }
    for (const FormReading* form : evidence.forms()) {
        const std::string where = evidence.other ? concat(" (", name(form->route), ")") : "";
        if (form->program.counts.trials == 0) {
            return Finding{Verdict::missing, "no trial was run" + where};
        }
        if (form->control && form->control->counts.trials == 0) {
            return Finding{Verdict::missing, "no trial of the control was run" + where};
        }
    }
    return std::nullopt;
}

std::optional<Finding> recorded(const Evidence& evidence) {
    std::string why;
    if (evidence.cell.strength == Strength::unspecified) {
        why = "unspecified";
    } else if (evidence.cell.basis == Basis::inferred) {
        why = "inferred, no document states it";
    } else {
        for (const ObservationReading* reading : evidence.observations()) {
            if (undocumented(*reading)) {
                why = "undocumented: " + reading->observation->structure.undocumented.front();
                break;
            }
        }
    }
    for (const FormReading* form : evidence.forms()) {
        if (why.empty() && form->one_gpu_as_two) {
            why = "the first GPU stood in for the second, which shows nothing of two GPUs";
        }
    }
    if (why.empty()) {
        return std::nullopt;
    }
    return Finding{Verdict::recorded, concat(seen(evidence.cell, evidence.form), "; ", why)};
}

Finding claim(const Evidence& evidence) {
    return evidence.cell.strength == Strength::equivalence
               ? judge_equivalence(evidence.cell, evidence.form, *evidence.other)
               : judge_form(evidence.cell, evidence.form);
}

Finding decide(const Evidence& evidence) {
    for (const auto rule :
         {violation, incident, machine_answer, other_plan, harness_error, unexplained, missing, recorded}) {
        if (std::optional<Finding> finding = rule(evidence)) {
            return *finding;
        }
    }
    return claim(evidence);
}

/// A PASS says what it does not say by itself: that the statement is derived, that the run was quick.
void mark_pass(const Cell& cell, Finding& finding) {
    if (finding.verdict != Verdict::pass) {
        return;
    }
    for (const char* mark : {cell.basis == Basis::derived ? "derived" : "", cell.thresholds.quick ? "quick" : ""}) {
        if (*mark != '\0') {
            finding.reason += (finding.reason.empty() ? "" : ", ") + std::string(mark);
        }
    }
}

/// Of what ran in the cell's place before it. The first that speaks decides; what the cell itself violates stands in
/// front of them all.
std::optional<Finding> earlier(const Cell& cell, const Finding& own) {
    if (cell.tries.empty() || own.verdict == Verdict::fail) {
        return std::nullopt;
    }
    std::optional<Finding> worst;
    for (std::size_t index = 0; index < cell.tries.size(); ++index) {
        const Cell& tried = cell.tries[index];
        const Judgement judgement = judge(tried);
        const std::string which = concat("try ", index + 1, " of ", cell.tries.size() + 1);
        if (judgement.verdict == Verdict::fail || judgement.verdict == Verdict::unexplained) {
            const bool outranks = !worst || judgement.verdict < worst->verdict;
            worst = outranks ? Finding{judgement.verdict, concat(which, ": ", judgement.reason)} : worst;
        } else if (!worst && (judgement.verdict != Verdict::vacuous || !tried.tries.empty())) {
            worst = Finding{Verdict::harness_error, concat(which, " was ", name(judgement.verdict),
                                                           ": only a VACUOUS cell may be tried again")};
        } else if (!worst && (tried.case_id != cell.case_id || tried.claim != cell.claim ||
                              tried.thresholds != cell.thresholds || tried.form.route != cell.form.route)) {
            worst = Finding{Verdict::harness_error, which + " was of another cell"};
        }
    }
    return worst;
}

} // namespace

Judgement judge(const Cell& cell) {
    Evidence evidence{cell, read_conditions(cell.claim), {}, std::nullopt};
    evidence.form = read_form(cell.form, evidence.conditions);
    if (cell.other_form) {
        evidence.other = read_form(*cell.other_form, evidence.conditions);
    }
    Finding finding = decide(evidence);
    mark_pass(cell, finding);
    if (const auto found = earlier(cell, finding)) {
        finding = *found;
    } else if (!cell.tries.empty()) {
        finding.reason += concat(finding.reason.empty() ? "" : ", ", "tried ", cell.tries.size() + 1, " times");
    }
    if (finding.verdict == Verdict::vacuous && !cell.interference.empty()) {
        finding.reason += concat(finding.reason.empty() ? "" : "; ", cell.interference);
    }

    Judgement judgement;
    judgement.verdict = finding.verdict;
    judgement.reason = cut_reason(std::move(finding.reason));
    const Counts& program = evidence.form.program.counts;
    judgement.trials = program.trials;
    judgement.armed = program.armed;
    judgement.violations = program.violations;
    if (evidence.form.control) {
        const Counts& control = evidence.form.control->counts;
        judgement.control_trials = control.trials;
        judgement.control_armed = control.armed;
        judgement.control_violations = control.violations;
        judgement.control_armed_violations = control.armed_violations;
    }
    if (!cell.claim.never.empty() && evidence.conditions.violation && program.violations == 0 && program.armed > 0) {
        judgement.upper_bound = -std::expm1(std::log(0.05) / static_cast<double>(program.armed));
    }
    return judgement;
}

} // namespace pdlcts
