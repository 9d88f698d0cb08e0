// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/export/cpp_text.hpp"
#include "harness/export/side.hpp"

namespace pdlcts {

/// The comment that a reproducer begins with: what is claimed, by which document, of which program, and how to build,
/// run and read it.
void write_header(CppText& out, const Reproduced& reproduced, const Ledger& ledger);

} // namespace pdlcts
