// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/export/cpp_text.hpp"
#include "harness/export/side.hpp"

/// The loop that runs trials, and what stands around it.
namespace pdlcts {

/// The exit codes of a reproducer, as its first comment lists them.
inline constexpr int reproducer_negative = 1;
inline constexpr int reproducer_usage = 2;
inline constexpr int reproducer_error = 3;

/// Checked calls, and what a trial has.
void write_calls(CppText& out, const Reproduced& reproduced);

/// Whether the GPU can run the case at all, asked before anything is launched; kernels are loaded.
/// (requirements_text.cpp)
void write_requirements(CppText& out, const Reproduced& reproduced);

/// Waiting with a deadline, and the trial loop.
void write_trials(CppText& out, const Reproduced& reproduced);

/// The histograms and the verdict.
void write_report(CppText& out, const Reproduced& reproduced);

/// The command line, and what happens in turn.
void write_main(CppText& out, const Reproduced& reproduced);

} // namespace pdlcts
