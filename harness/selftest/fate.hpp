// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/judge.hpp"
#include "harness/selftest/mutant.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// What became of a mutant in a cell: derived from what was seen of it, by the judge that judges every run.
namespace pdlcts {

/// What one program of a mutant did.
struct SeenProgram {
    Tally tally;
    std::vector<std::string> built; ///< dependencies that were read back
    bool read_back = false;
    bool operator==(const SeenProgram&) const = default;
};

struct SeenForm {
    SeenProgram program;
    std::optional<SeenProgram> control;
    bool operator==(const SeenForm&) const = default;
};

/// What was seen of a mutant in place of a sound cell.
struct SeenMutant {
    SeenForm form;
    std::optional<SeenForm> other_form;
    Incident incident = Incident::none;
    std::string incident_detail;
    bool operator==(const SeenMutant&) const = default;
};

enum class Fate {
    /// The verdict says so: FAIL, VACUOUS, UNEXPLAINED, HARNESS ERROR, or where a permission was OBSERVED, NOT
    /// OBSERVED.
    noticed,
    /// By the abstract machine there is nothing to notice.
    equivalent,
    /// An order of memory accesses that the specification no longer promises, and this GPU keeps all the same.
    hidden,
    /// The verdict is as good as the sound program's: a hole in the suite.
    survived,
    /// It cannot be run here: NOT SUPPORTED. Of the abstract machine also: it met its limit.
    not_run,
    /// Something stopped the run, so that nothing is known: TIMEOUT, CRASH, DEVICE ERROR, MISSING.
    stopped,
};
std::string_view name(Fate fate);

/// Only of these does a mutant have something to take away.
bool can_be_mutated(Verdict sound);

/// The sound cell, with what was seen of the mutant in place of its own trials. Claim, thresholds, the plan that is
/// expected and what the machine allows stay the sound program's.
Cell with_seen(const Cell& sound, const SeenMutant& seen);

struct MutantJudgement {
    Fate fate = Fate::stopped;
    Verdict verdict = Verdict::missing;
    std::string reason;
    bool operator==(const MutantJudgement&) const = default;
};

/// A verdict has to change by what the trials show. Where a mutant has led the driver to build another plan, the judge
/// is told that it was the expected one: else the read-back would notice for the trials. What it says with the plan
/// that was built must not be as good as the sound program's verdict either.
MutantJudgement judge_mutant(const Cell& sound, const SeenMutant& seen, const Mutant& mutant);

} // namespace pdlcts
