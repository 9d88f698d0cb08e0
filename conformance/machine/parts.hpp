// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/key_table.hpp"
#include "conformance/machine/state_table.hpp"
#include "conformance/machine/step.hpp"

#include <deque>

/// What states consist of, numbered, so that a state is a short list of numbers.
///
/// A step is one block's. It depends on that block, on what all share, and on the other blocks only by what they may
/// still do (Code::prospects); and it changes the others only where the writes that they know change (Change). There
/// are few such parts, and millions of states that combine them: what a part can do is found out by the rules once, and
/// looked up from then on (moves.hpp).
namespace pdlcts::machine {

using Number = std::uint32_t;

/// Whether a code's parts fit: at most 64 nodes, cells and prospects, and no fence.sc that may stand before an earlier
/// one, for which all of the past matters. Otherwise states are explored as wholes.
bool has_parts(const Code& code);

/// What all blocks share. How many blocks of a node have triggered or exited is counted from the blocks that are left:
/// here `exited` is 0 until the node is complete, and `triggered_or_exited` always.
struct SharedPart {
    Shared shared;
    bool is_final = false;
    std::vector<std::uint16_t> not_begun; ///< nodes
};

/// Blocks that are alike. Sets are bits. The search looks at it for every block of every state, so it is small, and
/// what the blocks are in full stands apart.
struct BlocksPart {
    unsigned count = 0;
    Number kind = 0; ///< the same for blocks that differ in `count` alone
    std::uint16_t block_class = 0;
    std::uint64_t prospects = 0;
    std::uint64_t known_cells = 0; ///< of all writes that a view of it holds
    std::uint64_t node = 0;
    std::uint64_t not_triggered = 0; ///< its node, where it has not triggered
};

/// What blocks have to follow that were elsewhere when a step was taken.
struct Effect {
    Number shared = 0; ///< behind the step
    std::vector<Change> changes;
    std::vector<bool> dead_cells;
    std::uint64_t cells = 0; ///< whose writes changed: nobody else has to follow
};

class Parts {
public:
    explicit Parts(const Code& code) : code_(code) {}

    Number number_of(const Shared& shared);
    Number number_of(const Block& block, unsigned count);
    /// The same blocks, but so many.
    Number counted(Number blocks, unsigned count);

    const SharedPart& shared(Number number) const { return shared_[number]; }
    const BlocksPart& blocks(Number number) const { return blocks_[number]; }
    const Block& block(Number blocks) const { return kinds_in_full_[blocks_[blocks].kind]; }
    /// Whether blocks stand before others in a state.
    bool is_less(Number one, Number other) const {
        return blocks_[one].block_class != blocks_[other].block_class
                   ? blocks_[one].block_class < blocks_[other].block_class
                   : block(one) < block(other);
    }

    /// The number of a step's effect on blocks elsewhere; `none` where they need not follow.
    Number effect(Number before, Number after, const Elsewhere& elsewhere);
    std::uint64_t cells_of(Number effect) const { return effects_[effect].cells; }
    /// What an effect makes of blocks.
    Number behind(Number effect, Number blocks);
    void forget_effects();

    static constexpr Number none = 0xffffffff;

private:
    const Code& code_;
    std::string bytes_;
    StateTable shared_numbers_;
    std::deque<SharedPart> shared_;
    StateTable kinds_;
    std::deque<Block> kinds_in_full_;
    KeyTable<2> blocks_numbers_; ///< of a kind, so many
    std::vector<BlocksPart> blocks_;
    std::deque<Effect> effects_;
    KeyTable<2> followed_; ///< an effect, and blocks
    std::vector<Number> behind_;
};

} // namespace pdlcts::machine
