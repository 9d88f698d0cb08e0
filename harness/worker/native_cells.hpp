// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/native_case.hpp"
#include "harness/gpu/gpu.hpp"
#include "harness/judge/native_cell.hpp"

#include <span>
#include <string>
#include <vector>

/// The cells of native checks.
namespace pdlcts {

/// The built-in native checks that a pattern selects; all where there is no pattern.
std::vector<NativeCase> select_native_cases(const std::vector<std::string>& patterns);

/// A cell without its evidence.
NativeCell describe(const NativeCase& listed, const Ledger& ledger);

/// Whether the cell asked the questions of the check's page, as it is here.
bool is_of_this_check(const NativeCell& cell, const NativeCase& listed);

/// Calls the check on a GPU. Where this program holds no code for it, and where the GPU or the toolkit is below what
/// the statement is about, the cell says so and nothing is called.
NativeCell probe(Gpu& gpu, const NativeCase& listed, const Ledger& ledger);

/// What a results file says of native checks, held against the checks of this suite: one of another statement, a digest
/// that is not that of the page and the questions, a check that `every_case` promises and that is not there.
std::vector<std::string> review_native(std::span<const NativeCell> cells, const Ledger& ledger, bool every_case);

} // namespace pdlcts
