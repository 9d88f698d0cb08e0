// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/column.hpp"
#include "reports/site/html.hpp"

#include <span>
#include <string>

/// What several pages have in common.
namespace pdlcts::site {

enum class Tab { matrix, statements, cases, columns, differences, machine, guide, none };

/// A page up to the begin of its content. `heading` is the page's h1 and its title.
Html open_page(const Address& address, std::string_view heading, Tab tab);
/// The rest of it.
std::string close_page(Html page, const SuiteView& view);

/// The verdict's letter in its shape and colour, with its name for a screen reader; and a mark where it is stale.
void chip(Html& html, Verdict verdict, bool stale = false);
/// The class of a verdict's shape and colour: `v-pass`.
Markup shape_of(Verdict verdict);
/// A verdict with its name: chip and word.
void named_chip(Html& html, Verdict verdict, bool stale = false);

/// A link to a statement of the ledger, or its id where the ledger has none.
void statement_link(Html& html, const SuiteIndex& index, std::string_view id);
void case_link(Html& html, const SuiteIndex& index, std::string_view id);
void column_link(Html& html, const Column& column);

/// What carries a verdict, in words: `0 of 2 000 armed trials; control 1 999 of 2 000`.
void evidence_words(Html& html, const ColumnCell& cell, const SuiteCase& tested);

/// Columns that the pages of statements and cases list one by one.
inline constexpr std::size_t most_listed_columns = 100;

/// The cells of a case: a row a column, a column a route. Columns beyond the limit are counted by verdict, and named
/// where a verdict speaks against them.
void cells_table(Html& html, const SuiteIndex& index, std::span<const Column> columns, std::size_t case_index);

/// `section`'s heading with an anchor.
void heading(Html& html, std::string_view anchor, std::string_view text);

} // namespace pdlcts::site
