// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

/// What makes threads of a class alike again that differ in nothing that anybody could still tell, so that a grid of
/// thousands of blocks is as cheap as three. Not while a fence.sc is still to come, for which the past matters.
namespace pdlcts::machine {

/// Racing weak stores of one value become one (merge_twins), where no other write of the cell is still to come.
void merge_racing_stores(const Code& code, State& state);

/// A counter that is only added to and awaited: of values that nobody awaits the last is enough.
void forget_counts(const Code& code, State& state);

/// Lets blocks that were elsewhere forget a cell that forget_counts has forgotten.
void follow_forgotten(const Code& code, Counted<Block>& blocks, Cell cell);

/// What only a grid's completion can hand on is kept there.
void hand_to_completions(const Code& code, State& state);

} // namespace pdlcts::machine
