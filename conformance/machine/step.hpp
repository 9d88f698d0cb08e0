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

/// Takes a state that a step leads to, normalised.
using Found = std::function<void(State&&, const Step&)>;

/// What a block, or blocks that are alike, would do next, the most urgent first: steps that lose no execution by being
/// taken first are taken alone.
struct Turn {
    enum class Kind : std::uint8_t { barrier, without_choice, independent, choice };
    Kind kind = Kind::choice;
    Place place;       ///< the thread; of a barrier and of a choice only the block
    int performed = 0; ///< by an independent thread: threads that end are forgotten, so that few states are met
};

Turn turn_of(const Code& code, const State& state, std::size_t block);
bool goes_before(const Turn& one, const Turn& other);

/// Gives `found` all that a turn leads to. Returns whether there was something, or an execution that had to be given up
/// because it contradicts itself: where no block has either, the state is stuck.
bool take(const Code& code, const State& state, const Turn& turn, const Found& found);

/// All blocks of an eligible node begin.
void begin_node(const Code& code, const State& state, std::size_t node, const Found& found);

/// The same for a whole state: a node that may begin, else the turn that goes before all others, else every choice.
bool for_each_step(const Code& code, const State& state, const Found& found);

/// The step as a line for a person.
std::string print(const Code& code, const Step& step);

} // namespace pdlcts::machine
