// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/export/archive.hpp"
#include "reports/results/results.hpp"

#include <vector>

/// What a bug report of one cell is made of.
namespace pdlcts {

/// A folder name for a cell: `visibility-post-trigger-writes-on-stream`.
std::string bundle_name(const Cell& cell);

/// The files, README.md first. `place` is the index of the cell in the results that it was run in; `listed` is the case
/// as this program has it, or the user's own file, which may differ from what ran: the README then says so.
std::vector<PackedFile> bundle_files(const Results& results, std::size_t place, const Case& listed,
                                     const Ledger& ledger);

} // namespace pdlcts
