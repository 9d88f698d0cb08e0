// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/prospects.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace pdlcts::machine {
namespace {

bool is_reduction(const Operation& operation) {
    return operation.kind == Kind::atomic && operation.result < 0;
}

/// All that pending_accesses, only_stores, forget_counts and counts_alike ask of another block's operation: where one
/// of them asks for more, it has to stand here.
auto as_others_see_it(const BlockClass& block_class, const Role& role, const Operation& operation) {
    const bool reduction = is_reduction(operation);
    const bool turn = reduction && keeps_its_turn_to_itself(role, operation);
    return std::tuple(operation.kind, operation.cell, operation.source, operation.reads, operation.writes,
                      operation.strong, operation.value, reduction,
                      reduction
                          ? std::tuple(operation.atomic, operation.scope, operation.publishes, block_class.who, turn)
                          : std::tuple(AtomicOperation::add, Scope::cta, false, std::uint16_t{0}, false));
}

} // namespace

void number_prospects(Code& code) {
    using Key = decltype(as_others_see_it(code.classes.front(), code.classes.front().roles.front(), Operation{}));
    std::map<Key, int> known;
    const auto prospect = [](std::size_t index, std::size_t role_index, const Role& role, std::uint64_t pending) {
        return Prospect{static_cast<std::uint16_t>(index), static_cast<std::uint8_t>(role_index),
                        role.every_operation() & ~pending, false, std::nullopt};
    };
    for (std::size_t index = 0; index < code.classes.size(); ++index) {
        BlockClass& block_class = code.classes[index];
        for (std::size_t role_index = 0; role_index < block_class.roles.size(); ++role_index) {
            Role& role = block_class.roles[role_index];
            for (Operation& operation : role.operations) {
                const bool issues = operation.kind == Kind::bulk_issue;
                if (!accesses_memory(operation) && !issues) {
                    continue;
                }
                const auto next = static_cast<int>(code.prospects.size());
                // An issue stands for all that its copy will do.
                operation.prospect =
                    issues ? next : known.emplace(as_others_see_it(block_class, role, operation), next).first->second;
                if (operation.prospect == next) {
                    code.prospects.push_back(prospect(index, role_index, role, std::uint64_t{1} << operation.index));
                }
            }
        }
    }
    code.ahead_prospects = code.prospects.size();
    if (code.prospects.empty()) {
        return;
    }
    Prospect ahead = code.prospects.front();
    ahead.performed = code.classes[ahead.block_class].roles[ahead.role].every_operation();
    ahead.is_ahead = true;
    code.prospects.push_back(ahead);
    for (std::size_t cell = 0; cell < code.cells.size(); ++cell) {
        ahead.ahead = static_cast<Cell>(cell);
        code.prospects.push_back(ahead);
    }
}

std::uint64_t prospects_of(const Code& code, const Block& block) {
    std::uint64_t prospects = 0;
    const BlockClass& block_class = code.classes[block.block_class];
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        for (const auto& [thread, count] : block.roles[role]) {
            for (const Operation& operation : block_class.roles[role].operations) {
                if (operation.prospect >= 0 && !is_performed(thread, operation)) {
                    prospects |= std::uint64_t{1} << operation.prospect;
                }
            }
            for (const auto& [last, learned] : thread.ahead) {
                prospects |= std::uint64_t{1} << code.ahead_prospects;
                for (const Entry& entry : learned) {
                    if (entry.key < code.cells.size()) {
                        prospects |= std::uint64_t{2} << (code.ahead_prospects + entry.key);
                    }
                }
            }
        }
    }
    return prospects;
}

bool keeps_its_turn_to_itself(const Role& role, const Operation& reduction) {
    return std::none_of(role.operations.begin() + reduction.last + 1, role.operations.end(),
                        [&](const Operation& later) {
                            switch (later.kind) {
                            case Kind::barrier:
                            case Kind::gather_arrive:
                            case Kind::mbarrier_arrive:
                            case Kind::fence:
                            case Kind::bulk_issue:
                                return true;
                            default:
                                return later.publishes || (accesses_memory(later) && later.cell == reduction.cell);
                            }
                        });
}

} // namespace pdlcts::machine
