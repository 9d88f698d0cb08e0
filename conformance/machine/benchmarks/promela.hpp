// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/machine/benchmarks/spelled_out.hpp"

#include <set>
#include <string>
#include <string_view>

/// A plan as a model for SPIN: a process for each thread, one indivisible step for each instruction and each choice
/// that it has, as in the machine.
///
/// | machine's rule | in the model |
/// |---|---|
/// | instructions that PTX leaves unordered | a control state for each set of performed instructions |
/// | a location's writes in an order, any place | `p0[write]`: the place of each write, 0 where it is still to come |
/// | a thread's view | `k0`: the newest write of location 0 that the thread knows; `a0`: what it has seen released;
/// `r0`: what it knew at its last release fence | | what a write releases | `m0_1_2`: the newest write of location 2
/// that a reader of write 1 of location 0 may know | | triggers and exits, counted for each block | `triggered0`,
/// `gone0` of a node, `has_triggered0`, `left0` of a block | | completion, and triggers behind a fence | `c0_1`,
/// `t0_1`: the newest write of location 1 that they bring | | results | `result0`: the set of values, as bits |
///
/// It is kept as small as SPIN likes it: nothing is declared that no other step reads, a block begins as part of its
/// threads' first steps, and views of threads that have exited are set to 0.
namespace pdlcts::spin {

/// An error says that a thread has more orders than are worth spelling out.
Result<std::string> promela(const SpelledOut& plan);

/// The outcomes in what the model's verifier has printed, a line `outcome BITS...` for each.
std::set<Outcome> outcomes_of(const SpelledOut& plan, std::string_view printed);

} // namespace pdlcts::spin
