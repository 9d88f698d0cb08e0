// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/parts.hpp"

namespace pdlcts::machine {

/// What one step makes of the parts that it depends on.
struct Successor {
    Number shared = 0;
    std::vector<Number> blocks; ///< in the place of those that took the step; of a begin: new ones
    Number effect = Parts::none;
    std::vector<std::pair<int, std::uint32_t>> results; ///< that it has added
    Step step;
};

/// What blocks can do next.
struct Move {
    Turn turn;
    bool is_taken = false; ///< whether the rest is known
    bool moved = false;    ///< what `take` returns
    std::vector<Successor> successors;
};

/// Asks the rules what a block can do, and remembers the answer.
class Moves {
public:
    Moves(const Code& code, Parts& parts) : code_(code), parts_(parts) {}

    /// The number of what blocks can do where others have these prospects; `is_last`: there are no other blocks of
    /// their node.
    Number of(Number shared, Number blocks, std::uint64_t elsewhere, bool is_last) {
        const auto number = numbers_.add(
            {shared, blocks, static_cast<Number>(elsewhere), static_cast<Number>(elsewhere >> 32), is_last ? 1U : 0U});
        if (number.is_new) {
            look(shared, blocks, elsewhere, is_last);
        }
        return number.number;
    }
    Move& operator[](Number move) { return moves_[move]; }

    /// Finds out what a move leads to, where the blocks' interest is in these cells.
    void take(Move& move, Number shared, Number blocks, std::uint64_t elsewhere, bool is_last, std::uint64_t cells);

    /// That a node begins.
    const Move& begin(Number shared, std::size_t node, std::uint64_t elsewhere);

    /// Forgets what is remembered where that is too much.
    void forget_too_many();

private:
    void look(Number shared, Number blocks, std::uint64_t elsewhere, bool is_last);
    State state_of(Number shared, std::uint64_t elsewhere);
    State state_of(Number shared, Number blocks, std::uint64_t elsewhere, bool is_last);
    Successor successor(Number before, State&& next, const Step& step, std::uint64_t cells);

    const Code& code_;
    Parts& parts_;
    KeyTable<5> numbers_;
    std::vector<Move> moves_;
};

} // namespace pdlcts::machine
