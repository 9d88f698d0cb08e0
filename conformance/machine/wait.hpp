// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

namespace pdlcts::machine {

/// wait.blocks-until-completion, wait.covers-all-prerequisites: whether every prerequisite of the thread's grid
/// (NodeCode::prerequisites) is complete.
bool may_return_from_wait(const Code& code, const State& state, const Place& place);

/// wait.blocks-executing-thread, visibility.after-wait.all-memory-ops: the thread, and it alone, knows all that the
/// prerequisites have written.
void wait(const Code& code, State& state, const Place& place);

/// What a thread of a node knows by other means than the wait.
View known_without_wait(const Code& code, const State& state, std::size_t node, View known);

/// Whether no thread of a block may go on because one of it waits; never so without a fault.
bool is_held_by_wait(const Code& code, const State& state, std::size_t block);

} // namespace pdlcts::machine
