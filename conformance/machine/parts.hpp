// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/key_table.hpp"
#include "conformance/machine/state_table.hpp"
#include "conformance/machine/step.hpp"

#include <deque>

/// What states consist of, numbered, so that a state is a short list of numbers.
///
/// A step is one block's. It depends on that block, on what all share, and on the other blocks only by what they may
/// still do (Code::prospects); and it changes the others only where the writes that they know change (Change). Of
/// memory it depends on the cells that the block may still access or knows writes of (Parts::interest). There are few
/// such parts, and millions of states that combine them: what a part can do is found out by the rules once, and looked
/// up from then on (moves.hpp).
namespace pdlcts::machine {

using Number = std::uint32_t;

/// Whether a code's parts fit: at most 64 nodes, cells and prospects, and no fence.sc that may stand before an earlier
/// one, for which all of the past matters. Otherwise states are explored as wholes.
bool has_parts(const Code& code);

/// What all blocks share, but for memory. How many blocks of a node have triggered or exited is counted from the blocks
/// that are left: here `exited` is 0 until the node is complete, and `triggered_or_exited` always.
struct RestPart {
    Shared shared; ///< without memory
    bool is_final = false;
    std::vector<std::uint16_t> not_begun; ///< nodes
    std::uint64_t mentions = 0;           ///< cells: of all writes that a view of it holds
};

/// The writes of a cell.
struct CellPart {
    Messages writes;
    std::uint64_t mentions = 0; ///< cells: of all writes that a view of them holds
};

/// What all blocks share: the rest, and the cells.
struct SharedPart {
    Number rest = 0;
    bool has_mentions = false; ///< whether the writes of a cell hold views
};

/// Blocks that are alike. Sets are bits. The search looks at it for every block of every state, so it is small, and
/// what the blocks are in full stands apart.
struct BlocksPart {
    unsigned count = 0;
    Number kind = 0; ///< the same for blocks that differ in `count` alone
    std::uint16_t block_class = 0;
    std::uint64_t prospects = 0;
    std::uint64_t known_cells = 0; ///< of all writes that a view of it holds
    std::uint64_t own_cells = 0;   ///< those, and all that it may still access
    std::uint64_t node = 0;
    std::uint64_t not_triggered = 0; ///< its node, where it has not triggered
};

/// What blocks have to follow that were elsewhere when a step was taken.
struct Effect {
    std::vector<Change> changes;
    std::vector<bool> dead_cells;
    std::uint64_t cells = 0; ///< whose writes changed: nobody else has to follow
};

class Parts {
public:
    explicit Parts(const Code& code);

    Number number_of(Shared&& shared);
    Number number_of(const Block& block, unsigned count);
    /// The same blocks, but so many.
    Number counted(Number blocks, unsigned count);

    const RestPart& rest(Number shared) const { return rests_[shared_[shared].rest]; }
    Shared in_full(Number shared);
    std::size_t shared_parts() const { return shared_.size(); }
    const BlocksPart& blocks(Number number) const { return blocks_[number]; }
    const Block& block(Number blocks) const { return kinds_in_full_[blocks_[blocks].kind]; }
    /// Whether blocks stand before others in a state.
    bool is_less(Number one, Number other) const {
        return blocks_[one].block_class != blocks_[other].block_class
                   ? blocks_[one].block_class < blocks_[other].block_class
                   : block(one) < block(other);
    }

    std::uint64_t every_cell() const { return every_cell_; }
    /// The cells that a step of these blocks can depend on, or change: the others' writes can be any. What stands in
    /// one view together stands here together.
    std::uint64_t interest(Number shared, Number blocks) {
        const std::uint64_t cells = blocks_[blocks].own_cells | rest(shared).mentions;
        return shared_[shared].has_mentions ? with_mentions(shared, cells) : cells;
    }
    /// What others may still do (bits of Code::prospects), as far as it is about these cells.
    std::uint64_t about(std::uint64_t prospects, std::uint64_t cells) const;
    /// The same, but nothing written in other cells.
    Number reduced(Number shared, std::uint64_t cells);
    /// The same, but these cells and the rest as in another.
    Number replaced(Number shared, std::uint64_t cells, Number by);

    /// The number of a step's effect on blocks elsewhere; `none` where they need not follow. `cells`: its interest.
    Number effect(Number before, Number after, Elsewhere&& elsewhere, std::uint64_t cells);
    std::uint64_t cells_of_effect(Number effect) const { return effects_[effect].cells; }
    /// What an effect makes of blocks. `shared`: what the step has led to, with all cells that the blocks know.
    Number behind(Number effect, Number shared, Number blocks);
    /// Forgets effects, and what was reduced and replaced.
    void forget();

    static constexpr Number none = 0xffffffff;

private:
    Number number_of_key();
    void read_key(Number shared);
    std::uint64_t with_mentions(Number shared, std::uint64_t cells);

    const Code& code_;
    std::uint64_t every_cell_ = 0;
    std::vector<std::uint64_t> cells_of_prospects_; ///< of each prospect; all where it is about no cell
    std::string bytes_;
    std::vector<Number> key_; ///< the rest, and the cells, of what is being numbered
    StateTable rest_numbers_;
    std::deque<RestPart> rests_;
    StateTable cell_numbers_; ///< the number 0 is a cell that nobody has written
    std::deque<CellPart> cells_;
    StateTable shared_numbers_;
    std::vector<SharedPart> shared_;
    KeyTable<3> reductions_; ///< a shared part, and cells
    std::vector<Number> reduced_;
    KeyTable<4> replacements_; ///< a shared part, cells, and another
    std::vector<Number> replaced_;
    StateTable kinds_;
    std::deque<Block> kinds_in_full_;
    KeyTable<2> blocks_numbers_; ///< of a kind, so many
    std::vector<BlocksPart> blocks_;
    std::deque<Effect> effects_;
    KeyTable<3> followed_; ///< an effect, what it has led to, and blocks
    std::vector<Number> behind_;
};

} // namespace pdlcts::machine
