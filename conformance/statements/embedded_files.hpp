// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"

namespace pdlcts {

/// The files of the ledger as they were built into this program, in the order of their names. Defined in a source that
/// the build generates, after it has read them without error.
std::vector<LedgerFile> embedded_ledger_files();

} // namespace pdlcts
