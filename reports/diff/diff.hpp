// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"
#include "reports/diff/cell_summary.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What is different between two results files: two drivers, two toolkits, two GPUs, or two runs of one.
namespace pdlcts {

/// How far two cells of one name are about the same thing.
enum class Comparability {
    same_code, ///< equal digests: the same case, image and source
    same_case, ///< other code, by suites with equal lists of cases: a difference may be the code's
    /// Other code, by suites with other lists of cases: the case itself may be another one, so that a difference says
    /// nothing of the device.
    stale,
};

enum class Direction { better, worse, neither };

/// By how much a verdict says for the device and the suite: what speaks against them, then what shows nothing
/// (VACUOUS, MISSING, NOT SUPPORTED, NOT DECIDED), then NOT OBSERVED and RECORDED, then PASS, OBSERVED and PROVED.
/// Between two verdicts of one of these groups there is neither a better nor a worse one, and where a FAIL no longer
/// shows because nothing does, nothing is better.
Direction direction(Verdict before, Verdict after);

/// A share that has changed beyond noise.
struct RateChange {
    std::string what; ///< `violations`, `armed`, `control armed`, `control violations`
    Rate before;
    Rate after;
    bool operator==(const RateChange&) const = default;
};

/// What a native check was answered, where it was answered otherwise; empty where it did not ask. Answers that are only
/// noted, and differ in nothing but numbers within a fifth of each other (latencies, counts of trials), are the same.
struct AnswerChange {
    std::string what;
    std::string before;
    std::string after;
    bool operator==(const AnswerChange&) const = default;
};

struct CellDifference {
    CellKey key;
    std::string statement;
    std::optional<CellSummary> before;                      ///< none: the cell has appeared
    std::optional<CellSummary> after;                       ///< none: the cell is gone
    Comparability comparability = Comparability::same_code; ///< where both are there
    Direction direction = Direction::neither;               ///< where both are there
    std::vector<RateChange> rates;
    std::vector<AnswerChange> answers;

    bool appeared() const { return !before; }
    bool gone() const { return !after; }
    bool verdict_changed() const { return before && after && before->judgement.verdict != after->judgement.verdict; }
    bool stale() const { return before && after && comparability == Comparability::stale; }
    bool evidence_changed() const { return !rates.empty() || !answers.empty(); }
    bool operator==(const CellDifference&) const = default;
};

/// A fact of a run that is not the same; empty where a file does not have it.
struct FactDifference {
    std::string name; ///< as in the file: `driver_version`
    std::string before;
    std::string after;
    bool operator==(const FactDifference&) const = default;
};

struct ResultsDifference {
    std::string old_name; ///< `NVIDIA H200, driver 580.159.04, toolkit 13.0`
    std::string new_name;
    std::vector<FactDifference> suite;
    std::vector<FactDifference> environment;
    /// Cells that differ in anything that CellDifference has a word for, by name. Those with equal digests and no
    /// difference are not here, nor those of which only the code is another one.
    std::vector<CellDifference> cells;
    std::size_t compared = 0;   ///< cells that both files have
    std::size_t stale = 0;      ///< of these
    std::size_t other_code = 0; ///< of these: same_case
    bool operator==(const ResultsDifference&) const = default;
};

/// Pure. The order of a file's cells makes no difference. Verdicts are the judge's, from the files' evidence.
ResultsDifference difference(const Results& before, const Results& after);

/// Whether two shares differ beyond what is noise: by more than five standard deviations of a binomial count, and by a
/// fifth. Trials of one run are not independent: what a GPU does in a run, it tends to do in all of it. Of the four
/// shares of a cell, over 700 cells, five runs of one H200 in a row differ by more in at most five places a pair.
bool beyond_noise(const Rate& before, const Rate& after);

/// What a file is about, in few words: `NVIDIA H200, driver 580.159.04, toolkit 13.0`.
std::string environment_name(const Environment& environment);

std::string_view name(Comparability comparability); ///< `same code`, `same case`, `stale`
std::string_view name(Direction direction);         ///< `better`, `worse`, `neither`

std::string difference_text(const ResultsDifference& difference);
std::string difference_markdown(const ResultsDifference& difference);
/// Strings of the files are cleaned, not shortened.
std::string difference_json(const ResultsDifference& difference);

} // namespace pdlcts
