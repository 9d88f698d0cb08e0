// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/key_table.hpp"
#include "conformance/machine/moves.hpp"
#include "conformance/machine/pack.hpp"
#include "conformance/machine/state_table.hpp"
#include "conformance/machine/step.hpp"

#include <algorithm>
#include <cstring>

/// The states of a code, numbered in the order in which they are met, from 0 on, with their steps. What is asked of one
/// is asked of the one that was opened last; `for_each_step` calls `met(step, {number, is_new})` with every step of it,
/// and returns false where nothing can move.
namespace pdlcts::machine {

using Results = std::vector<std::pair<int, std::uint32_t>>;

inline void add_results(Results& results, const Results& added) {
    for (const auto& entry : added) {
        const auto position = std::lower_bound(results.begin(), results.end(), entry);
        if (position == results.end() || *position != entry) {
            results.insert(position, entry);
        }
    }
}

/// States as bytes that say everything.
class Wholes {
public:
    explicit Wholes(const Code& code) : code_(code) {
        State first = initial_state(code);
        normalise(code, first);
        add(first);
    }

    std::size_t size() const { return states_.size(); }
    void open(std::uint32_t index) { state_ = unpack(states_[index]); }
    bool is_final() const { return machine::is_final(code_, state_); }
    const Results& results() const { return state_.results; }

    template <typename Met>
    bool for_each_step(const Met& met) {
        return machine::for_each_step(code_, state_, [&](State&& next, const Step& step) { met(step, add(next)); });
    }

private:
    StateTable::Added add(const State& state) {
        pack(state, packed_);
        return states_.add(packed_);
    }

    const Code& code_;
    StateTable states_;
    std::string packed_;
    State state_;
};

/// Where few memories have been met, every step is known soon, and to look at its own cells alone gains nothing.
inline constexpr std::size_t default_few_shared_parts = 64;

/// States as lists of the numbers of their parts: what all share, the results, and blocks, sorted.
class Combinations {
public:
    explicit Combinations(const Code& code, std::size_t few_shared_parts = default_few_shared_parts)
        : code_(code), few_shared_parts_(few_shared_parts), parts_(code), moves_(code, parts_) {
        State first = initial_state(code);
        normalise(code, first);
        next_ = {parts_.number_of(static_cast<Shared&&>(first)), number_of(Results{})};
        add();
    }

    std::size_t size() const { return states_.size(); }

    void open(std::uint32_t index) {
        const std::string_view packed = states_[index];
        blocks_.resize(packed.size() / sizeof(Number) - 2);
        std::memcpy(&shared_, packed.data(), sizeof shared_);
        std::memcpy(&results_, packed.data() + sizeof shared_, sizeof results_);
        if (!blocks_.empty()) { // of none there is no address to copy to
            std::memcpy(blocks_.data(), packed.data() + 2 * sizeof(Number), blocks_.size() * sizeof(Number));
        }
    }

    bool is_final() const { return parts_.rest(shared_).is_final; }
    const Results& results() const { return results_of_[results_]; }

    template <typename Met>
    bool for_each_step(const Met& met) {
        moves_.forget_too_many();
        look_around();
        if (begin(met)) {
            return true;
        }
        const std::size_t count = blocks_.size();
        first_.clear();
        std::size_t first = 0;
        seen_.clear();
        for (std::size_t index = 0; index < count; ++index) {
            look_at_own_cells(index);
            first_.push_back(moves_.of(seen_[index].shared, blocks_[index], prospects_[index], is_last_[index]));
            if (index > 0 && goes_before(moves_[first_[index]].turn, moves_[first_[first]].turn)) {
                first = index;
            }
        }
        if (count > 0 && moves_[first_[first]].turn.kind != Turn::Kind::choice) {
            return take(first, met);
        }
        bool moved = false;
        for (std::size_t index = 0; index < count; ++index) {
            moved = take(index, met) || moved;
        }
        return moved;
    }

private:
    /// Of what all share, what a step of a block can depend on.
    struct Seen {
        Number shared = 0;
        std::uint64_t cells = 0;
    };

    void look_at_own_cells(std::size_t index) {
        Seen& seen = seen_.emplace_back(Seen{shared_, parts_.every_cell()});
        if (parts_.shared_parts() <= few_shared_parts_) {
            return;
        }
        const std::uint64_t cells = parts_.interest(shared_, blocks_[index]);
        if (cells != seen.cells) {
            seen = {parts_.reduced(shared_, cells), cells};
            prospects_[index] = parts_.about(prospects_[index], cells);
        }
    }

    /// What each of the blocks has elsewhere.
    void look_around() {
        const std::size_t count = blocks_.size();
        prospects_.assign(count, 0);
        is_last_.assign(count, true);
        std::uint64_t prospects = 0;
        std::uint64_t nodes = 0;
        not_triggered_ = 0;
        for (std::size_t index = 0; index < count; ++index) {
            const BlocksPart& part = parts_.blocks(blocks_[index]);
            prospects_[index] = prospects;
            is_last_[index] = (nodes & part.node) == 0;
            prospects |= part.prospects;
            nodes |= part.node;
            not_triggered_ |= part.not_triggered;
        }
        all_prospects_ = prospects;
        prospects = nodes = 0;
        for (std::size_t index = count; index-- > 0;) {
            const BlocksPart& part = parts_.blocks(blocks_[index]);
            prospects_[index] |= prospects;
            is_last_[index] = is_last_[index] && (nodes & part.node) == 0;
            prospects |= part.prospects;
            nodes |= part.node;
        }
    }

    template <typename Met>
    bool begin(const Met& met) {
        const RestPart& part = parts_.rest(shared_);
        const auto all_triggered = [&](std::size_t node) {
            return part.shared.nodes[node].begun && (not_triggered_ >> node & 1) == 0;
        };
        for (const std::uint16_t node : part.not_begun) {
            if (is_eligible(code_, part.shared, node, all_triggered)) {
                meet(moves_.begin(shared_, node, all_prospects_), blocks_.size(), {shared_, parts_.every_cell()}, met);
                return true;
            }
        }
        return false;
    }

    template <typename Met>
    bool take(std::size_t index, const Met& met) {
        Move& move = moves_[first_[index]];
        if (!move.is_taken) {
            moves_.take(move, seen_[index].shared, blocks_[index], prospects_[index], is_last_[index],
                        seen_[index].cells);
        }
        meet(move, index, seen_[index], met);
        return move.moved;
    }

    template <typename Met>
    void meet(const Move& move, std::size_t index, Seen seen, const Met& met) {
        for (const Successor& successor : move.successors) {
            next_.clear();
            next_.push_back(seen.cells == parts_.every_cell() ? successor.shared
                                                              : parts_.replaced(shared_, seen.cells, successor.shared));
            next_.push_back(results_);
            for (const auto& result : successor.results) {
                next_[1] = with(next_[1], result);
            }
            if (!keep_others(successor, index, seen.cells)) {
                others_.assign(next_.begin() + 2, next_.end());
                next_.resize(2);
                for (const Number blocks : others_) {
                    insert(blocks);
                }
            }
            for (const Number blocks : successor.blocks) {
                insert(blocks);
            }
            met(successor.step, add());
        }
    }

    /// Adds the blocks that were elsewhere, as an effect leaves them; false where their order may have changed.
    bool keep_others(const Successor& successor, std::size_t index, std::uint64_t seen_cells) {
        const Number effect = successor.effect;
        const std::uint64_t cells = effect == Parts::none ? 0 : parts_.cells_of_effect(effect);
        bool kept = true;
        for (std::size_t other = 0; other < blocks_.size(); ++other) {
            if (other == index) {
                continue;
            }
            const Number blocks = blocks_[other];
            const std::uint64_t known = parts_.blocks(blocks).known_cells;
            const bool follows = (cells & known) != 0;
            const Number shared = (known & ~seen_cells) == 0 ? successor.shared : next_[0];
            next_.push_back(follows ? parts_.behind(effect, shared, blocks) : blocks);
            kept = kept && next_.back() == blocks;
        }
        return kept;
    }

    /// Puts blocks where they belong, or counts them with those that are alike.
    void insert(Number blocks) {
        auto place = next_.end();
        while (place - next_.begin() > 2) {
            Number& other = *(place - 1);
            if (parts_.blocks(other).kind == parts_.blocks(blocks).kind) {
                other = parts_.counted(blocks, parts_.blocks(blocks).count + parts_.blocks(other).count);
                return;
            }
            if (parts_.is_less(other, blocks)) {
                break;
            }
            --place;
        }
        next_.insert(place, blocks);
    }

    StateTable::Added add() {
        const char* const bytes = reinterpret_cast<const char*>(next_.data());
        return states_.add({bytes, next_.size() * sizeof(Number)});
    }

    Number number_of(const Results& results) {
        const char* const bytes = reinterpret_cast<const char*>(results.data());
        const auto [number, is_new] = results_numbers_.add({bytes, results.size() * sizeof(Results::value_type)});
        if (is_new) {
            results_of_.push_back(results);
        }
        return number;
    }

    Number with(Number results, const std::pair<int, std::uint32_t>& added) {
        const auto [number, is_new] = sums_.add({results, static_cast<Number>(added.first), added.second});
        if (is_new) {
            Results sum = results_of_[results];
            add_results(sum, {added});
            sum_of_.push_back(number_of(sum));
        }
        return sum_of_[number];
    }

    const Code& code_;
    std::size_t few_shared_parts_;
    Parts parts_;
    Moves moves_;
    StateTable states_;
    StateTable results_numbers_;
    std::deque<Results> results_of_;
    KeyTable<3> sums_; ///< results, and one more
    std::vector<Number> sum_of_;

    // The state that is open, and for each of its blocks what others may still do, and whether others are of its node.
    Number shared_ = 0;
    Number results_ = 0;
    std::vector<Number> blocks_;
    std::vector<std::uint64_t> prospects_;
    std::vector<char> is_last_;
    std::uint64_t all_prospects_ = 0;
    std::uint64_t not_triggered_ = 0;
    std::vector<Seen> seen_;
    std::vector<Number> first_; ///< what each would do next, in `moves_`

    std::vector<Number> next_;   ///< the state that is being made
    std::vector<Number> others_; ///< for `meet` alone
};

} // namespace pdlcts::machine
