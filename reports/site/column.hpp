// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/judged.hpp"
#include "reports/site/suite_index.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What the site keeps of a results file once its evidence is written: a few words a cell, so that a thousand files
/// fit into memory.
namespace pdlcts::site {

struct ColumnCell {
    CellKey key = 0;
    Verdict verdict = Verdict::missing;
    Currency currency = Currency::unknown;
    bool quick = false;
    std::uint64_t trials = 0;
    std::uint64_t armed = 0;
    std::uint64_t violations = 0;
    std::uint64_t control_trials = 0;
    std::uint64_t control_armed = 0;
    std::uint64_t control_armed_violations = 0;
    double upper_bound = 1;
    std::string reason; ///< cut; empty of what a reader expects
    std::string pair;   ///< `primary, secondary`: of the first latency; empty where there is none
    std::optional<LatencyFigures> begin;
    std::optional<LatencyFigures> wait_return;
};

/// A statement, or a pattern or statement that this suite does not have, in a column.
struct ColumnEntry {
    StatementVerdict verdict;
    bool stale = false; ///< one of its cells is of another version of its case
};

struct Column {
    std::string name; ///< of its folder; no two columns share one
    std::string gpu;
    std::string driver;
    std::string toolkit;
    std::string started; ///< `2026-11-30T12:39:55Z`
    std::string when;    ///< as a reader sees it: its day, and the time too where other columns have the same name
    Suite suite;
    Environment environment;
    bool every_case = false;
    std::uint64_t seed = 0;
    double seconds = 0;
    std::size_t differences = 0; ///< what `verify` says against the file
    bool on_gpu = false;
    bool same_cases = false;                         ///< its list of cases is this suite's
    std::vector<ColumnCell> cells;                   ///< of cases that this suite has, by key
    std::vector<std::optional<ColumnEntry>> entries; ///< by the statement's place in the ledger
    std::map<std::string, ColumnEntry> others;       ///< rows that the ledger does not have; at most `most_other_rows`
    std::vector<std::string> sections;               ///< those that have a page of evidence
    std::size_t other_cells = 0;                     ///< cells of no case of this suite
    std::map<Verdict, std::size_t> totals;           ///< statements
    std::uint64_t trials = 0;
    std::vector<std::string> remarks; ///< what has to be known of the run: quick, a variable that changes overlap
};
inline constexpr std::size_t most_other_rows = 100;

/// `NVIDIA H200, driver 580.159.04, toolkit 13.0`
std::string title_of(const Column& column);

/// `identity` tells the file apart from every other: hexadecimal digits, of which the name takes the first ten.
Column make_column(const Results& results, const JudgedResults& judged, const SuiteIndex& index,
                   std::size_t differences, std::string_view identity);

/// Fills in `when`.
void tell_apart(std::vector<Column>& columns);

bool has_evidence(const Column& column, std::string_view section);

const ColumnCell* find_cell(const Column& column, CellKey key);

/// The order in which a reader meets columns: those of this suite first, on GPUs first, the newest driver and the
/// newest run first.
bool comes_before(const Column& one, const Column& other);

/// `580.9` before `580.10`: numbers as numbers. Negative, 0 or positive.
int compare_versions(std::string_view one, std::string_view other);

} // namespace pdlcts::site
