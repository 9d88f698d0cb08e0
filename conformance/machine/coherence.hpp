// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <functional>
#include <vector>

/// The coherence order of a cell's writes: partial, as PTX 8.9.6 has it. It relates writes that are morally strong or
/// in causality order, and what follows from that by transitivity; writes that race stay unrelated.
namespace pdlcts::machine {

/// Whether the write at one place precedes the one at another.
bool precedes(const Messages& messages, std::uint16_t earlier, std::uint16_t later);

/// Whether a write that is known comes behind the one at a place, so that no read can return it. `key`: the cell's, or
/// that of the asynchronous proxy.
bool is_hidden(const Messages& messages, std::uint16_t place, const View& known, std::uint16_t key);

/// For each write of a cell whether it precedes a new one, or follows it, or neither.
enum class Side : std::uint8_t { unrelated, before, behind };
using Sides = std::vector<Side>;

/// Calls a function with every way to put a new write among those of its cell. `before` holds those that precede it in
/// causality order, `behind` those that it precedes; those of `strong` are morally strong with it and have to precede
/// or follow; of those of `free` any may be made to precede it.
void for_each_order(const Messages& messages, const std::vector<bool>& before, const std::vector<bool>& behind,
                    const std::vector<bool>& strong, const std::vector<bool>& free,
                    const std::function<void(const Sides&)>& found);

/// Puts a write into its cell's order and returns its place; every view in the state moves along.
std::uint16_t insert(const Code& code, State& state, Cell cell, const Sides& sides, Message message);

/// Lets blocks that were elsewhere follow a cell's writes to their new places.
void follow_moved(const Code& code, Counted<Block>& blocks, Cell cell, const std::vector<std::uint16_t>& new_place);

/// Makes one write precede another, with what follows from that; false, and nothing done, when it cannot.
bool relate(const Code& code, State& state, Cell cell, std::uint16_t earlier, std::uint16_t later);

/// Makes one of racing weak writes that nothing tells apart, so that many threads that store one value are as cheap as
/// two. Only where nothing but such a store is still to come: another write could follow one of them alone.
void merge_twins(const Code& code, State& state, Cell cell);

} // namespace pdlcts::machine
