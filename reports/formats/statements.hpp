// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "reports/results/judged.hpp"

#include <map>
#include <string>

namespace pdlcts {

/// The verdict of each statement that has a cell in the file. Cells that name no statement are in none.
std::map<std::string, StatementVerdict> statement_verdicts(const JudgedResults& file);

/// 13000 is 13.0, as cudaRuntimeGetVersion counts; empty where it is 0.
std::string toolkit_version(int version);

} // namespace pdlcts
