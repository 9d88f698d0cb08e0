// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/diff/diff.hpp"
#include "reports/gate/waivers.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The gate: may a driver, a toolkit or a GPU pass, by what a results file shows? It is open only where every cell
/// passes or is waived and nothing is wrong with the file, its baseline or its waivers.
///
/// Without a baseline a cell passes that is PASS, OBSERVED or RECORDED, NOT OBSERVED (nobody promises it) or NOT
/// SUPPORTED (decided by a query before anything ran). VACUOUS and MISSING fail: nothing was shown, and nobody has yet
/// said that this is known.
///
/// A baseline is an earlier results file that somebody accepted. It excuses one thing: a cell that was VACUOUS or
/// MISSING there, in the same case, and is the same now. It never excuses a FAIL. And it asks for more: a cell that
/// held there (PASS) and now is VACUOUS, MISSING, NOT SUPPORTED, RECORDED or NOT OBSERVED, or was OBSERVED and now is
/// VACUOUS, MISSING or NOT SUPPORTED, has lost its evidence and fails, and one that is no longer there is MISSING.
namespace pdlcts {

/// What the gate refuses unless it is asked to let it pass. Machine results, sampled results, files that contradict
/// themselves and waivers that are expired, unused or over-broad are never let pass.
struct GateAllowances {
    bool partial = false;     ///< a run of selected cases or routes; cells of the baseline that it lacks are no matter
    bool quick = false;       ///< a tenth of the trials
    bool dirty = false;       ///< a suite with changes that no commit names
    bool other_suite = false; ///< another list of cases than this program's: whether it is complete nobody checks
};

/// A results file and what is wrong with it.
struct GateFile {
    const Results& results;
    /// What the file says otherwise than its evidence, the ledger, the case list and the abstract machine (`verify`).
    std::vector<std::string> differences;
};

struct GateInput {
    GateFile file;
    bool other_suite = false; ///< the file is of another list of cases than this program
    std::optional<GateFile> baseline;
    std::span<const Waiver> waivers;
    Date today{};
    GateAllowances allow;
};

/// Why a cell passes or fails. The names (`name`) are part of the JSON, and of `--explain`.
enum class CellRule {
    holds,          ///< PASS, OBSERVED or RECORDED
    not_promised,   ///< NOT OBSERVED
    not_supported,  ///< NOT SUPPORTED
    as_in_baseline, ///< VACUOUS or MISSING, as in the baseline
    against,        ///< FAIL, UNEXPLAINED, TIMEOUT, CRASH, DEVICE ERROR, HARNESS ERROR
    no_evidence,    ///< VACUOUS or MISSING, without a comparable cell of a baseline
    lost_evidence,  ///< the baseline's cell shows what this one no longer does
    gone,           ///< the baseline has the cell, and this file has not
    no_device,      ///< PROVED, REFUTED or NOT DECIDED: the abstract machine's answer is no device's
};

enum class Disposition { passes, waived, fails };

struct CellDecision {
    CellSummary cell; ///< of a cell that is gone the baseline's; `verdict` is then MISSING
    Verdict verdict = Verdict::missing;
    std::optional<Verdict> baseline;
    bool stale = false; ///< the baseline's cell is of another case, and excuses nothing
    CellRule rule = CellRule::no_evidence;
    Disposition disposition = Disposition::fails;
    std::string why;                   ///< one sentence
    std::optional<std::size_t> waiver; ///< index into the waivers
    bool improved = false;             ///< better than in the baseline
    bool weaker = false;               ///< passes, and showed more in the baseline: OBSERVED, now NOT OBSERVED
    bool operator==(const CellDecision&) const = default;
};

/// What is wrong with a file as a whole, the baseline, or a waiver.
enum class GateProblemRule {
    empty,             ///< no cell, or none that is PASS or OBSERVED
    no_device,         ///< the abstract machine's results
    sampled,           ///< sampled executions of the abstract machine, with a fault or without
    contradiction,     ///< verify's differences
    partial,           ///< every_case is false
    quick,             ///< cells with a tenth of the trials
    dirty,             ///< a suite with changes
    other_suite,       ///< another list of cases
    list_changed,      ///< another list of cases than the baseline's under the same version
    bad_baseline,      ///< the baseline contradicts itself, or is of no device
    waiver_expired,    ///< the day is past
    waiver_unused,     ///< names no cell of this file, or none that needs it
    waiver_over_broad, ///< see apply_waivers
};

struct GateProblem {
    GateProblemRule rule = GateProblemRule::empty;
    std::string what;
    std::optional<std::size_t> waiver; ///< index into the waivers
    bool operator==(const GateProblem&) const = default;
};

struct GateReport {
    std::string file_name;     ///< `NVIDIA H200, driver 580.159.04, toolkit 13.0`
    std::string baseline_name; ///< empty without a baseline
    std::vector<GateProblem> problems;
    std::vector<CellDecision> cells; ///< by name
    std::vector<Waiver> waivers;
    std::vector<std::string> notes; ///< what was let pass, and what a reader of the verdict should know

    std::size_t count(Disposition disposition) const;
    bool open() const { return problems.empty() && count(Disposition::fails) == 0; }
    bool operator==(const GateReport&) const = default;
};

/// Pure: no clock, no file. The order of cells in the files makes no difference.
GateReport gate(const GateInput& input);

/// Waives the cells that need it, and finds what is wrong with waivers. A waiver for another GPU or driver says nothing
/// here but that it is expired.
///
/// Over-broad is a waiver
/// - whose pattern of cases, statements or GPUs is wildcards and nothing else, or whose driver pattern does not begin
///   with a branch (`580.`): it would hide what the next driver does;
/// - that names cells of more than one statement: each finding has a waiver of its own;
/// - that names a cell that does not need it: when that cell fails one day, nobody would hear of it. One that is
///   `intermittent` need not be needed in every run, and names exactly one cell;
/// - that names a cell which another one waives already;
/// - that expires in more than a year.
/// A waiver that is expired or over-broad waives nothing.
void apply_waivers(GateReport& report, const Environment& environment, const Date& today, bool partial);

std::string_view name(CellRule rule);        ///< `lost-evidence`
std::string_view name(GateProblemRule rule); ///< `waiver-expired`
std::string_view name(Disposition disposition);

} // namespace pdlcts
