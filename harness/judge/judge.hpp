// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/cell.hpp"

#include <span>

namespace pdlcts {

/// In the published order: a statement shows the first of its cells' verdicts in this list.
enum class Verdict {
    fail,
    unexplained,
    refuted,
    timeout,
    crash,
    device_error,
    harness_error,
    pass,
    observed,
    proved,
    recorded,
    vacuous,
    not_observed,
    not_decided,
    not_supported,
    missing,
};

/// A verdict with the counts and the sentence that carry it.
struct Judgement {
    Verdict verdict = Verdict::missing;
    /// One sentence, for a person; empty where the verdict says it all.
    std::string reason;
    std::uint64_t trials = 0;
    std::uint64_t armed = 0;
    std::uint64_t violations = 0; ///< trials, armed or not, that match `never` (or `sometimes`: then occurrences)
    std::uint64_t control_trials = 0;
    std::uint64_t control_armed = 0;
    std::uint64_t control_violations = 0;
    std::uint64_t control_armed_violations = 0;
    /// 95 % upper bound on the rate of violations in armed trials, 1 - 0.05^(1/armed); 1 where it says nothing.
    double upper_bound = 1;
    bool operator==(const Judgement&) const = default;
};

/// What the trials of one program say of a claim. Outcomes that do not parse are trials and nothing else.
struct Counts {
    std::uint64_t trials = 0;
    std::uint64_t armed = 0;
    std::uint64_t violations = 0; ///< trials, armed or not, that match `never` or `sometimes`
    std::uint64_t armed_violations = 0;
    bool operator==(const Counts&) const = default;
};
Counts count(const Tally& tally, const ClaimText& claim);

/// The one function from evidence to verdict. Pure: the same cell gives the same judgement for ever.
Judgement judge(const Cell& cell);

/// A statement's verdict from those of its cells, and how many of them share it.
struct StatementVerdict {
    Verdict verdict = Verdict::missing;
    std::size_t sharing = 0;
    std::size_t of = 0;
};
StatementVerdict worst(std::span<const Verdict> verdicts);

/// A verdict that speaks against the device or the suite, or says that something is not there: a run with one is no
/// success.
bool is_negative(Verdict verdict);

/// A reason is a sentence; an incident's detail may be a compiler's log. Cut between characters, not inside one.
std::string cut_reason(std::string text);

std::string_view name(Verdict verdict); ///< `PASS`, `NOT OBSERVED`, ...

} // namespace pdlcts
