// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/column.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

/// What all results files together give for the pages of cases: sums, and of each cell one column's evidence in full.
namespace pdlcts::site {

/// How often an outcome was seen, over all columns on a GPU whose case is the one of this suite.
struct SeenOutcome {
    std::uint64_t trials = 0;
    std::size_t columns = 0;
};
struct Histogram {
    std::map<std::string, SeenOutcome, std::less<>> outcomes; ///< at most `most_outcomes`
    std::uint64_t trials = 0;
    std::size_t columns = 0;
};
inline constexpr std::size_t most_outcomes = 64;

struct CellHistograms {
    Histogram program;
    Histogram control;
};

/// Which column's evidence a case page shows: one on a GPU before another, one of the case as it is here, one with
/// pictures, then the newest. The name makes it the same whatever the order of the files.
struct Rank {
    bool on_gpu = false;
    bool current = false;
    bool pictures = false;
    std::string started;
    std::string column;
    auto operator<=>(const Rank&) const = default;
};

struct Shown {
    Rank rank;
    std::string title; ///< of the column
    Currency currency = Currency::unknown;
    std::optional<Cell> cell;
    std::optional<NativeCell> native;
};

struct Gathered {
    std::vector<Column> columns;
    std::unordered_map<CellKey, CellHistograms> histograms;
    std::unordered_map<CellKey, Shown> shown;
};

/// Adds a column and takes of its cells what is to be shown.
void gather(Gathered& gathered, Column column, Results results, const SuiteIndex& index);

} // namespace pdlcts::site
