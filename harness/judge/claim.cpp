// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/claim.hpp"

#include "conformance/litmus/printer.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pdlcts {

// ---- sentences ---------------------------------------------------------------------------------------------------

std::string of_trials(std::uint64_t count, std::uint64_t trials) {
    return fmt::format("{} of {} trials", count, trials);
}

std::string some_of(const std::vector<std::string>& outcomes) {
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(outcomes.size(), shown); ++i) {
        text += (i == 0 ? "" : ", ") + outcomes[i];
    }
    return outcomes.size() > shown ? text + ", ..." : text;
}

std::string both_plans(const Structure& structure) {
    return fmt::format("built [{}], documented [{}]", fmt::join(structure.built, "; "),
                       fmt::join(structure.expected, "; "));
}

std::string seen(const Cell& cell, const FormReading& form) {
    if (cell.claim.never.empty() && cell.claim.sometimes.empty()) {
        return "no deadline was missed";
    }
    const char* what = cell.claim.never.empty() ? "occurrences" : "violations";
    std::string text =
        fmt::format("{} {} in {} trials", form.program.counts.violations, what, form.program.counts.trials);
    if (form.control) {
        text += fmt::format(", {} in {} of the control", form.control->counts.violations, form.control->counts.trials);
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

bool judged(const Cell& cell) {
    return cell.strength != Strength::unspecified && cell.basis != Basis::inferred;
}

std::optional<Finding> failed(const Cell& cell, const FormReading& form) {
    const ObservationReading& program = form.program;
    if (!judged(cell) || cell.claim.never.empty() || program.counts.violations == 0 || undocumented(program) ||
        built_otherwise(program)) {
        return std::nullopt;
    }
    std::string reason =
        fmt::format("{} violate the claim: {}", of_trials(program.counts.violations, program.counts.trials),
                    some_of(program.violating));
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

/// `never`: PASS needs a control that shows what the program does not, and enough armed trials of both.
Finding judge_never(const Cell& cell, const FormReading& form) {
    const Thresholds least{.control_violations = 21,
                           .program_trials = cell.thresholds.quick ? 100u : 1000u,
                           .quick = cell.thresholds.quick};
    const std::uint64_t violations_needed = std::max(least.control_violations, cell.thresholds.control_violations);
    const std::uint64_t trials_needed = std::max(least.program_trials, cell.thresholds.program_trials);

    std::vector<std::string> lacks;
    if (undecided(form)) {
        lacks.emplace_back(undecided_reason);
    }
    const Counts& program = form.program.counts;
    if (program.trials < trials_needed) {
        lacks.push_back(fmt::format("too few trials: {}, {} needed", program.trials, trials_needed));
    } else if (program.armed < trials_needed) {
        lacks.push_back(
            fmt::format("not armed: {} armed, {} needed", of_trials(program.armed, program.trials), trials_needed));
    }
    if (!form.control) {
        lacks.emplace_back("no control, so nothing shows that a violation would be seen");
    } else if (const Counts& control = form.control->counts; control.armed_violations < violations_needed) {
        if (control.armed == 0) {
            lacks.push_back(fmt::format("control not armed: {}", of_trials(0, control.trials)));
        } else if (control.armed_violations == 0) {
            lacks.push_back(fmt::format("control not violated: {}", of_trials(0, control.trials)));
        } else {
            lacks.push_back(fmt::format("control violated too rarely: {} armed, {} needed",
                                        of_trials(control.armed_violations, control.trials), violations_needed));
        }
    }
    if (!lacks.empty()) {
        return {Verdict::vacuous, fmt::format("{}", fmt::join(lacks, "; "))};
    }
    return {Verdict::pass, ""};
}

/// `sometimes`: an occurrence shows its cause only where the control, without that cause, shows none.
Finding judge_sometimes(const FormReading& form) {
    const Counts& program = form.program.counts;
    const std::string seen_in_program = of_trials(program.violations, program.trials);
    if (!form.control) {
        return {Verdict::recorded, seen_in_program + "; no control, so no cause is shown"};
    }
    const Counts& control = form.control->counts;
    const std::string seen_in_control = of_trials(control.violations, control.trials);
    const std::string doubt = undecided(form) ? fmt::format("; {}", undecided_reason) : "";
    if (program.violations == 0) {
        return {Verdict::not_observed, seen_in_program + doubt};
    }
    if (control.violations > 0) {
        return {Verdict::not_observed, fmt::format("{}, but the control shows it too ({}), so it has another cause{}",
                                                   seen_in_program, seen_in_control, doubt)};
    }
    return {Verdict::observed, fmt::format("{}, {} of the control{}", seen_in_program, seen_in_control, doubt)};
}

} // namespace

Finding judge_form(const Cell& cell, const FormReading& form) {
    if (std::optional<Finding> failure = failed(cell, form)) {
        return *failure;
    }
    if (built_otherwise(form.program)) {
        return {Verdict::recorded, fmt::format("the driver built another plan than documented: {}; {}",
                                               both_plans(form.program.observation->structure), seen(cell, form))};
    }
    if (form.control && built_otherwise(*form.control)) {
        return {Verdict::recorded, fmt::format("the driver built another plan of the control than documented: {}; {}",
                                               both_plans(form.control->observation->structure), seen(cell, form))};
    }
    if (!cell.claim.never.empty()) {
        return judge_never(cell, form);
    }
    if (!cell.claim.sometimes.empty()) {
        return judge_sometimes(form);
    }
    return {Verdict::vacuous, "no deadline was missed, but no control can hang, so nothing shows that one would be"};
}

// ---- an equivalence: two forms, one behaviour ---------------------------------------------------------------------

namespace {

std::string with_reason(const FormReading& form, const Finding& finding) {
    return finding.reason.empty() ? fmt::format("{}: {}", name(form.route), name(finding.verdict))
                                  : fmt::format("{}: {} ({})", name(form.route), name(finding.verdict), finding.reason);
}

} // namespace

Finding judge_equivalence(const Cell& cell, const FormReading& form, const FormReading& other) {
    if (!form.control) {
        return {Verdict::vacuous, "no control, the form that must differ"};
    }
    const Structure& built = form.program.observation->structure;
    const Structure& differing = form.control->observation->structure;
    if (!built.read_back || !differing.read_back) {
        return {Verdict::vacuous, "the plan was not read back from the driver"};
    }
    if (built.built == differing.built) {
        return {Verdict::vacuous, "the driver built the same plan for the control, which must differ"};
    }
    const Finding one = judge_form(cell, form);
    const Finding two = judge_form(cell, other);
    const bool shown = one.verdict == Verdict::pass || one.verdict == Verdict::observed;
    if (one.verdict == two.verdict && shown) {
        return {Verdict::pass,
                fmt::format("{} and {} are both {}", name(form.route), name(other.route), name(one.verdict))};
    }
    return {Verdict::vacuous, fmt::format("{}; {}", with_reason(form, one), with_reason(other, two))};
}

} // namespace pdlcts
