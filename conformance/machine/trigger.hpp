// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

namespace pdlcts::machine {

/// trigger.kickoff-requires-all-blocks, trigger.exit-counts-as-trigger: whether every block of a node has triggered or
/// exited.
bool is_triggered(const Code& code, const State& state, std::size_t node);

/// Only the first trigger of a block counts (trigger.repeat-idempotent).
void trigger(const Code& code, State& state, const Place& place);

/// trigger.implicit-on-exit: `blocks` alike that have exited count as triggered, if they have not triggered before.
void trigger_by_exit(const Code& code, NodeState& node, Block& block, unsigned blocks);

/// visibility.release-fence-gpu-same-domain, visibility.release-fence-sys-any-domain: what the first triggers of a
/// node let a dependent grid know.
View released_by_triggers(const Code& code, const State& state, std::size_t upstream, std::size_t node);

/// Whether another trigger of the block could come first, and be the one that counts.
bool has_other_trigger(const Code& code, const State& state, const Place& place);

} // namespace pdlcts::machine
