// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/alike.hpp"
#include "conformance/machine/coherence.hpp"
#include "conformance/machine/gates.hpp"
#include "conformance/machine/pending.hpp"
#include "conformance/machine/state.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

/// Adds what a thread of a role has before it.
void count_role(const BlockClass& block_class, const Role& role, const Thread* thread, unsigned threads,
                std::vector<std::uint8_t>& touched, Pending& pending) {
    constexpr std::uint8_t read = 1;
    constexpr std::uint8_t written = 2;
    std::vector<Cell> cells;
    const auto touch = [&](Cell cell, std::uint8_t how) {
        if ((touched[cell] & how) == 0) {
            if (touched[cell] == 0) {
                cells.push_back(cell);
            }
            touched[cell] |= how;
            (how == read ? pending.readers : pending.writers)[cell] += threads;
        }
    };
    const auto touch_operation = [&](const Operation& operation) {
        if (operation.reads) {
            touch(operation.kind == Kind::copy ? operation.source : operation.cell, read);
        }
        if (operation.writes) {
            touch(operation.cell, written);
        }
    };
    all_pending_operations(role, thread, [&](const Operation& operation) {
        touch_operation(operation);
        if (operation.kind == Kind::bulk_issue) {
            for (const Operation& copied : block_class.roles[operation.copies.front()].operations) {
                touch_operation(copied);
            }
        }
        return true;
    });
    for (const Cell cell : cells) {
        touched[cell] = 0;
    }
}

template <typename T>
void merge(Counted<T>& counted) {
    if (counted.size() < 2) {
        return;
    }
    std::sort(counted.begin(), counted.end());
    std::size_t kept = 0;
    for (std::size_t index = 0; index < counted.size(); ++index) {
        if (kept > 0 && counted[kept - 1].first == counted[index].first) {
            counted[kept - 1].second += counted[index].second;
        } else {
            if (kept != index) {
                counted[kept] = std::move(counted[index]);
            }
            ++kept;
        }
    }
    counted.resize(kept);
}

/// Forgets dead cells, the initial writes, and what is known with something else.
void reduce(const Code& code, const Shared& state, const std::vector<bool>& dead, bool awaits_sc_fence, View& view) {
    const std::size_t cells = code.cells.size();
    const auto cell_of = [&](const Entry& entry) { return entry.key % cells; };
    std::erase_if(view, [&](const Entry& entry) {
        if (entry.key == 3 * cells) {
            return state.sc_fences.empty();
        }
        const std::size_t cell = cell_of(entry);
        return entry.place == 0 || dead[cell] ||
               (entry.key >= 2 * cells && !state.memory[cell][entry.place].ahead && !awaits_sc_fence);
    });
    for (std::size_t index = 0; index < view.size();) {
        const Messages& messages = state.memory[cell_of(view[index])];
        bool implied = false;
        // Of reads each counts: only keys of writes say more where they come later.
        const bool is_write = view[index].key < 2 * cells;
        for (std::size_t other = index + 1;
             is_write && !implied && other < view.size() && view[other].key == view[index].key; ++other) {
            implied = precedes(messages, view[index].place, view[other].place);
        }
        if (implied) {
            view.erase(view.begin() + static_cast<std::ptrdiff_t>(index));
        } else {
            ++index;
        }
    }
}

/// Whether an operation up to `last` is still to be performed that knowledge matters to.
bool has_earlier(const Role& role, const Thread& thread, std::uint8_t last) {
    return std::any_of(role.operations.begin(), role.operations.begin() + last + 1,
                       [&](const Operation& each) { return !is_performed(thread, each) && !each.non_coherent; });
}

/// Moves what was learned ahead to what is known, as soon as no earlier operation is left that could tell.
void settle(const Role& role, Thread& thread) {
    std::erase_if(thread.ahead, [&](const auto& entry) {
        if (has_earlier(role, thread, entry.first)) {
            return false;
        }
        join(thread.known, entry.second);
        return true;
    });
    for (Acquirable& acquirable : thread.acquirable) {
        acquirable.last = has_earlier(role, thread, acquirable.last) ? acquirable.last : std::uint8_t{0};
    }
    const auto pending = [&](const auto& predicate) {
        return std::any_of(role.operations.begin(), role.operations.end(), [&](const Operation& operation) {
            return !is_performed(thread, operation) && predicate(operation);
        });
    };
    std::erase_if(thread.acquirable, [&](const Acquirable& acquirable) {
        return !pending([&](const Operation& later) {
            return later.kind == Kind::fence || (later.acquires && later.cell == acquirable.cell);
        });
    });
    std::erase_if(thread.published, [&](const Published& published) {
        return thread.unfinished.empty() && !pending([&](const Operation& later) {
                   return (published.cell == any_location && later.kind == Kind::trigger) ||
                          (later.publishes && (published.cell == any_location || published.cell == later.cell));
               });
    });
    std::sort(thread.acquirable.begin(), thread.acquirable.end());
    thread.acquirable.erase(std::unique(thread.acquirable.begin(), thread.acquirable.end()), thread.acquirable.end());
    std::sort(thread.published.begin(), thread.published.end());
}

void settle(const Code& code, Counted<Block>& all_blocks) {
    for (auto& [block, blocks] : all_blocks) {
        for (std::size_t role = 0; role < block.roles.size(); ++role) {
            for (auto& [thread, count] : block.roles[role]) {
                settle(code.classes[block.block_class].roles[role], thread);
            }
        }
    }
}

void forget_empty(std::vector<Release>& releases) {
    std::erase_if(releases, [](const Release& release) { return release.view.empty(); });
}

void forget_empty(Counted<Block>& all_blocks) {
    for (auto& [block, blocks] : all_blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                std::erase_if(thread.acquirable,
                              [](const Acquirable& each) { return each.release.view.empty() && each.unfinished == 0; });
                std::erase_if(thread.published, [](const Published& each) { return each.view.empty(); });
            }
        }
    }
}

void merge_threads(Counted<Block>& all_blocks) {
    for (auto& [block, blocks] : all_blocks) {
        for (Counted<Thread>& threads : block.roles) {
            merge(threads);
        }
    }
}

/// Cells that nobody accesses any more, and none of whose writes could still turn out to contradict what its thread
/// learns.
std::vector<bool> dead_cells(const Pending& pending, const State& state) {
    std::vector<bool> dead(state.memory.size());
    for (std::size_t cell = 0; cell < dead.size(); ++cell) {
        const Messages& messages = state.memory[cell];
        dead[cell] = pending.readers[cell] + pending.writers[cell] == 0 &&
                     std::none_of(messages.begin(), messages.end(),
                                  [](const Message& each) { return each.ahead || each.unfinished != 0; });
    }
    return dead;
}

void forget_dead_cells(const std::vector<bool>& dead, State& state) {
    for (std::size_t cell = 0; cell < state.memory.size(); ++cell) {
        if (dead[cell] && (state.memory[cell].size() > 1 || state.memory[cell].front() != Message{})) {
            state.memory[cell] = {Message{}};
        }
    }
}

/// What was read can only be contradicted as long as the order of the cell's writes can change.
void forget_settled_reads(const Pending& pending, State& state) {
    for (std::size_t cell = 0; cell < state.memory.size(); ++cell) {
        Messages& messages = state.memory[cell];
        const bool changes = pending.writers[cell] > 0 || std::any_of(messages.begin(), messages.end(),
                                                                      [](const Message& each) { return each.ahead; });
        for (std::size_t index = 0; index < messages.size(); ++index) {
            std::erase_if(messages[index].never_before, [&](std::uint16_t known) {
                return !changes || precedes(messages, known, static_cast<std::uint16_t>(index));
            });
        }
    }
}

} // namespace

bool has_unfinished_dependent(const Code& code, const State& state, std::size_t node) {
    const std::vector<std::size_t>& dependents = code.nodes[node].dependents;
    return std::any_of(dependents.begin(), dependents.end(),
                       [&](std::size_t dependent) { return !is_complete(code, state, dependent); });
}

Pending pending_accesses(const Code& code, const State& state) {
    Pending pending{std::vector<unsigned>(code.cells.size()), std::vector<unsigned>(code.cells.size())};
    std::vector<std::uint8_t> touched(code.cells.size());
    all_pending_roles(code, state,
                      [&](const BlockClass& block_class, const Role& role, const Thread* thread, unsigned threads) {
                          count_role(block_class, role, thread, threads, touched, pending);
                          return true;
                      });
    return pending;
}

void normalise(const Code& code, State& state) {
    const Pending pending = pending_accesses(code, state);
    settle(code, state.blocks);
    // A fence.sc that may still come could turn out to stand before one that has been performed: all that was known
    // then is needed to tell.
    const bool awaits_sc_fence =
        code.reorders_sc_fences &&
        !all_pending_roles(code, state, [](const BlockClass&, const Role& role, const Thread* thread, unsigned) {
            return all_pending_operations(role, thread, [](const Operation& operation) {
                return operation.kind != Kind::fence || operation.ordering != Ordering::sc;
            });
        });
    const std::vector<bool> dead = awaits_sc_fence ? std::vector<bool>(code.cells.size()) : dead_cells(pending, state);
    if (code.reorders_sc_fences && !awaits_sc_fence) {
        state.sc_fences.clear();
    }
    const auto reduced = [&](View& view) { reduce(code, state, dead, awaits_sc_fence, view); };
    for_each_view(state.blocks, reduced);
    forget_empty(state.blocks);
    if (!awaits_sc_fence && !keeps_writers_apart(code.fault)) {
        hand_to_completions(code, state);
    }
    for (std::size_t node = 0; node < state.nodes.size(); ++node) {
        if (!has_unfinished_dependent(code, state, node)) {
            state.nodes[node].completion.clear();
            state.nodes[node].trigger_gpu.clear();
            state.nodes[node].trigger_sys.clear();
            state.nodes[node].told_apart.clear();
        }
    }
    for_each_view(static_cast<Shared&>(state), reduced);
    forget_dead_cells(dead, state);
    forget_settled_reads(pending, state);
    const auto forget_empty_releases = [&] {
        for (Messages& messages : state.memory) {
            for (Message& message : messages) {
                forget_empty(message.releases);
            }
        }
    };
    // Before: only what releases nothing counts alone. Behind: what is forgotten leaves others empty.
    forget_empty_releases();
    if (!awaits_sc_fence) {
        merge_racing_stores(code, state);
        forget_counts(code, state);
        forget_empty_releases();
    }
    for (MbarrierState& mbarrier : state.mbarriers) {
        forget_empty(mbarrier.arriving);
        forget_empty(mbarrier.completed);
    }
    forget_empty(state.blocks);
    merge_threads(state.blocks);
    merge(state.blocks);
    if (state.elsewhere.has_blocks) {
        state.elsewhere.dead_cells = dead;
    }
}

void normalise_blocks(const Code& code, const Shared& shared, const std::vector<bool>& dead_cells,
                      Counted<Block>& blocks) {
    settle(code, blocks);
    for_each_view(blocks, [&](View& view) { reduce(code, shared, dead_cells, false, view); });
    forget_empty(blocks);
    merge_threads(blocks);
}

} // namespace pdlcts::machine
