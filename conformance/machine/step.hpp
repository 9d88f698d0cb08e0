// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <functional>

/// One step of the machine. The rules, and the statements that they implement, are in README.md of this folder.
namespace pdlcts::machine {

/// What a step did, small enough to keep one for every state.
struct Step {
    enum class Kind : std::uint8_t { none, begin, perform, barrier };
    Kind kind = Kind::none;
    std::uint16_t subject = 0; ///< a node that begins, or the class of the block that does something
    std::uint8_t role = 0;
    std::uint8_t operation = 0;
    std::uint32_t value = 0;   ///< what was read
    std::uint32_t threads = 1; ///< that took the step together (of a barrier: blocks)
};

/// Gives `found` the states that one step leads to, normalised: all of them, or a single one where a step loses no
/// execution by being taken first. Returns whether there was one, or an execution that had to be given up because it
/// contradicts itself: otherwise the state is stuck.
bool for_each_step(const Code& code, const State& state, const std::function<void(State&&, const Step&)>& found);

/// The step as a line for a person.
std::string print(const Code& code, const Step& step);

} // namespace pdlcts::machine
