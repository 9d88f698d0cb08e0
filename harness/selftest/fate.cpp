// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/fate.hpp"

#include "conformance/support/concat.hpp"

namespace pdlcts {
namespace {

void replace(Observation& observation, const SeenProgram& seen) {
    observation.tally = seen.tally;
    observation.variations.clear();
    observation.structure.built = seen.built;
    observation.structure.read_back = seen.read_back;
}

void replace(Form& form, const SeenForm& seen) {
    form.windows.clear();
    replace(form.program, seen.program);
    if (!seen.control) {
        form.control.reset();
    } else if (form.control) {
        replace(*form.control, *seen.control);
    }
}

void hide_plan(SeenForm& seen, const Form& sound) {
    if (seen.program.read_back) {
        seen.program.built = sound.program.structure.built;
    }
    if (seen.control && seen.control->read_back && sound.control) {
        seen.control->built = sound.control->structure.built;
    }
}

SeenMutant with_hidden_plan(SeenMutant seen, const Cell& sound) {
    hide_plan(seen.form, sound.form);
    if (seen.other_form && sound.other_form) {
        hide_plan(*seen.other_form, *sound.other_form);
    }
    return seen;
}

bool stops(Verdict verdict) {
    switch (verdict) {
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::missing:
        return true;
    default:
        return false;
    }
}

bool takes_away(Verdict sound, Verdict mutated) {
    switch (mutated) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::vacuous:
    case Verdict::harness_error:
        return true;
    case Verdict::not_observed:
        return sound == Verdict::observed;
    default:
        return false;
    }
}

} // namespace

std::string_view name(Fate fate) {
    switch (fate) {
    case Fate::noticed:
        return "noticed";
    case Fate::equivalent:
        return "equivalent";
    case Fate::hidden:
        return "hidden";
    case Fate::survived:
        return "survived";
    case Fate::not_run:
        return "not_run";
    case Fate::stopped:
        return "stopped";
    }
    return "";
}

bool can_be_mutated(Verdict sound) {
    return sound == Verdict::pass || sound == Verdict::observed;
}

Cell with_seen(const Cell& sound, const SeenMutant& seen) {
    Cell cell = sound;
    replace(cell.form, seen.form);
    if (!seen.other_form) {
        cell.other_form.reset();
    } else if (cell.other_form) {
        replace(*cell.other_form, *seen.other_form);
    }
    cell.incident = seen.incident;
    cell.incident_detail = seen.incident_detail;
    return cell;
}

MutantJudgement judge_mutant(const Cell& sound, const SeenMutant& seen, const Mutant& mutant) {
    const Verdict sound_verdict = judge(sound).verdict;
    const Verdict told_the_plan = judge(with_seen(sound, seen)).verdict;
    const Judgement judgement = judge(with_seen(sound, with_hidden_plan(seen, sound)));
    MutantJudgement result{Fate::survived, judgement.verdict, judgement.reason};
    if (judgement.verdict == Verdict::not_supported) {
        result.fate = Fate::not_run;
    } else if (stops(judgement.verdict) || stops(told_the_plan)) {
        result.fate = Fate::stopped;
    } else if (takes_away(sound_verdict, judgement.verdict) && !can_be_mutated(told_the_plan)) {
        result.fate = Fate::noticed;
    } else if (mutant.touches == Touches::memory_order) {
        result.fate = Fate::hidden;
    } else if (mutant.touches == Touches::patience && !sound.claim.sometimes.empty()) {
        result.fate = Fate::equivalent;
        result.reason = concat("what is seen without patience is seen: ", judgement.reason);
    }
    return result;
}

} // namespace pdlcts
