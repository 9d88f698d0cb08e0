// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/alike.hpp"

#include "conformance/machine/coherence.hpp"
#include "conformance/machine/pending.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

/// Whether all writes of a cell that are still to come are weak stores of one value.
bool only_stores(const Code& code, const State& state, std::size_t cell, std::uint32_t value) {
    const auto stores_it = [&](const BlockClass& block_class, const Operation& operation) {
        if (operation.kind == Kind::bulk_issue) {
            const std::vector<Operation>& copied = block_class.roles[operation.copies.front()].operations;
            return std::none_of(copied.begin(), copied.end(), [&](const Operation& each) { return each.cell == cell; });
        }
        return !operation.writes || operation.cell != cell ||
               (operation.kind == Kind::store && !operation.strong &&
                static_cast<std::uint32_t>(operation.value) == value);
    };
    // A thread tells its own later store from others'.
    const auto is_ahead = [&](const Thread& thread) {
        return std::any_of(thread.ahead.begin(), thread.ahead.end(), [&](const auto& learned) {
            return std::any_of(learned.second.begin(), learned.second.end(),
                               [&](const Entry& entry) { return entry.key == cell; });
        });
    };
    return all_pending_roles(code, state,
                             [&](const BlockClass& block_class, const Role& role, const Thread* thread, unsigned) {
                                 return (thread == nullptr || !is_ahead(*thread)) &&
                                        all_pending_operations(role, thread, [&](const Operation& operation) {
                                            return stores_it(block_class, operation);
                                        });
                             });
}

/// Whether a cell only counts: reductions have written it, each behind the one before.
bool is_count(const Messages& messages) {
    for (std::size_t place = 1; place < messages.size(); ++place) {
        const Message& message = messages[place];
        if (!message.atomic || message.read + std::size_t{1} != place || !message.unrelated.empty() ||
            !message.releases.empty() || !message.never_before.empty() || message.ahead || message.unfinished != 0 ||
            message.who != messages[1].who || message.scope != messages[1].scope) {
            return false;
        }
    }
    return true;
}

void forget_cell(const Code& code, std::size_t cell, View& view) {
    std::erase_if(view, [&](const Entry& entry) {
        return entry.key < 3 * code.cells.size() && entry.key % code.cells.size() == cell;
    });
}

/// What a thread knows of cells that it does not access any more, and hands to nobody before it exits, only its grid's
/// completion can bring to others. Kept there at once, it leaves threads alike that differ in nothing else.
void hand_to_completion(const Code& code, const Role& role, bool is_needed, Thread& thread, NodeState& node) {
    if (role.is_copy || thread.known.empty() || !thread.ahead.empty() || !thread.unfinished.empty() ||
        !thread.published.empty()) {
        return;
    }
    std::vector<bool> accessed(code.cells.size());
    for (const Operation& operation : role.operations) {
        if (is_performed(thread, operation)) {
            continue;
        }
        switch (operation.kind) {
        case Kind::load:
        case Kind::store:
        case Kind::atomic:
        case Kind::await:
            if (operation.releases) {
                return;
            }
            accessed[operation.cell] = true;
            break;
        case Kind::exit:
        case Kind::wait:
        case Kind::trigger:
            break;
        default: // may hand on what the thread knows
            return;
        }
    }
    std::erase_if(thread.known, [&](const Entry& entry) {
        if (accessed[entry.key % code.cells.size()]) {
            return false;
        }
        if (is_needed) {
            add(node.completion, entry);
        }
        return true;
    });
}

} // namespace

void follow_forgotten(const Code& code, Counted<Block>& blocks, Cell cell) {
    for_each_view(blocks, [&](View& view) { forget_cell(code, cell, view); });
}

void merge_racing_stores(const Code& code, State& state) {
    for (std::size_t cell = 0; cell < state.memory.size(); ++cell) {
        const Messages& messages = state.memory[cell];
        for (std::size_t place = 2; place < messages.size(); ++place) {
            if (!messages[place].strong && messages[place].value == messages[place - 1].value) {
                if (only_stores(code, state, cell, messages[place].value)) {
                    merge_twins(code, state, static_cast<Cell>(cell));
                }
                break;
            }
        }
    }
}

void forget_counts(const Code& code, State& state) {
    for (std::size_t cell = 0; cell < state.memory.size(); ++cell) {
        Messages& messages = state.memory[cell];
        if (messages.size() < 2 || !is_count(messages)) {
            continue;
        }
        // All that count have to be morally strong with each other.
        const Scope scope = messages[1].scope;
        if (scope != Scope::sys && !(scope == Scope::gpu && code.one_gpu_scope)) {
            continue;
        }
        std::vector<std::uint32_t> awaited;
        const auto only_counts = [&](const Operation& operation) {
            const bool touches = (operation.reads || operation.writes) &&
                                 (operation.cell == cell || (operation.kind == Kind::copy && operation.source == cell));
            if (touches && operation.kind == Kind::await) {
                awaited.push_back(static_cast<std::uint32_t>(operation.value));
                return true;
            }
            return operation.kind != Kind::bulk_issue &&
                   (!touches || (operation.kind == Kind::atomic && operation.result < 0 && operation.scope == scope));
        };
        const bool counts =
            all_pending_roles(code, state, [&](const BlockClass&, const Role& role, const Thread* thread, unsigned) {
                return (thread == nullptr || thread->ahead.empty()) &&
                       all_pending_operations(role, thread, only_counts);
            });
        const bool needed = std::any_of(messages.begin(), messages.end() - 1, [&](const Message& message) {
            return std::find(awaited.begin(), awaited.end(), message.value) != awaited.end();
        });
        if (!counts || needed) {
            continue;
        }
        for_each_view(state, [&](View& view) { forget_cell(code, cell, view); });
        if (state.elsewhere.has_blocks) {
            state.elsewhere.changes.push_back({Change::Kind::forgotten, static_cast<Cell>(cell), {}, 0, {}});
        }
        Message last = std::move(messages.back());
        last.atomic = false;
        last.read = 0;
        messages = {std::move(last)};
    }
}

void hand_to_completions(const Code& code, State& state) {
    for (auto& [block, blocks] : state.blocks) {
        const BlockClass& block_class = code.classes[block.block_class];
        const bool is_needed = has_unfinished_dependent(code, state, block_class.node);
        for (std::size_t role = 0; role < block.roles.size(); ++role) {
            for (auto& [thread, count] : block.roles[role]) {
                hand_to_completion(code, block_class.roles[role], is_needed, thread, state.nodes[block_class.node]);
            }
        }
    }
}

} // namespace pdlcts::machine
