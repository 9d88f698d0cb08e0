// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/selftest/selftest.hpp"
#include "reports/results/results.hpp"

#include <map>

/// Files of `pdlcts selftest`: JSON, versioned, complete enough that the fate of every mutant can be derived again.
///
///     {
///       "selftest_schema": 1,
///       "digest": SHA-256 of the file without it and without what is derived,
///       "mutants": [{"name", "breaks", "touches"}...],    those that were asked for; all but the name is derived
///       "sound": {RESULTS},                               a results file (reports/results): the cases as they are
///       "runs": [{
///         "mutant", "cell": index into the cells of RESULTS,
///         "fate", "verdict", "reason",                                             derived
///         "equivalent_because",          present where the mutant was found to be equivalent, and was not run; else
///         "program": SEEN, "control": SEEN,                                        absent where there is none
///         "other_form": {"program": SEEN, "control": SEEN},                        absent where there is none
///         "incident", "incident_detail"                                            absent where there was none
///       }...]
///     }
///
/// SEEN is what one program of the mutant did: {"outcomes": {"overlapped=1 seen=0": count...}, "unwritten": count,
/// "built": [line...], "read_back": bool}. Where `built` is what it is in the sound cell it is left out.
namespace pdlcts {

inline constexpr int selftest_schema_version = 1;

struct SelfTestReport {
    std::vector<std::string> mutants; ///< names
    Results sound;
    std::vector<MutantRun> runs;
    bool operator==(const SelfTestReport&) const = default;
};

/// Whether a file says of itself that it is one of the self-test.
bool is_selftest_file(std::string_view text);

std::string write_json(const SelfTestReport& report);

/// Errors name the file, the JSON path and the rule that fails.
Result<SelfTestReport> read_selftest_json(std::string_view text, std::string_view file_name);

/// Derives every verdict and every fate again, and compares them with what the file says. An empty list means that it
/// holds.
std::vector<std::string> verify_selftest(std::string_view text, std::string_view file_name);

/// How often each fate occurs.
struct SelfTestTotals {
    std::map<Fate, std::size_t> fates;
    std::map<Verdict, std::size_t> verdicts; ///< of those that were noticed
    std::size_t sound_cells = 0;             ///< that mutants were put in the place of
    std::size_t other_cells = 0;             ///< PASS and OBSERVED are what a mutant can take away
    std::size_t of(Fate fate) const;
};
SelfTestTotals totals(const SelfTestReport& report);

/// Whether the suite has noticed all that there was to notice, and something at all, and no sound program is against
/// the suite or the device: FAIL, UNEXPLAINED, or an error.
bool holds(const SelfTestReport& report);

/// The table of mutants and cases, for a terminal. A case shows the least of its routes: a mutant that survives on one
/// of them first, then one that is noticed by less.
std::string selftest_text(const SelfTestReport& report);

/// The same as Markdown.
std::string selftest_markdown(const SelfTestReport& report);

} // namespace pdlcts
