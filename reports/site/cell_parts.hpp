// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/gathered.hpp"
#include "reports/site/html.hpp"

#include <string_view>

/// A cell's evidence, as the pages of cases and of columns show it.
namespace pdlcts::site {

/// Outcomes of a cell's own trials beside what is allowed. `sums`: those over all columns too, where there are several.
void histogram_table(Html& html, const Cell& cell, const CellHistograms* sums);

/// A native check's questions and answers.
void probes_table(Html& html, const NativeCell& cell);

/// Gaps between grids: quantiles as a table, with a bar from the 5th to the 95th percentile.
void latency_table(Html& html, const std::vector<Latency>& latency);

/// The dependencies that were expected, and those that were read back from the driver.
void structure_list(Html& html, const Structure& structure, std::string_view of);

/// Median and worst trial; a sentence where there is no picture.
void pictures(Html& html, const Cell& cell, std::string_view name);

/// A bar of a share of 0 to 1, for the eye only.
void share_bar(Html& html, double share);

} // namespace pdlcts::site
