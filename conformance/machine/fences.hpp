// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/memory.hpp"

namespace pdlcts::machine {

/// Needs no choice, so it changes the state that it is given; threads that are counted together may pass it together.
/// False: the execution contradicts itself.
bool fence(const Code& code, State& state, const Place& place, const Operation& operation);

/// PTX 8.10.2: fence.sc operations that are morally strong stand in one order, and each synchronises with the later
/// ones. The thread stands alone.
bool sc_fence(const Code& code, const State& state, const Place& place, const Operation& operation,
              const Performed& performed);

/// `fence.proxy.async`: what is known of generic accesses the asynchronous proxy knows too.
void proxy_fence(const Code& code, State& state, const Place& place);

/// Generic knowledge that a boundary between kernels hands to every proxy.
void know_in_every_proxy(const Code& code, View& view);

} // namespace pdlcts::machine
