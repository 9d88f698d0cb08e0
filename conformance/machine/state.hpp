// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"
#include "conformance/machine/view.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <utility>
#include <vector>

/// A state of the machine, as plain values.
namespace pdlcts::machine {

/// Things that are alike are counted instead of spelled out: sorted, each with its number, when normalised.
template <typename T>
using Counted = std::vector<std::pair<T, unsigned>>;

/// What a release lets those who acquire it know: who released it, and with what scope.
struct Release {
    std::uint16_t who = 0;
    Scope scope = Scope::sys;
    View view;
    auto operator<=>(const Release&) const = default;
};

/// One write. The list of a cell's writes is a linear extension of their coherence order.
struct Message {
    std::uint32_t value = 0;
    bool strong = false;
    Scope scope = Scope::sys;
    std::uint16_t who = 0;
    /// An atomic's write, and the place of the write that it read: nothing morally strong comes between.
    bool atomic = false;
    std::uint16_t read = 0;
    /// Performed before an acquire or a fence that precedes it in its thread: who reads it notes that, because nothing
    /// that the thread then acquires may follow such a read (PTX 8.10.6: a read does not return a write that it
    /// precedes in causality order).
    bool ahead = false;
    /// Performed before operations that precede it in its thread: the scopes, as bits, of what it is still to release.
    /// Nobody who would acquire that can do so yet.
    std::uint8_t unfinished = 0;
    /// Earlier places of the list that do not precede it in coherence order.
    std::vector<std::uint16_t> unrelated;
    /// Places of writes that it must never precede: someone has read it knowing them.
    std::vector<std::uint16_t> never_before;
    /// What who reads it can acquire; an atomic passes on what it read.
    std::vector<Release> releases;
    auto operator<=>(const Message&) const = default;
};

using Messages = std::vector<Message>;

/// A release that a strong read has seen, for a later fence or acquire of the same cell.
struct Acquirable {
    std::uint8_t last = 0; ///< the read's Operation::last: what comes behind it can acquire; 0 where all can
    Cell cell = 0;
    Release release;
    /// Set where the write was unfinished when it was read: its place, to look again.
    std::uint16_t unfinished = 0;
    auto operator<=>(const Acquirable&) const = default;
};

/// What a fence (of any cell) or a release (of its own) lets later strong writes of the thread publish.
struct Published {
    Cell cell = any_location;
    Scope scope = Scope::sys;
    View view;
    auto operator<=>(const Published&) const = default;
};

struct Thread {
    std::uint64_t performed = 0; ///< bits of the role's operations
    /// Writes that precede whatever the thread does next in causality order.
    View known;
    std::vector<Acquirable> acquirable;
    std::vector<Published> published;
    /// What operations have let the thread know (by Operation::last) while an operation up to it is still to be
    /// performed: that one knows nothing of it. Sorted.
    std::vector<std::pair<std::uint8_t, View>> ahead;
    /// The messages of writes that are ahead or unfinished, with their operations.
    std::vector<std::pair<std::uint8_t, Entry>> unfinished;
    auto operator<=>(const Thread&) const = default;
};

inline bool is_performed(const Thread& thread, const Operation& operation) {
    return (thread.performed >> operation.index & 1) != 0;
}

/// One use of a named barrier, or one phase of a cluster barrier.
struct Gathered {
    std::uint16_t arrived = 0;
    View view;
    auto operator<=>(const Gathered&) const = default;
};

/// A block that has begun and not exited.
struct Block {
    std::uint16_t block_class = 0;
    bool triggered = false;
    std::vector<Counted<Thread>> roles; ///< for each role its threads that have not exited
    std::vector<Gathered> gathered;
    std::vector<View> copied; ///< what the copies out of shared memory have written, once they are done
    auto operator<=>(const Block&) const = default;
};

struct NodeState {
    bool begun = false;
    unsigned triggered_or_exited = 0; ///< blocks; a block that exits without a trigger counts when it exits
    unsigned exited = 0;
    View completion;  ///< join of the final views of all its threads so far
    View trigger_gpu; ///< join of what first triggers behind a release fence have released, for grids of its domain
    View trigger_sys; ///< the same for all grids
    View told_apart;  ///< of a faulty machine alone: of what completion brings, what its wait treats otherwise
    auto operator<=>(const NodeState&) const = default;
};

struct MbarrierState {
    std::uint32_t pending = 0; ///< arrivals
    std::int64_t bytes = 0;    ///< expected and not completed
    bool odd = false;          ///< whether an odd number of phases has completed
    std::vector<Release> arriving;
    std::vector<Release> completed; ///< of the latest phase
    auto operator<=>(const MbarrierState&) const = default;
};

/// What belongs to no block.
struct Shared {
    std::vector<NodeState> nodes;
    std::vector<Messages> memory;
    std::vector<MbarrierState> mbarriers;
    std::vector<std::vector<Gathered>> clusters;
    std::vector<Release> sc_fences; ///< what each fence.sc knew, in their order
    auto operator<=>(const Shared&) const = default;
};

/// What a step did to a cell's writes, as far as blocks that know of them have to follow.
struct Change {
    enum class Kind : std::uint8_t { moved, finished, forgotten };
    Kind kind = Kind::moved;
    Cell cell = 0;
    std::vector<std::uint16_t> new_place; ///< moved: of each write
    std::uint16_t place = 0;              ///< finished: of the write that can be acquired from now on,
    std::vector<Release> releases;        ///< and what it releases
    auto operator<=>(const Change&) const = default;
};

/// What a step of a state without some of its blocks (parts.hpp) has to know about those, and they about the step.
struct Elsewhere {
    bool has_blocks = false;
    std::uint64_t prospects = 0;  ///< indices, as bits, into Code::prospects: what they may still do
    std::vector<Change> changes;  ///< what they have to follow, in the order in which it happened,
    std::vector<bool> dead_cells; ///< and cells that they can forget
};

struct State : Shared {
    Counted<Block> blocks;
    std::vector<std::pair<int, std::uint32_t>> results; ///< sorted, without duplicates
    Elsewhere elsewhere;
};

State initial_state(const Code& code);

bool is_complete(const Code& code, const Shared& state, std::size_t node);
bool is_final(const Code& code, const Shared& state);

/// Whether every dependency of a node has fired. `all_triggered(node)`: whether all blocks of a node have triggered or
/// exited.
template <typename Function>
bool is_eligible(const Code& code, const Shared& state, std::size_t node, const Function& all_triggered) {
    const std::vector<Dependency>& dependencies = code.nodes[node].dependencies;
    std::size_t fired = 0;
    for (std::size_t index = 0; index < dependencies.size(); ++index) {
        const std::size_t upstream = dependencies[index].upstream;
        switch (code.nodes[node].gates[index]) {
        case Gate::completed:
            fired += is_complete(code, state, upstream) ? 1 : 0;
            break;
        case Gate::triggered:
            fired += all_triggered(upstream) ? 1 : 0;
            break;
        case Gate::begun:
            fired += state.nodes[upstream].begun ? 1 : 0;
            break;
        case Gate::nothing:
            ++fired;
            break;
        case Gate::first_completed:
            fired += state.nodes[upstream].exited > 0 ? 1 : 0;
            break;
        case Gate::first_triggered:
            fired += state.nodes[upstream].triggered_or_exited > 0 ? 1 : 0;
            break;
        case Gate::never:
            break;
        }
        if (fired != index + 1 && code.fault == Fault::none) {
            return false;
        }
    }
    const bool one_is_enough = code.fault == Fault::first_dependency_starts_the_kernel && fired > 0;
    return fired == dependencies.size() || one_is_enough;
}

/// Joins what is released with what the same one has released with the same scope.
void add(std::vector<Release>& releases, const Release& release);

/// What an operation of a thread may know: what those before it in program order have let the thread know.
View knowledge_before(const Thread& thread, const Operation& operation);

/// Calls a function with every view of blocks.
template <typename Function>
void for_each_view(Counted<Block>& all_blocks, const Function& function) {
    for (auto& [block, blocks] : all_blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                function(thread.known);
                for (Acquirable& acquirable : thread.acquirable) {
                    function(acquirable.release.view);
                }
                for (Published& published : thread.published) {
                    function(published.view);
                }
                for (auto& [operation, learned] : thread.ahead) {
                    function(learned);
                }
            }
        }
        for (Gathered& gathered : block.gathered) {
            function(gathered.view);
        }
        for (View& copied : block.copied) {
            function(copied);
        }
    }
}

/// The same with every view that belongs to no block.
template <typename Function>
void for_each_view(Shared& state, const Function& function) {
    const auto each_release = [&](std::vector<Release>& releases) {
        for (Release& release : releases) {
            function(release.view);
        }
    };
    for (NodeState& node : state.nodes) {
        function(node.completion);
        function(node.trigger_gpu);
        function(node.trigger_sys);
        function(node.told_apart);
    }
    for (Messages& messages : state.memory) {
        for (Message& message : messages) {
            each_release(message.releases);
        }
    }
    for (MbarrierState& mbarrier : state.mbarriers) {
        each_release(mbarrier.arriving);
        each_release(mbarrier.completed);
    }
    for (std::vector<Gathered>& cluster : state.clusters) {
        for (Gathered& gathered : cluster) {
            function(gathered.view);
        }
    }
    each_release(state.sc_fences);
}

/// The same with every view of a state.
template <typename Function>
void for_each_view(State& state, const Function& function) {
    for_each_view(state.blocks, function);
    for_each_view(static_cast<Shared&>(state), function);
}

/// One thread of a state.
struct Place {
    std::size_t block = 0;  ///< index into State::blocks
    std::size_t role = 0;   ///< index into Block::roles
    std::size_t thread = 0; ///< index into the role's threads
};

Thread& thread_at(State& state, const Place& place);
const Thread& thread_at(const State& state, const Place& place);
const BlockClass& class_at(const Code& code, const State& state, const Place& place);
const Role& role_at(const Code& code, const State& state, const Place& place);

/// Splits one thread of one block from those that it is counted with, and says where it stands then.
Place single_out(State& state, const Place& place);

/// Sorts and merges what is counted and forgets what no later step can tell, so that equal futures are equal states.
void normalise(const Code& code, State& state);

/// The same for blocks that were elsewhere when a step was taken, and have followed its changes: `shared` is what it
/// has led to.
void normalise_blocks(const Code& code, const Shared& shared, const std::vector<bool>& dead_cells,
                      Counted<Block>& blocks);

} // namespace pdlcts::machine
