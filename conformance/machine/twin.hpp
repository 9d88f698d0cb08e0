// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <optional>
#include <set>

/// The abstract machine once more, for tests: written apart, straight from the rules, and by brute force. Every block
/// and every thread is spelled out, blocks begin one at a time and at any time, every step is a choice, nothing is
/// counted and nothing forgotten. What the machine takes as a short cut is held against this.
///
/// Where the machine keeps views, this keeps the history: which instructions have been performed, what each has read,
/// and each location's coherence order. What an instruction knows is what the instructions before it, in program order,
/// have gained.
namespace pdlcts::twin {

struct Exploration {
    std::set<Outcome> outcomes;
    bool stuck = false; ///< some execution stops before every node has completed
    std::size_t states = 0;
};

/// Nothing where there are more states than that, or more than 64 locations and performed instructions.
std::optional<Exploration> explore(const Program& program, const Plan& plan, std::size_t limit);

} // namespace pdlcts::twin
