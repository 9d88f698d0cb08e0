// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/moves.hpp"

namespace pdlcts::machine {
namespace {

/// Where hardly any move is met twice, remembering them all would take more memory than the states.
constexpr std::size_t most_remembered = std::size_t{1} << 18;

} // namespace

State Moves::state_of(Number shared, std::uint64_t elsewhere) {
    State state;
    static_cast<Shared&>(state) = parts_.in_full(shared);
    state.elsewhere.has_blocks = true;
    state.elsewhere.prospects = elsewhere;
    return state;
}

State Moves::state_of(Number shared, Number blocks, std::uint64_t elsewhere, bool is_last) {
    State state = state_of(shared, elsewhere);
    const BlocksPart& part = parts_.blocks(blocks);
    state.blocks.emplace_back(parts_.block(blocks), part.count);
    if (is_last) {
        const std::size_t node = code_.classes[part.block_class].node;
        state.nodes[node].exited = code_.nodes[node].blocks - part.count;
    }
    return state;
}

Successor Moves::successor(Number before, State&& next, const Step& step, std::uint64_t cells) {
    Successor made;
    for (std::size_t node = 0; node < next.nodes.size(); ++node) {
        NodeState& state = next.nodes[node];
        state.exited = is_complete(code_, next, node) ? state.exited : 0;
        state.triggered_or_exited = 0;
    }
    made.shared = parts_.number_of(static_cast<Shared&&>(next));
    for (const auto& [block, count] : next.blocks) {
        made.blocks.push_back(parts_.number_of(block, count));
    }
    made.effect = parts_.effect(before, made.shared, std::move(next.elsewhere), cells);
    made.results = std::move(next.results);
    made.step = step;
    return made;
}

void Moves::look(Number shared, Number blocks, std::uint64_t elsewhere, bool is_last) {
    Move move;
    move.turn = turn_of(code_, state_of(shared, blocks, elsewhere, is_last), 0);
    moves_.push_back(std::move(move));
}

void Moves::take(Move& move, Number shared, Number blocks, std::uint64_t elsewhere, bool is_last, std::uint64_t cells) {
    const State state = state_of(shared, blocks, elsewhere, is_last);
    move.moved = machine::take(code_, state, move.turn, [&](State&& next, const Step& step) {
        move.successors.push_back(successor(shared, std::move(next), step, cells));
    });
    move.is_taken = true;
}

const Move& Moves::begin(Number shared, std::size_t node, std::uint64_t elsewhere) {
    const auto number = numbers_.add({shared, static_cast<Number>(Parts::none - node), static_cast<Number>(elsewhere),
                                      static_cast<Number>(elsewhere >> 32), 0});
    if (number.is_new) {
        Move move;
        begin_node(code_, state_of(shared, elsewhere), node, [&](State&& next, const Step& step) {
            move.successors.push_back(successor(shared, std::move(next), step, parts_.every_cell()));
        });
        move.moved = move.is_taken = true;
        moves_.push_back(std::move(move));
    }
    return moves_[number.number];
}

void Moves::forget_too_many() {
    if (moves_.size() > most_remembered) {
        numbers_ = {};
        moves_.clear();
        parts_.forget();
    }
}

} // namespace pdlcts::machine
