// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/code.hpp"

#include "conformance/litmus/printer.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace pdlcts::machine {
namespace {

/// `await`, `wait`, `trigger`, `bar.sync` and `exit` are control points: nothing of their thread moves across them.
bool is_control_point(const Operation& operation) {
    switch (operation.kind) {
    case Kind::trigger:
    case Kind::wait:
    case Kind::exit:
    case Kind::barrier:
    case Kind::await:
        return true;
    default:
        return false;
    }
}

/// Names that more than one block touches: an operation of block scope keeps its thread's order for the others of
/// its block only, so it may not keep the order of accesses that other blocks see.
std::set<std::uint16_t> shared_between_blocks(const Code& code) {
    std::map<std::uint16_t, unsigned> users;
    for (const BlockClass& block_class : code.classes) {
        std::set<std::uint16_t> used;
        for (const Role& role : block_class.roles) {
            for (const Operation& operation : role.operations) {
                if (accesses_memory(operation)) {
                    used.insert(operation.location);
                }
            }
        }
        for (const std::uint16_t location : used) {
            users[location] += block_class.blocks;
        }
    }
    std::set<std::uint16_t> shared;
    for (const auto& [location, count] : users) {
        if (count > 1) {
            shared.insert(location);
        }
    }
    return shared;
}

/// Whether `later` has to be performed after `earlier`, of the same thread: what PTX leaves open stays open.
bool is_ordered(const Operation& earlier, const Operation& later, bool block_scope_orders) {
    if (is_control_point(earlier) || is_control_point(later)) {
        return true;
    }
    const auto orders = [&](const Operation& operation) { return operation.scope != Scope::cta || block_scope_orders; };
    if ((earlier.kind == Kind::fence && orders(earlier)) || (later.kind == Kind::fence && orders(later))) {
        return true;
    }
    if ((acquires(earlier) && orders(earlier)) || (releases(later) && orders(later))) {
        return true;
    }
    if (earlier.kind == Kind::fence || later.kind == Kind::fence) {
        return earlier.kind == later.kind;
    }
    return earlier.location == later.location;
}

void order(Role& role, const std::set<std::uint16_t>& shared) {
    const bool block_scope_orders =
        std::none_of(role.operations.begin(), role.operations.end(), [&](const Operation& operation) {
            return accesses_memory(operation) && shared.contains(operation.location);
        });
    for (std::size_t later = 0; later < role.operations.size(); ++later) {
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            if (is_ordered(role.operations[earlier], role.operations[later], block_scope_orders)) {
                role.operations[later].after |= std::uint64_t{1} << earlier;
            }
        }
    }
}

struct Names {
    std::map<std::string, std::uint16_t> locations;
    std::map<std::string, int> results;
};

int result_index(Code& code, Names& names, const std::string& result) {
    const auto [entry, added] = names.results.emplace(result, static_cast<int>(code.results.size()));
    if (added) {
        code.results.push_back(result);
    }
    return entry->second;
}

/// `delay` means nothing here, and an `await` without a result may always time out, which allows no less than a match.
std::optional<Operation> compile_instruction(const Instruction& instruction, Code& code, Names& names) {
    Operation operation;
    operation.text = print(instruction);
    const auto memory = [&](Kind kind, const auto& access) {
        operation.kind = kind;
        operation.location = names.locations.at(access.location);
    };
    const auto result = [&](const std::optional<std::string>& result_name) {
        operation.result = result_name ? result_index(code, names, *result_name) : -1;
    };
    const bool kept = std::visit(Overloaded{[&](const Trigger&) {
                                                operation.kind = Kind::trigger;
                                                return true;
                                            },
                                            [&](const Wait&) {
                                                operation.kind = Kind::wait;
                                                return true;
                                            },
                                            [&](const Exit&) {
                                                operation.kind = Kind::exit;
                                                return true;
                                            },
                                            [&](const Barrier&) {
                                                operation.kind = Kind::barrier;
                                                return true;
                                            },
                                            [&](const Fence& fence) {
                                                operation.kind = Kind::fence;
                                                operation.ordering = fence.ordering;
                                                operation.scope = fence.scope;
                                                return true;
                                            },
                                            [&](const Load& load) {
                                                memory(Kind::load, load);
                                                operation.ordering = load.ordering;
                                                operation.scope = load.scope;
                                                operation.non_coherent = load.cache == CacheOperator::nc;
                                                result(load.result);
                                                return true;
                                            },
                                            [&](const Store& store) {
                                                memory(Kind::store, store);
                                                operation.ordering = store.ordering;
                                                operation.scope = store.scope;
                                                operation.value = store.value;
                                                return true;
                                            },
                                            [&](const Atomic& atomic) {
                                                memory(Kind::atomic, atomic);
                                                operation.ordering = atomic.ordering;
                                                operation.scope = atomic.scope;
                                                operation.atomic = atomic.operation;
                                                operation.value = atomic.operand;
                                                result(atomic.result);
                                                return true;
                                            },
                                            [&](const Await& await) {
                                                memory(Kind::await, await);
                                                operation.ordering = Ordering::relaxed;
                                                operation.scope = Scope::sys;
                                                operation.value = await.value;
                                                result(await.result);
                                                return await.result.has_value();
                                            },
                                            [](const Delay&) { return false; }},
                                 instruction);
    return kept ? std::optional(operation) : std::nullopt;
}

constexpr unsigned most_spelled_out_blocks = 64;

/// The blocks of a grid, by the agents that cover them.
std::map<std::vector<std::size_t>, std::vector<Range>> classify(const Grid& grid) {
    std::set<std::uint64_t> cuts{0, grid.blocks};
    for (const Agent& agent : grid.agents) {
        cuts.insert(agent.blocks.first);
        cuts.insert(std::uint64_t{agent.blocks.last} + 1);
    }
    std::map<std::vector<std::size_t>, std::vector<Range>> classes;
    for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
        const Range range{static_cast<unsigned>(*cut), static_cast<unsigned>(*std::next(cut) - 1)};
        std::vector<std::size_t> agents;
        for (std::size_t index = 0; index < grid.agents.size(); ++index) {
            if (grid.agents[index].blocks.contains(range.first)) {
                agents.push_back(index);
            }
        }
        classes[agents].push_back(range);
    }
    return classes;
}

std::string print_ranges(const std::vector<Range>& ranges) {
    std::string text;
    for (const Range& range : ranges) {
        text += (text.empty() ? "" : ", ") + std::to_string(range.first) +
                (range.size() > 1 ? ".." + std::to_string(range.last) : "");
    }
    return text;
}

std::string print_threads(const Range& threads) {
    return threads.size() == 1 ? "thread " + std::to_string(threads.first)
                               : "threads " + std::to_string(threads.first) + ".." + std::to_string(threads.last);
}

Result<Role> compile_role(const Agent& agent, Code& code, Names& names) {
    Role role{print_threads(agent.threads), agent.threads.size(), {}};
    for (const Instruction& instruction : agent.instructions) {
        if (auto operation = compile_instruction(instruction, code, names)) {
            operation->index = static_cast<std::uint8_t>(role.operations.size());
            role.operations.push_back(std::move(*operation));
        }
    }
    if (role.operations.size() > 64) {
        return Error{"the machine holds 64 instructions a thread; this one has " +
                     std::to_string(role.operations.size())};
    }
    return role;
}

void add_class(Code& code, std::size_t node, unsigned blocks, std::string text, std::vector<Role> roles) {
    code.nodes[node].classes.push_back(code.classes.size());
    code.classes.push_back({node, blocks, std::move(text), std::move(roles)});
}

std::optional<Error> compile_grid(const Grid& grid, std::size_t node, Code& code, Names& names) {
    code.nodes[node].blocks = grid.blocks;
    for (const auto& [agents, ranges] : classify(grid)) {
        std::vector<Role> roles;
        for (const std::size_t agent : agents) {
            Result<Role> role = compile_role(grid.agents[agent], code, names);
            if (!role) {
                return role.error();
            }
            roles.push_back(std::move(*role));
        }
        unsigned blocks = 0;
        for (const Range& range : ranges) {
            blocks += range.size();
        }
        if (code.blocks_differ && !roles.empty() && blocks > most_spelled_out_blocks) {
            return Error{"operations of scope cta make the machine tell blocks apart, which it does for " +
                         std::to_string(most_spelled_out_blocks) + " blocks at most"};
        }
        if (code.blocks_differ && !roles.empty() && blocks > 1) {
            for (const Range& range : ranges) {
                for (unsigned block = range.first; block <= range.last; ++block) {
                    add_class(code, node, 1, "block " + std::to_string(block), roles);
                }
            }
        } else {
            const std::string text =
                grid.blocks == 1 ? "" : (blocks == 1 ? "block " : "blocks ") + print_ranges(ranges);
            add_class(code, node, blocks, text, std::move(roles));
        }
    }
    return std::nullopt;
}

bool uses_block_scope(const Program& program) {
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        for (std::size_t index = 0; grid != nullptr && index < grid->agents.size(); ++index) {
            for (const Instruction& instruction : grid->agents[index].instructions) {
                const bool block_scope = std::visit(
                    [](const auto& value) {
                        if constexpr (requires { value.scope; }) {
                            return value.scope == Scope::cta;
                        } else {
                            return false;
                        }
                    },
                    instruction);
                if (block_scope) {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace

bool includes(Scope scope, Level level) {
    return level == Level::block || scope != Scope::cta;
}

bool accesses_memory(const Operation& operation) {
    return operation.kind == Kind::load || operation.kind == Kind::store || operation.kind == Kind::atomic ||
           operation.kind == Kind::await;
}

bool acquires(const Operation& operation) {
    return operation.ordering == Ordering::acquire ||
           (operation.kind == Kind::atomic && operation.ordering == Ordering::acq_rel);
}

bool releases(const Operation& operation) {
    return operation.ordering == Ordering::release ||
           (operation.kind == Kind::atomic && operation.ordering == Ordering::acq_rel);
}

Result<Code> compile(const Program& program, const Plan& plan) {
    Code code;
    Names names;
    if (program.memory.size() > 1000) {
        return Error{"the machine holds 1000 locations; this program has " + std::to_string(program.memory.size())};
    }
    for (const Location& location : program.memory) {
        names.locations.emplace(location.name, static_cast<std::uint16_t>(code.locations.size()));
        code.locations.push_back(location.name);
        code.initial.push_back(location.initial);
    }
    code.blocks_differ = uses_block_scope(program);
    code.nodes.resize(plan.nodes.size());
    for (std::size_t index = 0; index < plan.nodes.size(); ++index) {
        const Node& node = plan.nodes[index];
        code.nodes[index].text = node_name(program, node);
        code.nodes[index].dependencies = node.dependencies;
        for (const Dependency& dependency : node.dependencies) {
            code.nodes[dependency.upstream].dependents.push_back(index);
        }
        const HostOperation& operation = program.operations[node.operation];
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            if (auto error = compile_grid(*grid, index, code, names)) {
                return Error{"grid " + grid->name + ": " + error->message};
            }
        } else if (const auto* memset = std::get_if<Memset>(&operation)) {
            Operation store;
            store.kind = Kind::store;
            store.location = names.locations.at(memset->location);
            store.value = memset->word();
            store.text = "writes " + std::to_string(memset->word());
            add_class(code, index, 1, "", {Role{"", 1, {store}}});
        }
    }
    const std::set<std::uint16_t> shared = shared_between_blocks(code);
    for (BlockClass& block_class : code.classes) {
        for (Role& role : block_class.roles) {
            order(role, shared);
        }
    }
    return code;
}

} // namespace pdlcts::machine
