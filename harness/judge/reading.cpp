// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/reading.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/parser.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

/// `what` is the condition's keyword; the first problem is kept.
std::optional<Condition> read_condition(const std::string& text, const char* what, std::string& problem) {
    if (text.empty()) {
        return std::nullopt;
    }
    Result<Condition> condition = parse_condition(text);
    if (condition) {
        return *std::move(condition);
    }
    if (problem.empty()) {
        problem = concat("the claim's `", what, "` does not parse: ", condition.error().message);
    }
    return std::nullopt;
}

/// What the machine allows of a program.
class AllowedOutcomes {
public:
    /// `problem`: where it is empty, and a text does not parse, it becomes that.
    AllowedOutcomes(const std::vector<std::string>& texts, std::string& problem)
        : texts_(texts), sorted_(texts.begin(), texts.end()) {
        std::sort(sorted_.begin(), sorted_.end());
        for (const std::string& text : texts) {
            if (!problem.empty() || is_printed_outcome(text)) {
                continue;
            }
            if (const Result<Outcome> outcome = parse_outcome(text); !outcome) {
                problem = concat("an allowed outcome does not parse: ", outcome.error().message);
            }
        }
    }

    /// Nearly always the texts agree letter by letter, as one printer writes them all. Outcomes themselves are compared
    /// where they do not: `b=1 a=0` means the same as `a=0 b=1`.
    bool contains(const std::string& text, const Outcome& outcome) const {
        return std::binary_search(sorted_.begin(), sorted_.end(), text) || outcomes().contains(outcome);
    }

private:
    const std::vector<std::string>& texts_;
    std::vector<std::string_view> sorted_;
    mutable std::optional<std::set<Outcome>> outcomes_; ///< made when it is asked for

    const std::set<Outcome>& outcomes() const {
        if (!outcomes_) {
            outcomes_.emplace();
            for (const std::string& text : texts_) {
                if (Result<Outcome> outcome = parse_outcome(text)) {
                    outcomes_->insert(*std::move(outcome));
                }
            }
        }
        return *outcomes_;
    }
};

} // namespace

Conditions read_conditions(const ClaimText& claim) {
    Conditions conditions;
    if (claim.never.empty() && claim.sometimes.empty() && !claim.ends) {
        conditions.problem = "the case claims nothing: neither never, sometimes nor ends";
    }
    if (!claim.never.empty() && !claim.sometimes.empty()) {
        conditions.problem = "the case claims both never and sometimes";
    }
    conditions.violation = claim.never.empty() ? read_condition(claim.sometimes, "sometimes", conditions.problem)
                                               : read_condition(claim.never, "never", conditions.problem);
    conditions.armed = read_condition(claim.armed, "armed", conditions.problem);
    conditions.every_trial_armed = claim.armed.empty();
    return conditions;
}

ObservationReading read_observation(const Observation& observation, const Tally& tally, const Conditions& conditions) {
    ObservationReading reading;
    reading.observation = &observation;
    reading.tally = &tally;
    reading.counts.trials = tally.trials();

    const AllowedOutcomes allowed(observation.allowed, reading.problem);
    for (const auto& [text, count] : tally.outcomes) {
        if (count == 0) {
            continue;
        }
        const Result<Outcome> outcome = parse_outcome(text);
        if (!outcome) {
            if (reading.problem.empty()) {
                reading.problem = concat("an outcome does not parse: ", outcome.error().message);
            }
            continue;
        }
        const bool armed = conditions.every_trial_armed || (conditions.armed && matches(*conditions.armed, *outcome));
        const bool violates = conditions.violation && matches(*conditions.violation, *outcome);
        reading.counts.armed += armed ? count : 0;
        reading.counts.violations += violates ? count : 0;
        reading.counts.armed_violations += armed && violates ? count : 0;
        if (violates) {
            reading.violating.push_back(text);
        }
        if (observation.decided && !allowed.contains(text, *outcome)) {
            reading.unexplained.push_back(text);
        }
    }
    return reading;
}

FormReading read_form(const Form& form, const Conditions& conditions) {
    FormReading reading;
    reading.route = form.route;
    reading.one_gpu_as_two = form.second_gpu && form.second_gpu->stood_in_for;
    reading.program = read_observation(form.program, form.program.tally, conditions);
    if (form.control) {
        reading.control = read_observation(*form.control, form.control->tally, conditions);
    }
    if (form.instances) {
        reading.instances = read_observation(form.program, form.instances->program, conditions);
        if (form.control && form.instances->control) {
            reading.control_instances = read_observation(*form.control, *form.instances->control, conditions);
        }
    }
    return reading;
}

ClaimCounter::Match ClaimCounter::match(const std::string& text) {
    const Result<Outcome> outcome = parse_outcome(text);
    if (!outcome) {
        return {};
    }
    if (!conditions_) {
        conditions_ = read_conditions(claim_);
    }
    return {.armed = conditions_->every_trial_armed || (conditions_->armed && matches(*conditions_->armed, *outcome)),
            .violates = conditions_->violation && matches(*conditions_->violation, *outcome)};
}

Counts ClaimCounter::count(const Tally& tally) {
    Counts counts;
    counts.trials = tally.trials();
    for (const auto& [text, count] : tally.outcomes) {
        auto known = known_.find(text);
        if (known == known_.end()) {
            known = known_.emplace(text, match(text)).first;
        }
        const auto [armed, violates] = known->second;
        counts.armed += armed ? count : 0;
        counts.violations += violates ? count : 0;
        counts.armed_violations += armed && violates ? count : 0;
    }
    return counts;
}

Counts count(const Tally& tally, const ClaimText& claim) {
    return ClaimCounter(claim).count(tally);
}

} // namespace pdlcts
