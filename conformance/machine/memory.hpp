// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <functional>

/// What memory instructions and fences do to a state: the part of the machine that is PTX's memory consistency model,
/// told with views.
namespace pdlcts::machine {

/// The thread of a place stands alone: single_out (state.hpp) has split it from those that it was counted with, except
/// for a fence, which all of them may pass together.

/// Takes a state that an instruction can lead to, and the value that it read.
using Performed = std::function<void(State&&, std::uint32_t)>;

/// Needs no choice, so it changes the state that it is given.
void fence(const Code& code, State& state, const Place& place, const Operation& operation);

/// A strong load reads any write at or behind the newest that it knows; a weak one any write that no happens-before
/// hides (visibility.not-before-wait).
void load(const Code& code, const State& state, const Place& place, const Operation& operation,
          const Performed& performed);

/// A write takes any place in its location's order that coherence leaves open.
void store(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed);

/// `atom` and `red`: reads a write and puts its own behind it, with nothing morally strong between the two.
void atomic(const Code& code, const State& state, const Place& place, const Operation& operation,
            const Performed& performed);

/// One relaxed read: 1 if a matching write may be read, or 0, always.
void await(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed);

} // namespace pdlcts::machine
