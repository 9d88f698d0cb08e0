// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/check.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

using Found = const std::pair<const Outcome, Steps>*;

template <typename Predicate>
Found find_outcome(const Exploration& exploration, const Predicate& predicate) {
    const auto found = std::find_if(exploration.outcomes.begin(), exploration.outcomes.end(),
                                    [&](const auto& entry) { return predicate(entry.first); });
    return found == exploration.outcomes.end() ? nullptr : &*found;
}

Found find_match(const Condition& condition, const Exploration& exploration) {
    return find_outcome(exploration, [&](const Outcome& outcome) { return matches(condition, outcome); });
}

Found find_armed_match(const Condition& condition, const Claim& claim, const Exploration& exploration) {
    return find_outcome(exploration, [&](const Outcome& outcome) {
        return matches(condition, outcome) && (!claim.armed || matches(*claim.armed, outcome));
    });
}

struct Finding {
    Answer answer = Answer::proved;
    std::string reason;
    Trace trace;
    std::optional<Outcome> counterexample;
    std::vector<std::string> advice;
};

Finding refuted(std::string reason, std::vector<std::string> advice = {}, Trace trace = {}) {
    return {Answer::refuted, std::move(reason), std::move(trace), std::nullopt, std::move(advice)};
}

/// What there is instead, a few outcomes of it.
std::string ends_in(const char* which, const Exploration& exploration) {
    constexpr std::size_t most = 8;
    std::string text;
    std::size_t listed = 0;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        if (++listed > most) {
            break;
        }
        text += (listed == 1 ? "`" : ", `") + print(outcome) + "`";
    }
    const std::size_t more = exploration.outcomes.size() - std::min(most, exploration.outcomes.size());
    return std::string("The ") + which + " ends in " + text + (more > 0 ? concat(" and ", more, " more") : "") + ".";
}

std::optional<Finding> check_never(const Claim& claim, const Check& check, bool has_control) {
    const Condition& never = *claim.never;
    if (const Found found = find_match(never, check.program)) {
        Finding finding = refuted("the specification allows `" + print(found->first) + "`, which the claim rules out",
                                  {}, check.program.trace(found->second));
        finding.counterexample = found->first;
        return finding;
    }
    if (has_control && find_match(never, check.control) == nullptr) {
        return refuted("the control cannot show what the claim rules out, so it proves nothing",
                       {ends_in("control", check.control),
                        "The claim holds of the program, but not because of the lines that the control lacks or has "
                        "instead: something else gives the guarantee too. Mark that with `-` as well."});
    }
    if (has_control && find_armed_match(never, claim, check.control) == nullptr) {
        return refuted("the control shows what the claim rules out only in executions that are not armed",
                       {ends_in("control", check.control),
                        "`armed` asks for a situation in which even the control is safe: arm the one in which the "
                        "guarantee is put to the test."});
    }
    return std::nullopt;
}

std::optional<Finding> check_sometimes(const Condition& sometimes, const Check& check, bool has_control) {
    if (find_match(sometimes, check.program) == nullptr) {
        return refuted("no execution shows `" + print(sometimes) + "`", {ends_in("program", check.program)});
    }
    if (has_control) {
        if (const Found found = find_match(sometimes, check.control)) {
            return refuted("the control shows `" + print(found->first) +
                               "` too, so what the program shows has another cause",
                           {"Let the control have what rules it out: mark the wait, the event or the attribute that "
                            "does with `+`."},
                           check.control.trace(found->second));
        }
    }
    return std::nullopt;
}

std::optional<Finding> check_ends(const Check& check) {
    for (const Exploration* exploration : {&check.program, &check.control}) {
        if (exploration->stuck) {
            return refuted(exploration == &check.program ? "an execution does not end"
                                                         : "an execution of the control does not end",
                           {"After its last step no thread can go on: a barrier or a wait needs something that never "
                            "comes."},
                           *exploration->stuck);
        }
    }
    return std::nullopt;
}

/// A case that cannot be armed could only ever be VACUOUS.
std::optional<Finding> check_armed(const Condition& armed, const Check& check, bool has_control) {
    if (find_match(armed, check.program) == nullptr) {
        return refuted("no execution is armed: none shows `" + print(armed) + "`", {ends_in("program", check.program)});
    }
    if (has_control && find_match(armed, check.control) == nullptr) {
        return refuted("no execution of the control is armed: none shows `" + print(armed) + "`",
                       {ends_in("control", check.control)});
    }
    return std::nullopt;
}

/// An execution for a person to look at: what the control shows and the program rules out, or the witness.
Trace witness(const Claim& claim, const Check& check) {
    Found found = nullptr;
    const Exploration& shown = claim.never ? check.control : check.program;
    if (claim.never) {
        found = find_armed_match(*claim.never, claim, shown);
    } else if (claim.sometimes) {
        found = find_armed_match(*claim.sometimes, claim, shown);
        found = found != nullptr ? found : find_match(*claim.sometimes, shown);
    }
    return found == nullptr ? Trace{} : shown.trace(found->second);
}

std::string proved_reason(const Claim& claim, bool has_control) {
    std::string reason = claim.never       ? "the claim follows from the specification"
                         : claim.sometimes ? "the specification allows it"
                                           : "every execution ends";
    if (!has_control) {
        return reason + "; there is no control";
    }
    if (claim.never) {
        return reason + ", and the control can violate it";
    }
    return claim.sometimes ? reason + ", and rules it out of the control" : reason;
}

Finding judge_claim(const Litmus& litmus, const Check& check) {
    const bool has_control = litmus.control.has_value();
    const Claim& claim = litmus.program.claim;
    std::optional<Finding> finding;
    if (claim.never) {
        finding = check_never(claim, check, has_control);
    }
    if (!finding && claim.sometimes) {
        finding = check_sometimes(*claim.sometimes, check, has_control);
    }
    if (!finding && claim.ends) {
        finding = check_ends(check);
    }
    if (!finding && claim.armed) {
        finding = check_armed(*claim.armed, check, has_control);
    }
    if (finding) {
        return *finding;
    }
    return {Answer::proved, proved_reason(claim, has_control), witness(claim, check), std::nullopt, {}};
}

/// What to do where the machine gave up.
std::string advice_for(const std::string& reason) {
    const std::string nothing = "Nothing was proved or refuted. ";
    if (!reason.starts_with("more than")) {
        return nothing + "This bound is the machine's own and cannot be raised: say the same of a smaller program.";
    }
    return nothing + "Ask again with a higher limit (pdlcts check --states), or make the pattern smaller: fewer agents "
                     "that differ, fewer accesses to memory that others share, and one location for each thing that "
                     "the claim is about. More blocks or threads of one agent cost little.";
}

/// What a route makes of program and control. The answer is NOT EXPRESSIBLE where a plan is missing.
Check planned(const Litmus& litmus, Route route) {
    Check check;
    check.route = route;
    const auto lowered = [&](const Program& program, const char* which, std::optional<Plan>& into) {
        Result<Plan> plan = lower(program, route);
        if (!plan) {
            check.answer = Answer::not_expressible;
            check.reason = std::string(which) + ": " + plan.error().message;
            return false;
        }
        into = std::move(*plan);
        return true;
    };
    static_cast<void>(lowered(litmus.program, "program", check.program_plan) &&
                      (!litmus.control || lowered(*litmus.control, "control", check.control_plan)));
    return check;
}

Check explored(const Litmus& litmus, Check check, const Limits& limits) {
    if (check.answer == Answer::not_expressible) {
        return check;
    }
    check.program = explore(litmus.program, *check.program_plan, limits);
    if (litmus.control && check.program.decided) {
        check.control = explore(*litmus.control, *check.control_plan, limits);
    }
    for (const auto& [which, exploration] : {std::pair{"program", &check.program}, {"control", &check.control}}) {
        const bool explored = exploration == &check.program || litmus.control.has_value();
        if (explored && !exploration->decided) {
            check.answer = Answer::not_decided;
            check.reason = std::string(which) + ": " + exploration->undecided_because;
            check.advice = {advice_for(exploration->undecided_because)};
            return check;
        }
    }
    Finding finding = judge_claim(litmus, check);
    check.answer = finding.answer;
    check.reason = std::move(finding.reason);
    check.trace = std::move(finding.trace);
    check.counterexample = std::move(finding.counterexample);
    check.advice = std::move(finding.advice);
    return check;
}

} // namespace

Check check(const Litmus& litmus, Route route, const Limits& limits) {
    return explored(litmus, planned(litmus, route), limits);
}

bool same_plans(const Check& one, const Check& other) {
    const auto same = [](const std::optional<Plan>& left, const std::optional<Plan>& right) {
        return left.has_value() == right.has_value() && (!left || left->nodes == right->nodes);
    };
    return one.answer != Answer::not_expressible && other.answer != Answer::not_expressible &&
           same(one.program_plan, other.program_plan) && same(one.control_plan, other.control_plan);
}

std::vector<Check> check_routes(const Litmus& litmus, std::span<const Route> routes, const Limits& limits) {
    std::vector<Check> checks;
    for (const Route route : routes) {
        Check next = planned(litmus, route);
        const auto known =
            std::find_if(checks.begin(), checks.end(), [&](const Check& earlier) { return same_plans(earlier, next); });
        if (known == checks.end()) {
            checks.push_back(explored(litmus, std::move(next), limits));
            continue;
        }
        Check same = *known;
        same.route = route;
        same.program_plan = std::move(next.program_plan);
        same.control_plan = std::move(next.control_plan);
        checks.push_back(std::move(same));
    }
    return checks;
}

std::vector<Check> check_routes(const Litmus& litmus, const Limits& limits) {
    return check_routes(litmus, default_routes(litmus), limits);
}

std::string_view name(Answer answer) {
    switch (answer) {
    case Answer::proved:
        return "PROVED";
    case Answer::refuted:
        return "REFUTED";
    case Answer::not_decided:
        return "NOT DECIDED";
    case Answer::not_expressible:
        return "NOT EXPRESSIBLE";
    }
    return "?";
}

} // namespace pdlcts
