// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <functional>

/// What memory instructions and fences do to a state: the part of the machine that is PTX's memory consistency model
/// (PTX ISA, chapter 8), told with views.
///
/// Operations of a thread are performed in program order, but a write may be performed before reads and sequentially
/// consistent fences that precede it (may_run_ahead): that is all that load buffering needs, because a read can return
/// an old write at any time and a write can be put anywhere that coherence leaves open. What an earlier operation then
/// learns is checked against what has run ahead; where it contradicts, the execution is given up.
namespace pdlcts::machine {

/// The thread of a place stands alone: single_out (state.hpp) has split it from those that it was counted with, except
/// for a fence, which all of them may pass together.

/// Takes a state that an instruction can lead to, and the value that it read.
using Performed = std::function<void(State&&, std::uint32_t)>;

/// Whether a write may be performed although operations before it are pending.
bool may_run_ahead(const Role& role, const Thread& thread, const Operation& operation);

/// Needs no choice, so it changes the state that it is given. False: the execution contradicts itself.
bool fence(const Code& code, State& state, const Place& place, const Operation& operation);

/// PTX 8.10.2: fence.sc operations that are morally strong stand in one order, and each synchronises with the later
/// ones.
bool sc_fence(const Code& code, const State& state, const Place& place, const Operation& operation,
              const Performed& performed);

/// `fence.proxy.async`: what is known of generic accesses the asynchronous proxy knows too.
void proxy_fence(const Code& code, State& state, const Place& place);

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

/// Lets a thread know what an operation of it has learned; false when that contradicts what has run ahead.
bool learn(const Code& code, State& state, const Place& place, const Operation& operation, View learned);

/// Publishes what writes that ran ahead release, once nothing before them is pending.
void finish_writes(const Code& code, State& state, const Place& place);

/// The releases of a list that an acquire by someone, with a scope, synchronises with.
View acquired(const Code& code, const std::vector<Release>& releases, std::uint16_t who, Scope scope);

/// Generic knowledge that a boundary between kernels hands to every proxy.
void know_in_every_proxy(const Code& code, View& view);

} // namespace pdlcts::machine
