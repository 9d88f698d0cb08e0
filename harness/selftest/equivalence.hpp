// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/selftest/explorations.hpp"
#include "harness/selftest/mutant.hpp"

#include <vector>

namespace pdlcts {

/// Why the claim of a case cannot tell a mutant from the sound program in a cell, by the abstract machine; empty
/// where it can, or where the machine cannot decide.
///
/// They are alike where program and control of the mutant have no outcome that those of the sound case lack, and the
/// claim sees the same in both: outcomes that are armed and violate, that are armed alone, and so on. An equivalence
/// speaks of the plan itself, which has to be the same then.
/// Of a mutant that touches what is measured the machine cannot say so.
std::string why_equivalent(const Litmus& sound, const MutatedCase& mutated, const Mutant& mutant, const Cell& cell,
                           Explorations& explorations);

} // namespace pdlcts
