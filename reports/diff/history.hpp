// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/diff/diff.hpp"

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// Since when: many results files in the order of their drivers, and where cells changed.
namespace pdlcts {

/// Versions part by part, as numbers where both parts are: 580.9 < 580.82.07 < 580.159.04 < 1000.1. A version that goes
/// on is the later one.
std::weak_ordering compare_versions(std::string_view left, std::string_view right);

/// What is kept of a results file: the cells that are asked about, and where and when it ran.
struct DatedReport {
    std::string file;
    std::string gpu;
    int runtime_version = 0;
    std::string nvrtc_version;
    std::string driver;
    std::string started;
    std::string cases_digest;
    std::map<CellKey, CellSummary> cells;
};

/// The cells whose statement and case match; an empty pattern is every one. A pattern of cases without `/` is also held
/// against the part behind it.
DatedReport report_of(const Results& results, std::string file, std::string_view statement_pattern,
                      std::string_view case_pattern);

/// A cell's first change of verdict on one GPU and toolkit: between two reports that have it, next to each other in the
/// order of drivers.
struct FirstChange {
    std::string machine; ///< `NVIDIA H200, toolkit 13.0`
    CellKey key;
    std::string statement;
    std::string before_file;
    std::string before_driver;
    CellSummary before;
    std::string after_file;
    std::string after_driver;
    CellSummary after;
    Comparability comparability = Comparability::same_code;
    std::size_t later = 0; ///< changes of verdict behind this one
};

struct History {
    /// Of each GPU and toolkit the files, in order: `580.159.04 (a.json), 590.10 (b.json)`.
    std::vector<std::pair<std::string, std::string>> machines;
    std::vector<FirstChange> changes; ///< by machine and cell
    std::size_t cells = 0;            ///< cells that at least two reports of one GPU and toolkit have
    std::size_t single = 0;           ///< those that only one has
};

/// Reports of one driver stand in the order in which they started.
History history(std::vector<DatedReport> reports);

std::string history_text(const History& history);
std::string history_json(const History& history);

} // namespace pdlcts
