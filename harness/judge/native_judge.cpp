// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/native_cell.hpp"

#include "conformance/support/concat.hpp"
#include "harness/judge/claim.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts {
namespace {

constexpr std::string_view accepted = "cudaSuccess";

bool has(const NativeCell& cell, ProbeKind kind) {
    return std::any_of(cell.probes.begin(), cell.probes.end(), [=](const Probe& probe) { return probe.kind == kind; });
}

/// The first probe of a kind that does, or does not, match; null where there is none.
const Probe* first(const NativeCell& cell, ProbeKind kind, bool matching) {
    const auto found = std::find_if(cell.probes.begin(), cell.probes.end(), [=](const Probe& probe) {
        return probe.kind == kind && matches(probe) == matching;
    });
    return found == cell.probes.end() ? nullptr : &*found;
}

std::string any_of(const std::vector<std::string>& values) {
    std::string text;
    for (std::size_t index = 0; index < values.size(); ++index) {
        text += concat(index == 0 ? "" : index + 1 == values.size() ? " or " : ", ", values[index]);
    }
    return text;
}

std::string mismatch(const Probe& probe) {
    return concat(probe.what, ": expected ", any_of(probe.expected), ", found ", probe.found);
}

/// A check that only writes down: it claims nothing, and no verdict can be drawn from it.
bool only_noted(const NativeCell& cell) {
    return std::all_of(cell.probes.begin(), cell.probes.end(),
                       [](const Probe& probe) { return probe.kind == ProbeKind::noted; });
}

/// Everything that was found, in a sentence: where no verdict is drawn from it.
std::string all_found(const NativeCell& cell) {
    std::string text;
    for (const Probe& probe : cell.probes) {
        text += concat(text.empty() ? "" : "; ", probe.what, ": ", probe.found);
    }
    return text;
}

std::optional<Finding> instead_of_probes(const NativeCell& cell) {
    // Unlike trials, probes may come before the call that a driver or a GPU turns out not to have.
    if (auto finding = judge_incident(cell.incident, cell.incident_detail, "")) {
        return finding;
    }
    if (cell.probes.empty()) {
        return Finding{Verdict::missing, "nothing was probed"};
    }
    return std::nullopt;
}

template <typename Condition>
const Probe* illegal_where(const NativeCell& cell, Condition condition) {
    const auto found = std::find_if(cell.probes.begin(), cell.probes.end(), [&](const Probe& probe) {
        return probe.kind == ProbeKind::illegal && condition(probe);
    });
    return found == cell.probes.end() ? nullptr : &*found;
}

const Probe* accepted_call(const NativeCell& cell) {
    return illegal_where(cell, [](const Probe& probe) { return probe.found == accepted; });
}

/// A hazard or a permission: nothing that it shows, or does not show, is a violation.
bool is_effect(const NativeCell& cell) {
    return !has(cell, ProbeKind::illegal) &&
           (cell.strength == Strength::permission || cell.strength == Strength::requirement);
}

/// What was seen before a check came to grief was seen: an incident takes no violation back.
std::optional<Finding> violation(const NativeCell& cell) {
    const std::string then = cell.incident == Incident::none ? "" : concat("; then: ", cell.incident_detail);
    if (const Probe* broken = first(cell, ProbeKind::holds, false); broken != nullptr && !is_effect(cell)) {
        return Finding{Verdict::fail, mismatch(*broken) + then};
    }
    if (const Probe* const call = accepted_call(cell)) {
        if (const Probe* harm = first(cell, ProbeKind::harm, false)) {
            return Finding{Verdict::fail,
                           concat(call->what, " was accepted, and a guarantee is broken: ", mismatch(*harm), then)};
        }
    }
    return std::nullopt;
}

Finding judge_illegal(const NativeCell& cell) {
    const Probe* const was_accepted = accepted_call(cell);
    if (!has(cell, ProbeKind::legal) || !has(cell, ProbeKind::kept)) {
        return {Verdict::harness_error, "a check of an illegal call has to make the nearest legal one, and to look at "
                                        "what the illegal one must leave as it was"};
    }
    if (const Probe* legal = first(cell, ProbeKind::legal, false)) {
        return {Verdict::vacuous, concat("the nearest legal call is refused as well, so that a refusal says nothing: ",
                                         legal->what, ": ", legal->found)};
    }
    if (was_accepted != nullptr) {
        return {Verdict::recorded,
                concat(was_accepted->what, " is accepted", has(cell, ProbeKind::harm) ? ", without harm" : "")};
    }
    if (const Probe* left = first(cell, ProbeKind::kept, false)) {
        return {Verdict::recorded, concat("refused, but not without a trace: ", mismatch(*left))};
    }
    if (const Probe* open = illegal_where(cell, [](const Probe& probe) { return probe.expected.empty(); })) {
        return {Verdict::recorded, concat(open->what, ": ", open->found, "; no document names the code")};
    }
    if (const Probe* other = first(cell, ProbeKind::illegal, false)) {
        return {Verdict::recorded, concat("refused with a code that is not documented: ", mismatch(*other))};
    }
    return {Verdict::pass, ""};
}

Finding judge_effect(const NativeCell& cell) {
    const Probe* const seen = first(cell, ProbeKind::holds, true);
    if (seen == nullptr) {
        return {Verdict::not_observed, all_found(cell)};
    }
    if (const Probe* control = first(cell, ProbeKind::differs, true)) {
        return {Verdict::vacuous, concat("the control shows it as well: ", control->what, ": ", control->found)};
    }
    return {Verdict::observed, concat(seen->what, ": ", seen->found)};
}

Finding decide(const NativeCell& cell) {
    const bool judged = cell.strength != Strength::unspecified && cell.basis != Basis::inferred;
    if (judged) {
        if (auto finding = violation(cell)) {
            return *std::move(finding);
        }
    }
    if (auto finding = instead_of_probes(cell)) {
        return *std::move(finding);
    }
    if (!judged) {
        return {Verdict::recorded,
                concat(all_found(cell), "; ",
                       cell.strength == Strength::unspecified ? "unspecified" : "inferred, no document states it")};
    }
    if (only_noted(cell)) {
        return {Verdict::recorded, concat(all_found(cell), "; the documents promise nothing of it")};
    }
    if (has(cell, ProbeKind::illegal)) {
        return judge_illegal(cell);
    }
    if (!has(cell, ProbeKind::holds)) {
        return {Verdict::harness_error, "the check did not ask what the statement says"};
    }
    if (!has(cell, ProbeKind::differs)) {
        return {Verdict::vacuous, "nothing was asked that has to have another answer"};
    }
    if (is_effect(cell)) {
        return judge_effect(cell);
    }
    if (const Probe* same = first(cell, ProbeKind::differs, true)) {
        return {Verdict::vacuous, concat("what has to differ does not: ", same->what, ": ", same->found)};
    }
    return {Verdict::pass, cell.basis == Basis::derived ? "derived" : ""};
}

} // namespace

bool matches(const Probe& probe) {
    return std::find(probe.expected.begin(), probe.expected.end(), probe.found) != probe.expected.end();
}

Judgement judge(const NativeCell& cell) {
    Finding finding = decide(cell);
    Judgement judgement;
    judgement.verdict = finding.verdict;
    judgement.reason = cut_reason(std::move(finding.reason));
    return judgement;
}

std::string_view name(ProbeKind kind) {
    switch (kind) {
    case ProbeKind::illegal:
        return "illegal";
    case ProbeKind::kept:
        return "kept";
    case ProbeKind::legal:
        return "legal";
    case ProbeKind::harm:
        return "harm";
    case ProbeKind::holds:
        return "holds";
    case ProbeKind::differs:
        return "differs";
    case ProbeKind::noted:
        break;
    }
    return "noted";
}

} // namespace pdlcts
