// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/export/cpp_text.hpp"
#include "harness/export/side.hpp"

/// What a reproducer judges by, and how.
namespace pdlcts {

/// The claim as functions of an outcome.
void write_claim(CppText& out, const Reproduced& reproduced);

/// The programs as data: what runs them, what their graphs have to be, what the machine allows.
void write_sides(CppText& out, const Reproduced& reproduced);

/// From counts to the verdict, by the suite's rules (harness/judge) as far as they concern this case.
/// (verdict_text.cpp)
void write_verdict(CppText& out, const Reproduced& reproduced);

/// Whether a verdict may be drawn from the case's statement at all.
bool is_judged(const Reproduced& reproduced);

/// Whether no document says what the plan of the program, or of its control, has to be.
bool is_undocumented(const Reproduced& reproduced);

} // namespace pdlcts
