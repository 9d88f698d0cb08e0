// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <optional>
#include <set>

/// What a plan may do, once more, for tests: written apart from the machine, from the axioms of PTX's memory
/// consistency model (PTX ISA, chapter 8) and by brute force. Every block and thread is spelled out. Every read is
/// given every write that it might read from, every choice that is left to chance is made in every way, and an
/// execution is kept if it satisfies the axioms as they stand and if its steps can be put in an order in time.
/// Nothing is executed, so nothing has a state. What the machine takes as a short cut is held against this.
namespace pdlcts::twin {

struct Exploration {
    std::set<Outcome> outcomes;
    /// Threads wait for each other at barriers, so that no execution ends.
    bool stuck = false;
    /// Executions looked at, complete or in part.
    std::size_t attempts = 0;
};

/// Nothing where more attempts than that are needed, where the program has too many events, or where it uses an
/// mbarrier in a way that PTX leaves undefined.
std::optional<Exploration> explore(const Program& program, const Plan& plan, std::size_t limit);

} // namespace pdlcts::twin
