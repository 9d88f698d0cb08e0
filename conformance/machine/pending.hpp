// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <algorithm>
#include <vector>

namespace pdlcts::machine {

/// For each cell how many threads, begun or not, still have a read or a write of it before them.
struct Pending {
    std::vector<unsigned> readers;
    std::vector<unsigned> writers;
};

Pending pending_accesses(const Code& code, const State& state);

bool has_unfinished_dependent(const Code& code, const State& state, std::size_t node);

/// Calls a function with every operation that is still to be performed; with true where its thread has run ahead.
template <typename Function>
bool all_pending(const Code& code, const State& state, const Function& function) {
    const auto role_fits = [&](const Role& role, std::uint64_t performed, bool ahead) {
        return std::all_of(role.operations.begin(), role.operations.end(), [&](const Operation& operation) {
            return (performed >> operation.index & 1) != 0 || function(operation, ahead);
        });
    };
    for (const BlockClass& block_class : code.classes) {
        for (const Role& role : block_class.roles) {
            if (!state.nodes[block_class.node].begun && !role_fits(role, 0, false)) {
                return false;
            }
        }
    }
    for (const auto& [block, blocks] : state.blocks) {
        for (std::size_t role = 0; role < block.roles.size(); ++role) {
            for (const auto& [thread, count] : block.roles[role]) {
                if (!role_fits(code.classes[block.block_class].roles[role], thread.performed, !thread.ahead.empty())) {
                    return false;
                }
            }
        }
    }
    return true;
}

} // namespace pdlcts::machine
