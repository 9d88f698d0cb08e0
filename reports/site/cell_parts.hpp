// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/cell.hpp"
#include "harness/judge/native_cell.hpp"
#include "reports/site/html.hpp"

#include <string_view>

/// A cell's evidence, as the pages of cases and of columns show it.
namespace pdlcts::site {

/// Rows that a table shows; of more it says how many there are.
inline constexpr std::size_t most_rows = 64;

/// A native check's questions and answers.
void probes_table(Html& html, const NativeCell& cell);

/// Gaps between grids: quantiles as a table, with a bar from the 5th to the 95th percentile.
void latency_table(Html& html, const std::vector<Latency>& latency);

/// The dependencies that were expected, and those that were read back from the driver.
void structure_list(Html& html, const Structure& structure, std::string_view of);

/// Median and worst trial; a sentence where there is no picture.
void pictures(Html& html, const Cell& cell, std::string_view name);

} // namespace pdlcts::site
