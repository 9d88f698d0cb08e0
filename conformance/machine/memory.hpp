// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <functional>

/// What memory instructions do to a state: the part of the machine that is PTX's memory consistency model
/// (PTX ISA, chapter 8), told with views.
namespace pdlcts::machine {

/// The thread of a place stands alone: single_out (state.hpp) has split it from those that it was counted with.

/// Takes a state that an instruction can lead to, and the value that it read.
using Performed = std::function<void(State&&, std::uint32_t)>;

/// A read returns any write that no known one hides (visibility.not-before-wait); a strong read of a morally strong
/// write knows it from then on. Each returns false when it gave an execution up.
bool load(const Code& code, const State& state, const Place& place, const Operation& operation,
          const Performed& performed);
bool store(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed);

/// `atom` and `red`: reads a write and puts its own behind it, with nothing morally strong between the two.
bool atomic(const Code& code, const State& state, const Place& place, const Operation& operation,
            const Performed& performed);

/// One relaxed read: 1 if a matching write may be read, or 0, always.
bool await(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed);

/// One element of a memcpy, or of a bulk copy by the asynchronous proxy.
bool copy(const Code& code, const State& state, const Place& place, const Operation& operation,
          const Performed& performed);

} // namespace pdlcts::machine
