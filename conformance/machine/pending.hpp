// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace pdlcts::machine {

/// For each cell how many threads, begun or not, still have a read or a write of it before them.
struct Pending {
    std::vector<unsigned> readers;
    std::vector<unsigned> writers;
};

Pending pending_accesses(const Code& code, const State& state);

bool has_unfinished_dependent(const Code& code, const State& state, std::size_t node);

/// A thread that has nothing before it, or ahead, but a prospect.
inline Thread stand_in(const Prospect& prospect) {
    Thread thread;
    thread.performed = prospect.performed;
    if (prospect.is_ahead) {
        thread.ahead.emplace_back();
        if (prospect.ahead) {
            thread.ahead.front().second.push_back(Entry{*prospect.ahead, 0});
        }
    }
    return thread;
}

/// Calls a function with every role that still has something before it: with its class; the thread's state, or null
/// where its node has not begun; and how many threads are so. Stops at the first false and returns it. A bulk copy is a
/// role of its own only from its issue on. Of blocks that are elsewhere it is called with what stands for them.
template <typename Function>
bool all_pending_roles(const Code& code, const State& state, const Function& function) {
    for (const BlockClass& block_class : code.classes) {
        for (const Role& role : block_class.roles) {
            if (!state.nodes[block_class.node].begun && !role.is_copy &&
                !function(block_class, role, static_cast<const Thread*>(nullptr), block_class.blocks * role.threads)) {
                return false;
            }
        }
    }
    for (const auto& [block, blocks] : state.blocks) {
        const BlockClass& block_class = code.classes[block.block_class];
        for (std::size_t role = 0; role < block.roles.size(); ++role) {
            for (const auto& [thread, count] : block.roles[role]) {
                if (!function(block_class, block_class.roles[role], &thread, blocks * count)) {
                    return false;
                }
            }
        }
    }
    for (std::uint64_t left = state.elsewhere.prospects; left != 0; left &= left - 1) {
        const Prospect& prospect = code.prospects[static_cast<std::size_t>(std::countr_zero(left))];
        const BlockClass& block_class = code.classes[prospect.block_class];
        const Thread thread = stand_in(prospect);
        if (!function(block_class, block_class.roles[prospect.role], &thread, 1U)) {
            return false;
        }
    }
    return true;
}

/// The same with every operation of a role that a thread (none: not begun) has still to perform.
template <typename Function>
bool all_pending_operations(const Role& role, const Thread* thread, const Function& function) {
    const std::uint64_t performed = thread == nullptr ? 0 : thread->performed;
    return std::all_of(role.operations.begin(), role.operations.end(), [&](const Operation& operation) {
        return (performed >> operation.index & 1) != 0 || function(operation);
    });
}

} // namespace pdlcts::machine
