// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/gathered.hpp"
#include "reports/site/parts.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// The pages, each a function from data to the text of its file. Columns come in the order of comes_before.
namespace pdlcts::site {

/// A matrix of more columns than this is of no use on one page, nor quick: it goes on on the next.
inline constexpr std::size_t columns_of_a_part = 48;
std::string matrix_page_html(const SuiteIndex& index, std::span<const Column> columns, std::size_t part);

std::string statements_page_html(const SuiteIndex& index, std::span<const Column> columns);
std::string statement_page_html(const SuiteIndex& index, std::span<const Column> columns, std::size_t statement);

std::string cases_page_html(const SuiteIndex& index);
std::string case_page_html(const SuiteIndex& index, const Gathered& gathered, std::size_t case_index);

std::string columns_page_html(const SuiteIndex& index, std::span<const Column> columns);
/// `predecessor`: the column of the same GPU before it, or nothing.
std::string column_page_html(const SuiteIndex& index, const Column& column, const Column* predecessor);
std::string changes_page_html(const SuiteIndex& index, const Column& column, const Column& predecessor);

/// The evidence of a column's cells, a page for each section; `other` holds the cells of no section of this suite.
struct SectionCells {
    std::vector<std::pair<const Cell*, const Judgement*>> cells;
    std::vector<std::pair<const NativeCell*, const Judgement*>> native;
};
std::map<std::string, SectionCells> cells_by_section(const SuiteIndex& index, const Results& results,
                                                     const JudgedResults& judged);
std::string evidence_page_html(const SuiteIndex& index, const Column& column, const std::string& section,
                               const SectionCells& cells, bool pictures);

std::string differences_page_html(const SuiteIndex& index, std::span<const Column> columns);
std::string machine_page_html(const SuiteIndex& index);
std::string guide_page_html(const SuiteIndex& index);

/// The column before it: of the same GPU, next in the order; null where there is none.
const Column* predecessor_of(std::span<const Column> columns, std::size_t place);

} // namespace pdlcts::site
