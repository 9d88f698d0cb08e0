// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"

#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

/// A state of the machine, as plain values.
namespace pdlcts::machine {

/// Things that are alike are counted instead of spelled out: sorted, each with its number, when normalised.
template <typename T>
using Counted = std::vector<std::pair<T, unsigned>>;

/// For each location the place, in the location's coherence order, of the newest write that is known of.
using View = std::vector<std::uint16_t>;

/// One write. Its place in the location's order is its index.
struct Message {
    std::uint32_t value = 0;
    /// The write's scope, and whether it is strong: weak writes synchronise with nothing.
    bool strong = false;
    Scope scope = Scope::sys;
    /// An atomic's write, and the place of the write that it read: nothing morally strong comes between.
    bool atomic = false;
    std::uint16_t read = 0;
    /// Tells blocks apart where that matters; the index of the block's class.
    std::uint16_t block = 0;
    /// What releases of a scope wider than a block let a reader know. Empty means nothing.
    View released;
    /// What releases of any scope let readers of their own block know, for each block: sorted. An atomic passes on
    /// releases of other blocks, and those of block scope are for the blocks that they came from.
    std::vector<std::pair<std::uint16_t, View>> released_in_block;
    auto operator<=>(const Message&) const = default;
};

struct Knowledge {
    /// Writes that happen before whatever the thread does next.
    View causal;
    /// What relaxed reads have seen released: an acquire fence turns it into knowledge.
    View acquirable[level_count];
    /// What the thread knew at its last release fence.
    View released[level_count];
    auto operator<=>(const Knowledge&) const = default;
};

struct Thread {
    std::uint64_t performed = 0; ///< bits of the role's operations
    Knowledge known;
    /// The newest writes that strong operations of the thread have read or written, where causality does not say more.
    View coherent;
    /// What an operation has let the thread know that was performed before an earlier one of the thread: the earlier
    /// one knows nothing of it (PTX 8.8: a release covers what precedes it in program order). Sorted.
    std::vector<std::pair<std::uint8_t, Knowledge>> ahead;
    auto operator<=>(const Thread&) const = default;
};

/// A block that has begun and not exited.
struct Block {
    std::uint16_t block_class = 0;
    bool triggered = false;
    std::vector<Counted<Thread>> roles; ///< for each role its threads that have not exited
    auto operator<=>(const Block&) const = default;
};

struct NodeState {
    bool begun = false;
    unsigned triggered_or_exited = 0; ///< blocks; a block that exits without a trigger counts when it exits
    unsigned exited = 0;
    View completion; ///< join of the final views of all its threads so far
    View trigger;    ///< join of what first triggers behind a release fence have released
    auto operator<=>(const NodeState&) const = default;
};

struct State {
    Counted<Block> blocks;
    std::vector<NodeState> nodes;
    std::vector<std::vector<Message>> memory;
    View sc_fences;                                     ///< what the last fence.sc of a scope wider than a block knew
    std::vector<std::pair<int, std::uint32_t>> results; ///< sorted, without duplicates
    auto operator<=>(const State&) const = default;
};

State initial_state(const Code& code);

bool is_complete(const Code& code, const State& state, std::size_t node);
bool is_final(const Code& code, const State& state);

/// Whether every dependency of a node has fired.
bool is_eligible(const Code& code, const State& state, std::size_t node);

void join(View& view, const View& other);
void join(Knowledge& knowledge, const Knowledge& other);

/// What an operation of a thread may know: what those before it in program order have let the thread know.
Knowledge knowledge_before(const Thread& thread, std::size_t operation);

/// Moves what was learned ahead to what is known, as soon as no earlier operation is left that could tell the
/// difference.
void settle(const Role& role, Thread& thread);

/// Makes room in a location's order: every view in the state that knows of a place at or behind `place` moves along.
void insert_message(State& state, std::uint16_t location, std::uint16_t place, Message message);

/// One thread of a state.
struct Place {
    std::size_t block = 0;  ///< index into State::blocks
    std::size_t role = 0;   ///< index into Block::roles
    std::size_t thread = 0; ///< index into the role's threads
};

Thread& thread_at(State& state, const Place& place);
const Thread& thread_at(const State& state, const Place& place);

/// Splits one thread of one block from those that it is counted with, and says where it stands then.
Place single_out(State& state, const Place& place);

/// Sorts and merges what is counted and forgets what no later step can tell, so that equal futures are equal states.
void normalise(const Code& code, State& state);

} // namespace pdlcts::machine
