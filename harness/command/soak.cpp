// SPDX-License-Identifier: Apache-2.0
#include "harness/command/soak.hpp"

#include "conformance/support/concat.hpp"
#include "harness/judge/judge.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

void add(Tally& sum, const Tally& tally) {
    for (const auto& [outcome, count] : tally.outcomes) {
        sum.outcomes[outcome] += count;
    }
    sum.unwritten += tally.unwritten;
}

void add(RunTime& sum, const RunTime& time) {
    sum.seconds += time.seconds;
    sum.launch_seconds += time.launch_seconds;
}

void add(Observation& sum, const Observation& observation) {
    add(sum.tally, observation.tally);
    for (const auto& [variation, tally] : observation.variations) {
        add(sum.variations[variation], tally);
    }
}

/// What has to be the same for counts to be of the same thing; empty where it is.
std::string_view differs(const Observation& first, const Observation& later) {
    return first.structure != later.structure                                 ? "other dependencies"
           : first.allowed != later.allowed || first.decided != later.decided ? "other allowed outcomes"
                                                                              : "";
}

std::string_view differs(const Form& first, const Form& later) {
    if (first.route != later.route || first.control.has_value() != later.control.has_value() ||
        first.instances.has_value() != later.instances.has_value() || first.second_gpu != later.second_gpu) {
        return "another form";
    }
    const std::string_view program = differs(first.program, later.program);
    return program.empty() && first.control ? differs(*first.control, *later.control) : program;
}

std::string_view differs(const Cell& first, const Cell& later) {
    if (first.case_id != later.case_id || first.claim != later.claim || first.thresholds != later.thresholds) {
        return "another case";
    }
    if (first.image != later.image || first.digest != later.digest) {
        return "other code";
    }
    if (first.other_form.has_value() != later.other_form.has_value()) {
        return "another form";
    }
    const std::string_view form = differs(first.form, later.form);
    return form.empty() && first.other_form ? differs(*first.other_form, *later.other_form) : form;
}

/// Windows and branches stay those of the first round: what stands there is how its trials ran.
void add(Form& sum, const Form& form) {
    add(sum.program, form.program);
    if (sum.control && form.control) {
        add(*sum.control, *form.control);
    }
    if (sum.time && form.time) {
        add(*sum.time, *form.time);
    }
    if (sum.instances && form.instances) {
        sum.instances->launches += form.instances->launches;
        add(sum.instances->program, form.instances->program);
        if (sum.instances->control && form.instances->control) {
            add(*sum.instances->control, *form.instances->control);
        }
        add(sum.instances->time, form.instances->time);
    }
}

} // namespace

void add_round(Cell& cell, const Cell& round) {
    const std::uint64_t rounds = cell.rounds.value_or(1) + 1;
    cell.rounds = rounds;
    if (round.incident != Incident::none) {
        cell.incident = round.incident;
        cell.incident_detail = concat("in round ", rounds, ": ", round.incident_detail);
        // What it had shown before that counts against a claim like anything else.
        if (round.case_id == cell.case_id && differs(cell.form, round.form).empty()) {
            add(cell.form, round.form);
        }
        return;
    }
    if (const std::string_view difference = differs(cell, round); !difference.empty()) {
        cell.incident = Incident::harness_error;
        cell.incident_detail = concat("round ", rounds, " is of ", difference, " than those before it");
        return;
    }
    add(cell.form, round.form);
    if (cell.other_form && round.other_form) {
        add(*cell.other_form, *round.other_form);
    }
}

std::optional<std::uint64_t> evidence_weight(const Cell& cell) {
    if (cell.incident != Incident::none || cell.form.program.tally.trials() == 0) {
        return std::nullopt;
    }
    const Judgement judgement = judge(cell);
    switch (judgement.verdict) {
    case Verdict::pass:
        return judgement.armed;
    case Verdict::vacuous:
        // One that is never armed would take all the time, and stay what it is.
        return std::max(judgement.armed, judgement.trials) / 2;
    case Verdict::observed:
    case Verdict::not_observed:
        return judgement.trials;
    default:
        return std::nullopt;
    }
}

std::optional<std::size_t> weakest(std::span<const Cell> cells) {
    std::optional<std::size_t> found;
    std::uint64_t least = enough_trials;
    for (std::size_t index = 0; index < cells.size(); ++index) {
        if (const auto weight = evidence_weight(cells[index]); weight && *weight < least) {
            least = *weight;
            found = index;
        }
    }
    return found;
}

} // namespace pdlcts
