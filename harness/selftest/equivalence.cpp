// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/equivalence.hpp"

#include "conformance/plan/lower.hpp"

#include <algorithm>
#include <utility>

namespace pdlcts {
namespace {

enum class Likeness { different, alike_to_the_claim, same };

/// What a claim sees of outcomes: whether there are some that are armed, or not, and violate it, or not.
std::set<std::pair<bool, bool>> seen_by(const Claim& claim, const std::set<Outcome>& outcomes) {
    const std::optional<Condition>& violation = claim.never ? claim.never : claim.sometimes;
    std::set<std::pair<bool, bool>> seen;
    for (const Outcome& outcome : outcomes) {
        seen.emplace(!claim.armed || matches(*claim.armed, outcome), violation && matches(*violation, outcome));
    }
    return seen;
}

Likeness compare(const Program& sound, const Program& emitted, const Program& launched, const Claim& claim, Route route,
                 bool plan_is_the_subject, Explorations& explorations) {
    const Result<Plan> plan = lower(sound, route);
    const Result<Plan> mutated_plan = lower(launched, route);
    if (!plan || !mutated_plan) {
        return Likeness::different;
    }
    if (plan_is_the_subject && print_dependencies(sound, *plan) != print_dependencies(launched, *mutated_plan)) {
        return Likeness::different;
    }
    const AllowedOutcomes& allowed = explorations.of(sound, *plan);
    const AllowedOutcomes& mutated = explorations.of(emitted, *mutated_plan);
    if (!allowed.decided || !mutated.decided || (mutated.can_hang && !allowed.can_hang)) {
        return Likeness::different;
    }
    if (allowed == mutated) {
        return Likeness::same;
    }
    const bool none_of_its_own = std::includes(allowed.outcomes.begin(), allowed.outcomes.end(),
                                               mutated.outcomes.begin(), mutated.outcomes.end());
    const bool alike = none_of_its_own && seen_by(claim, allowed.outcomes) == seen_by(claim, mutated.outcomes);
    return alike ? Likeness::alike_to_the_claim : Likeness::different;
}

} // namespace

std::string why_equivalent(const Litmus& sound, const MutatedCase& mutated, const Mutant& mutant, const Cell& cell,
                           Explorations& explorations) {
    if (!machine_knows(mutant.touches)) {
        return "";
    }
    const bool plan_is_the_subject = cell.strength == Strength::equivalence;
    std::vector<Route> routes{cell.form.route};
    if (cell.other_form) {
        routes.push_back(cell.other_form->route);
    }
    Likeness least = Likeness::same;
    for (const Route route : routes) {
        least = std::min(least, compare(sound.program, mutated.emitted.program, mutated.launched.program,
                                        sound.program.claim, route, plan_is_the_subject, explorations));
        if (sound.control && least != Likeness::different) {
            least = std::min(least, compare(*sound.control, *mutated.emitted.control, *mutated.launched.control,
                                            sound.program.claim, route, plan_is_the_subject, explorations));
        }
        if (least == Likeness::different) {
            return "";
        }
    }
    return least == Likeness::same ? "the specification allows the same outcomes"
                                   : "the specification allows fewer outcomes, which the claim does not tell apart";
}

} // namespace pdlcts
