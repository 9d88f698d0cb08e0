// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

#include <string>

/// Pictures and latencies of results files, for a terminal. No verdict depends on them.
namespace pdlcts {

/// A table of all latencies in a file: a line for each pair of neighbouring grids of each cell. A sentence where there
/// is none.
std::string latency_text(const Results& results);

/// The same as a table in Markdown.
std::string latency_markdown(const Results& results);

/// The median and the worst trial of a cell: what each block did when, as a table and as bars over time. A sentence
/// where there is no picture.
std::string picture_text(const Cell& cell);

} // namespace pdlcts
