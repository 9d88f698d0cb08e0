// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/control.hpp"

#include "conformance/machine/ahead.hpp"
#include "conformance/machine/fences.hpp"
#include "conformance/machine/release.hpp"
#include "conformance/machine/trigger.hpp"
#include "conformance/machine/wait.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

/// What a node's threads know when they begin. Fixed once the node is eligible: completed grids and first triggers
/// do not change any more.
View begin_view(const Code& code, const State& state, std::size_t node) {
    View view;
    View completed;
    for (const Dependency& dependency : code.nodes[node].dependencies) {
        if (dependency.port == Port::programmatic && code.nodes[node].is_grid) {
            // Of what is no kernel behind a trigger nothing is said (ambiguity.a18).
            join(view, released_by_triggers(code, state, dependency.upstream, node));
        } else if (dependency.port == Port::full && is_complete(code, state, dependency.upstream) &&
                   code.fault != Fault::default_edge_without_visibility) {
            join(completed, state.nodes[dependency.upstream].completion);
        }
    }
    know_in_every_proxy(code, completed);
    join(view, completed);
    return view;
}

/// A copy is done: who waits for it learns of its writes, by every proxy.
void complete_copy(const Code& code, State& state, std::size_t block, const Role& role, const Thread& thread) {
    View written;
    for (const Operation& operation : role.operations) {
        for (const Entry& entry : thread.known) {
            if (entry.key == operation.cell) {
                add(written, entry);
            }
        }
    }
    know_in_every_proxy(code, written);
    const BlockClass& block_class = code.classes[state.blocks[block].first.block_class];
    if (code.fault == Fault::wait_skips_bulk_copies) {
        join(state.nodes[block_class.node].told_apart, written);
    }
    if (role.copied_slot >= 0) {
        state.blocks[block].first.copied[static_cast<std::size_t>(role.copied_slot)] = std::move(written);
        return;
    }
    MbarrierState& mbarrier = state.mbarriers[static_cast<std::size_t>(role.mbarrier)];
    add(mbarrier.arriving, {block_class.who, Scope::sys, std::move(written)});
    mbarrier.bytes -= role.bytes;
}

void complete_phase(const Code& code, State& state, std::size_t mbarrier) {
    MbarrierState& barrier = state.mbarriers[mbarrier];
    if (barrier.pending == 0 && barrier.bytes == 0) {
        barrier.odd = !barrier.odd;
        barrier.pending = code.mbarriers[mbarrier].arrivals;
        barrier.completed = std::move(barrier.arriving);
        barrier.arriving.clear();
    }
}

/// What a faulty wait treats otherwise of what a thread leaves when it exits.
void tell_apart(const Code& code, State& state, const Place& place, const View& known) {
    const bool has_triggered = state.blocks[place.block].first.triggered;
    const bool skips_later = code.fault == Fault::wait_skips_stores_behind_the_trigger && !has_triggered;
    const bool skips_others = code.fault == Fault::wait_skips_blocks_that_never_triggered && has_triggered;
    if (skips_later || skips_others) {
        join(state.nodes[class_at(code, state, place).node].told_apart, known);
    }
}

void exit_threads(const Code& code, State& state, const Place& place) {
    const BlockClass& block_class = class_at(code, state, place);
    const Role& role = block_class.roles[place.role];
    Counted<Thread>& threads = state.blocks[place.block].first.roles[place.role];
    Thread& thread = threads[place.thread].first;
    for (const auto& [last, learned] : thread.ahead) {
        join(thread.known, learned);
    }
    NodeState& node = state.nodes[block_class.node];
    join(node.completion, thread.known);
    tell_apart(code, state, place, thread.known);
    if (role.is_copy) {
        complete_copy(code, state, place.block, role, thread);
        if (role.mbarrier >= 0) {
            complete_phase(code, state, static_cast<std::size_t>(role.mbarrier));
        }
    } else if (code.fault == Fault::implicit_trigger_when_one_thread_exits) {
        auto& [block, blocks] = state.blocks[place.block];
        trigger_by_exit(code, node, block, blocks);
    }
    threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(place.thread));
}

/// Takes blocks that have no thread left out of the state. A block has exited, which counts as a trigger, when its
/// threads have; its copies may still be on their way, and its grid completes only with them.
void exit_blocks_if_done(const Code& code, State& state, std::size_t index) {
    auto& [block, count] = state.blocks[index];
    const BlockClass& block_class = code.classes[block.block_class];
    bool threads_done = true;
    bool copies_done = true;
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        (block_class.roles[role].is_copy ? copies_done : threads_done) &= block.roles[role].empty();
    }
    NodeState& node = state.nodes[block_class.node];
    if (threads_done) {
        trigger_by_exit(code, node, block, count);
    }
    if (threads_done && copies_done) {
        node.exited += count;
        state.blocks.erase(state.blocks.begin() + static_cast<std::ptrdiff_t>(index));
    }
}

const Gathered& gathered_at(const Code& code, const State& state, const Place& place, const Operation& operation) {
    const std::vector<Gathered>& gathered = operation.in_cluster ? state.clusters[class_at(code, state, place).cluster]
                                                                 : state.blocks[place.block].first.gathered;
    return gathered[operation.slot];
}

} // namespace

void begin(const Code& code, State& state, std::size_t node) {
    Thread thread;
    thread.known = begin_view(code, state, node);
    NodeState& node_state = state.nodes[node];
    node_state.begun = true;
    join(node_state.completion, thread.known);
    if (code.fault == Fault::wait_skips_stores_behind_the_trigger ||
        code.fault == Fault::wait_skips_blocks_that_never_triggered) {
        join(node_state.told_apart, thread.known); // no store of its own
    }
    for (const std::size_t index : code.nodes[node].classes) {
        const BlockClass& block_class = code.classes[index];
        Block block;
        block.block_class = static_cast<std::uint16_t>(index);
        block.gathered.resize(block_class.gatherings);
        block.copied.resize(block_class.copies);
        bool empty = true;
        for (const Role& role : block_class.roles) {
            block.roles.emplace_back();
            if (!role.operations.empty() && !role.is_copy) {
                block.roles.back().emplace_back(thread, role.threads);
                empty = false;
            }
        }
        if (empty) {
            node_state.exited += block_class.blocks;
            trigger_by_exit(code, node_state, block, block_class.blocks);
        } else {
            if (code.fault == Fault::implicit_trigger_at_block_start) {
                trigger_by_exit(code, node_state, block, block_class.blocks);
            }
            state.blocks.emplace_back(std::move(block), block_class.blocks);
        }
    }
}

void finish(const Code& code, State& state, const Place& place, std::size_t operation) {
    Thread& thread = thread_at(state, place);
    thread.performed |= std::uint64_t{1} << operation;
    finish_writes(code, state, place);
    if (thread.performed == role_at(code, state, place).every_operation()) {
        exit_threads(code, state, place);
        exit_blocks_if_done(code, state, place.block);
    }
    normalise(code, state);
}

std::optional<Barriers> barrier_of(const Code& code, const State& state, std::size_t index) {
    const Block& block = state.blocks[index].first;
    Barriers barriers(block.roles.size());
    bool any = false;
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        const Role& role_code = code.classes[block.block_class].roles[role];
        if (role_code.is_copy) {
            continue;
        }
        for (const auto& [thread, count] : block.roles[role]) {
            std::size_t next = 0;
            while ((thread.performed >> next & 1) != 0) {
                ++next;
            }
            if (role_code.operations[next].kind != Kind::barrier) {
                return std::nullopt;
            }
            barriers[role].push_back(next);
            any = true;
        }
    }
    return any ? std::optional(barriers) : std::nullopt;
}

void pass_barrier(const Code& code, State& state, std::size_t index, const Barriers& barriers) {
    Block& block = state.blocks[index].first;
    const BlockClass& block_class = code.classes[block.block_class];
    View joined;
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        for (const auto& [thread, count] : block.roles[role]) {
            if (!block_class.roles[role].is_copy) {
                if (code.fault == Fault::wait_speaks_to_its_thread_alone) {
                    join(joined, known_without_wait(code, state, block_class.node, thread.known));
                } else {
                    join(joined, thread.known);
                }
            }
        }
    }
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        for (std::size_t index_in_role = barriers[role].size(); index_in_role-- > 0;) {
            Thread& thread = block.roles[role][index_in_role].first;
            thread.performed |= std::uint64_t{1} << barriers[role][index_in_role];
            join(thread.known, joined);
            if (thread.performed == block_class.roles[role].every_operation()) {
                exit_threads(code, state, {index, role, index_in_role});
            }
        }
    }
    exit_blocks_if_done(code, state, index);
    normalise(code, state);
}

void arrive(const Code& code, State& state, const Place& place, const Operation& operation, unsigned threads) {
    std::vector<Gathered>& all = operation.in_cluster ? state.clusters[class_at(code, state, place).cluster]
                                                      : state.blocks[place.block].first.gathered;
    Gathered& gathered = all[operation.slot];
    gathered.arrived = static_cast<std::uint16_t>(gathered.arrived + threads);
    if (operation.ordering == Ordering::release) {
        join(gathered.view, thread_at(state, place).known);
    }
}

bool may_leave(const Code& code, const State& state, const Place& place, const Operation& operation) {
    return gathered_at(code, state, place, operation).arrived == operation.threads;
}

void leave(const Code& code, State& state, const Place& place, const Operation& operation) {
    const View view = gathered_at(code, state, place, operation).view;
    join(thread_at(state, place).known, view);
}

void arrive_at_mbarrier(const Code& code, State& state, const Place& place, const Operation& operation) {
    MbarrierState& mbarrier = state.mbarriers[operation.mbarrier];
    mbarrier.bytes += operation.bytes;
    add(mbarrier.arriving, {class_at(code, state, place).who, operation.scope, thread_at(state, place).known});
    // More arrivals than a phase takes are undefined; the machine ignores them.
    mbarrier.pending -= mbarrier.pending > 0 ? 1 : 0;
    complete_phase(code, state, operation.mbarrier);
}

bool sees_phase(const State& state, const Operation& operation) {
    return state.mbarriers[operation.mbarrier].odd == (operation.parity == 0);
}

void learn_phase(const Code& code, State& state, const Place& place, const Operation& operation) {
    const View learned = acquired(code, state.mbarriers[operation.mbarrier].completed, class_at(code, state, place).who,
                                  operation.scope);
    join(thread_at(state, place).known, learned);
}

void issue_copy(const Code& code, State& state, const Place& place, const Operation& operation) {
    Thread moved;
    moved.known = thread_at(state, place).known;
    Block& block = state.blocks[place.block].first;
    // Generic knowledge is nothing that the asynchronous proxy sees; its own part goes along.
    const auto cells = static_cast<std::uint16_t>(code.cells.size());
    std::erase_if(moved.known, [&](const Entry& entry) { return entry.key < cells; });
    block.roles[operation.copies.front()].emplace_back(std::move(moved), 1);
}

bool are_copies_done(const State& state, const Place& place, const Operation& operation) {
    const Block& block = state.blocks[place.block].first;
    return std::all_of(operation.copies.begin(), operation.copies.end(),
                       [&](std::uint8_t role) { return block.roles[role].empty(); });
}

void learn_copies(const Code& code, State& state, const Place& place, const Operation& operation) {
    const BlockClass& block_class = class_at(code, state, place);
    for (const std::uint8_t role : operation.copies) {
        const auto slot = static_cast<std::size_t>(block_class.roles[role].copied_slot);
        join(thread_at(state, place).known, state.blocks[place.block].first.copied[slot]);
    }
}

} // namespace pdlcts::machine
