// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/claim.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <cmath>

namespace pdlcts {

// ---- sentences ---------------------------------------------------------------------------------------------------

std::string of_trials(std::uint64_t count, std::uint64_t trials) {
    return concat(count, " of ", trials, " trials");
}

std::string some_of(const std::vector<std::string>& outcomes) {
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(outcomes.size(), shown); ++i) {
        text += (i == 0 ? "" : ", ") + outcomes[i];
    }
    return outcomes.size() > shown ? text + ", ..." : text;
}

namespace {

std::string join(const std::vector<std::string>& texts) {
    std::string joined;
    for (const std::string& text : texts) {
        joined += (joined.empty() ? "" : "; ") + text;
    }
    return joined;
}

} // namespace

std::string both_plans(const Structure& structure) {
    return concat("built [", join(structure.built), "], documented [", join(structure.expected), "]");
}

std::string seen(const Cell& cell, const FormReading& form) {
    if (cell.claim.never.empty() && cell.claim.sometimes.empty()) {
        return "no deadline was missed";
    }
    const char* what = cell.claim.never.empty() ? "occurrences" : "violations";
    std::string text = concat(form.program.counts.violations, " ", what, " in ", form.program.counts.trials, " trials");
    if (form.control) {
        text += concat(", ", form.control->counts.violations, " in ", form.control->counts.trials, " of the control");
    }
    return text;
}

// ---- a form, judged alone ----------------------------------------------------------------------------------------

bool undocumented(const ObservationReading& reading) {
    return !reading.observation->structure.undocumented.empty();
}

bool built_otherwise(const ObservationReading& reading) {
    const Structure& structure = reading.observation->structure;
    return structure.read_back && structure.undocumented.empty() && structure.expected != structure.built;
}

std::optional<Finding> judge_incident(Incident incident, const std::string& detail, std::string_view holds) {
    switch (incident) {
    case Incident::none:
        return std::nullopt;
    case Incident::timeout:
        return Finding{Verdict::timeout, detail};
    case Incident::crash:
        return Finding{Verdict::crash, detail};
    case Incident::device_error:
        return Finding{Verdict::device_error, detail};
    case Incident::harness_error:
        return Finding{Verdict::harness_error, detail};
    case Incident::missing:
        return Finding{Verdict::missing, detail};
    case Incident::not_supported:
        if (!holds.empty()) {
            return Finding{Verdict::harness_error, concat("the cell says that nothing could run, and holds ", holds)};
        }
        return Finding{Verdict::not_supported, detail};
    }
    return Finding{Verdict::harness_error, "an incident that this version does not know"};
}

bool judged(const Cell& cell) {
    return cell.strength != Strength::unspecified && cell.basis != Basis::inferred;
}

std::optional<Finding> failed(const Cell& cell, const FormReading& form) {
    const bool in_instance = form.program.counts.violations == 0 && form.instances;
    const ObservationReading& program = in_instance ? *form.instances : form.program;
    if (!judged(cell) || cell.claim.never.empty() || program.counts.violations == 0 || undocumented(program) ||
        built_otherwise(program)) {
        return std::nullopt;
    }
    std::string reason =
        concat(program.counts.violations, " of ", program.counts.trials, in_instance ? " instances" : " trials",
               " violate the claim: ", some_of(program.violating));
    const auto explained = [&](const std::string& outcome) {
        return std::find(program.unexplained.begin(), program.unexplained.end(), outcome) == program.unexplained.end();
    };
    if (program.observation->decided && std::any_of(program.violating.begin(), program.violating.end(), explained)) {
        reason += "; the abstract machine allows this, so the claim asks for more than the specification does";
    }
    return Finding{Verdict::fail, reason};
}

namespace {

bool undecided(const FormReading& form) {
    return !form.program.observation->decided || (form.control && !form.control->observation->decided);
}

constexpr const char* undecided_reason = "the abstract machine could not decide what is allowed";

/// A graph can be read back, so one that was not is a graph of which nobody knows what it was.
bool not_read_back(const FormReading& form) {
    return launches_graph(form.route) && (!form.program.observation->structure.read_back ||
                                          (form.control && !form.control->observation->structure.read_back));
}

constexpr const char* not_read_back_reason = "the plan was not read back from the driver";

constexpr std::uint64_t fewest_shown = 21;

/// What one of the two has to show so that the other one's silence means something: were both alike, the chance that
/// the silent one missed it is below 1e-9. That takes 21 in runs equally long, more where the silent one was armed less
/// often.
std::uint64_t needed_beside(const Counts& showing, const Counts& silent, const Thresholds& thresholds) {
    const std::uint64_t least = std::max(fewest_shown, thresholds.control_violations);
    if (silent.armed == 0 || silent.armed >= showing.armed) {
        return least;
    }
    const double times = static_cast<double>(showing.armed) / static_cast<double>(silent.armed);
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(least) * times));
}

/// `never`: PASS needs a control that shows what the program does not, and enough armed trials of both.
Finding judge_never(const Cell& cell, const FormReading& form) {
    const std::uint64_t trials_needed =
        std::max<std::uint64_t>(cell.thresholds.quick ? 100 : 1000, cell.thresholds.program_trials);

    std::vector<std::string> lacks;
    if (undecided(form)) {
        lacks.emplace_back(undecided_reason);
    }
    const Counts& program = form.program.counts;
    if (program.trials < trials_needed) {
        lacks.push_back(concat("too few trials: ", program.trials, ", ", trials_needed, " needed"));
    } else if (program.armed < trials_needed) {
        lacks.push_back(
            concat("not armed: ", of_trials(program.armed, program.trials), " armed, ", trials_needed, " needed"));
    }
    if (!form.control) {
        lacks.emplace_back("no control, so nothing shows that a violation would be seen");
        return {Verdict::vacuous, join(lacks)};
    }
    const Counts& control = form.control->counts;
    // Beside a program that was hardly armed the number would only grow beyond sense.
    const bool comparable = program.armed >= trials_needed;
    const std::uint64_t violations_needed = needed_beside(control, comparable ? program : control, cell.thresholds);
    if (control.armed_violations < violations_needed) {
        if (control.armed == 0) {
            lacks.push_back(concat("control not armed: ", of_trials(0, control.trials)));
        } else if (control.armed_violations == 0) {
            lacks.push_back(concat("control not violated: ", of_trials(0, control.trials)));
        } else {
            lacks.push_back(concat("control violated too rarely: ", of_trials(control.armed_violations, control.trials),
                                   " armed, ", violations_needed, " needed"));
        }
    }
    if (!lacks.empty()) {
        return {Verdict::vacuous, join(lacks)};
    }
    // No control can hang, so of termination there is only what was seen.
    return {Verdict::pass,
            cell.claim.ends ? "no trial missed its deadline, though no control shows that one would" : ""};
}

/// `sometimes`: occurrences show their cause only where they were armed, and where the control, armed too and without
/// that cause, shows none. The control's silence means something only beside so many of them that chance cannot explain
/// it: of an effect as rare as one in a thousand trials it says nothing.
Finding judge_sometimes(const Cell& cell, const FormReading& form) {
    const Counts& program = form.program.counts;
    const std::string seen_in_program = of_trials(program.violations, program.trials);
    if (!form.control) {
        return {Verdict::recorded, seen_in_program + "; no control, so no cause is shown"};
    }
    const Counts& control = form.control->counts;
    const std::string seen_in_control = of_trials(control.violations, control.trials);
    const std::string doubt = undecided(form) ? concat("; ", undecided_reason) : "";
    if (program.violations == 0) {
        return {Verdict::not_observed, seen_in_program + doubt};
    }
    if (program.armed_violations == 0) {
        return {Verdict::not_observed, concat(seen_in_program, ", none of them armed, so it has another cause", doubt)};
    }
    if (control.violations > 0) {
        return {Verdict::not_observed, concat(seen_in_program, ", but the control shows it too (", seen_in_control,
                                              "), so it has another cause", doubt)};
    }
    if (control.armed == 0) {
        return {Verdict::not_observed, concat(seen_in_program, ", but the control was never armed (",
                                              of_trials(0, control.trials), "), so no cause is shown", doubt)};
    }
    if (const std::uint64_t needed = needed_beside(program, control, cell.thresholds);
        program.armed_violations < needed) {
        return {Verdict::not_observed,
                concat("too rarely: ", of_trials(program.armed_violations, program.trials), " armed, ", needed,
                       " needed before the control's silence shows a cause", doubt)};
    }
    return {Verdict::observed, concat(seen_in_program, ", ", seen_in_control, " of the control", doubt)};
}

} // namespace

Finding judge_form(const Cell& cell, const FormReading& form) {
    if (std::optional<Finding> failure = failed(cell, form)) {
        return *failure;
    }
    if (built_otherwise(form.program)) {
        return {Verdict::recorded, concat("the driver built another plan than documented: ",
                                          both_plans(form.program.observation->structure), "; ", seen(cell, form))};
    }
    if (form.control && built_otherwise(*form.control)) {
        return {Verdict::recorded, concat("the driver built another plan of the control than documented: ",
                                          both_plans(form.control->observation->structure), "; ", seen(cell, form))};
    }
    if (not_read_back(form)) {
        return {Verdict::vacuous, not_read_back_reason};
    }
    if (!cell.claim.never.empty()) {
        return judge_never(cell, form);
    }
    if (!cell.claim.sometimes.empty()) {
        return judge_sometimes(cell, form);
    }
    return {Verdict::vacuous, "no deadline was missed, but no control can hang, so nothing shows that one would be"};
}

// ---- an equivalence: two forms, one behaviour ---------------------------------------------------------------------

namespace {

std::string with_reason(const FormReading& form, const Finding& finding) {
    return finding.reason.empty() ? concat(name(form.route), ": ", name(finding.verdict))
                                  : concat(name(form.route), ": ", name(finding.verdict), " (", finding.reason, ")");
}

} // namespace

Finding judge_equivalence(const Cell& cell, const FormReading& form, const FormReading& other) {
    if (!form.control) {
        return {Verdict::vacuous, "no control, the form that must differ"};
    }
    const Structure& built = form.program.observation->structure;
    const Structure& differing = form.control->observation->structure;
    // Of streams there is no plan to read back: there the verdicts alone say that the forms are alike, and that the
    // control, which each of them has to kill, is not.
    const bool of_graphs = launches_graph(form.route) || launches_graph(other.route);
    if (of_graphs && (!built.read_back || !differing.read_back)) {
        return {Verdict::vacuous, not_read_back_reason};
    }
    if (of_graphs && built.built == differing.built) {
        return {Verdict::vacuous, "the driver built the same plan for the control, which must differ"};
    }
    const Finding one = judge_form(cell, form);
    const Finding two = judge_form(cell, other);
    const bool shown = one.verdict == Verdict::pass || one.verdict == Verdict::observed;
    if (one.verdict == two.verdict && shown) {
        if (of_graphs && built.built != other.program.observation->structure.built) {
            return {Verdict::vacuous, "the two forms were not built with the same dependencies"};
        }
        return {Verdict::pass, concat(name(form.route), " and ", name(other.route), " are both ", name(one.verdict))};
    }
    return {Verdict::vacuous, concat(with_reason(form, one), "; ", with_reason(other, two))};
}

} // namespace pdlcts
