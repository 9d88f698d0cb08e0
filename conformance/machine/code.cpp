// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/code.hpp"

#include "conformance/machine/gates.hpp"
#include "conformance/machine/prospects.hpp"
#include "conformance/machine/role.hpp"
#include "conformance/support/result.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace pdlcts::machine {
namespace {

constexpr unsigned most_spelled_out_blocks = 64;

// Indices into Code::levels of those who are not told apart; blocks that are follow.
constexpr std::uint16_t who_host = 4;

/// Blocks that no scope tells apart, by their GPU and domain.
std::uint16_t who_of(const GpuScope& scope) {
    return static_cast<std::uint16_t>((scope.peer ? 2 : 0) + (scope.domain == Domain::remote ? 1 : 0));
}

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

template <typename Predicate>
bool any_instruction(const Grid& grid, const Predicate& predicate) {
    return std::any_of(grid.agents.begin(), grid.agents.end(), [&](const Agent& agent) {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), predicate);
    });
}

bool uses_narrow_scope(const Program& program) {
    return std::any_of(program.operations.begin(), program.operations.end(), [](const HostOperation& operation) {
        const auto* grid = std::get_if<Grid>(&operation);
        return grid != nullptr && any_instruction(*grid, [](const Instruction& instruction) {
                   return std::visit(
                       [](const auto& each) {
                           if constexpr (requires { each.scope; }) {
                               return each.scope == Scope::cta || each.scope == Scope::cluster;
                           } else {
                               return false;
                           }
                       },
                       instruction);
               });
    });
}

bool uses_cluster_barrier(const Grid& grid) {
    return any_instruction(grid, [](const Instruction& each) { return std::holds_alternative<ClusterArrive>(each); });
}

struct Compiler {
    const Program& program;
    const Plan& plan;
    Code code = {};
    Cells cells = {};
    std::map<std::string, int> results = {};
    bool narrow = false; ///< some operation's scope tells blocks apart
    /// Of those who act: node, cluster and block where they are told apart, for Code::levels.
    struct Who {
        bool host = false;
        GpuScope gpu_scope = {};
        std::optional<std::size_t> node = std::nullopt;
        unsigned cluster = 0;
        unsigned block = 0;
    };
    std::vector<Who> who = {{false, {false, Domain::standard}},
                            {false, {false, Domain::remote}},
                            {false, {true, Domain::standard}},
                            {false, {true, Domain::remote}},
                            {true}};

    Level level(const Who& one, const Who& other) const {
        if (one.host || other.host || one.gpu_scope != other.gpu_scope) {
            return Level::sys;
        }
        if (!one.node || one.node != other.node || one.cluster != other.cluster) {
            return Level::gpu;
        }
        return one.block == other.block ? Level::block : Level::cluster;
    }

    std::optional<Error> compile_block_class(const Grid& grid, std::size_t node, const std::vector<std::size_t>& agents,
                                             unsigned blocks, unsigned block, bool told_apart, std::string text);
    std::optional<Error> compile_grid(const Grid& grid, std::size_t node);
    void compile_host_node(std::size_t node, const HostOperation& operation);
};

std::optional<Error> Compiler::compile_block_class(const Grid& grid, std::size_t node,
                                                   const std::vector<std::size_t>& agents, unsigned blocks,
                                                   unsigned block, bool told_apart, std::string text) {
    BlockClass made;
    made.node = node;
    made.blocks = blocks;
    made.text = std::move(text);
    if (told_apart) {
        made.who = static_cast<std::uint16_t>(who.size());
        who.push_back({false, gpu_scope(grid), node, block / grid.cluster, block});
    } else {
        made.who = who_of(gpu_scope(grid));
    }
    std::map<std::pair<unsigned, unsigned>, std::uint16_t> gatherings;
    RoleCompiler compiler{code, cells, program, results, node, &grid, block, gatherings};
    for (const std::size_t agent : agents) {
        std::set<unsigned> numbers;
        for (const Instruction& instruction : grid.agents[agent].instructions) {
            if (const auto* barrier = std::get_if<Barrier>(&instruction)) {
                numbers.insert(barrier->number);
            }
        }
        for (const unsigned number : numbers) {
            compiler.barrier_threads[number] += static_cast<std::uint16_t>(grid.agents[agent].threads.size());
        }
    }
    if (uses_cluster_barrier(grid)) {
        made.cluster = static_cast<std::uint16_t>(code.clusters.size() - 1);
        const unsigned first = block / grid.cluster * grid.cluster;
        for (const Agent& agent : grid.agents) {
            const unsigned low = std::max(first, agent.blocks.first);
            const unsigned high = std::min(first + grid.cluster - 1, agent.blocks.last);
            const auto phases =
                std::count_if(agent.instructions.begin(), agent.instructions.end(),
                              [](const auto& each) { return std::holds_alternative<ClusterArrive>(each); });
            if (low <= high && phases > 0) {
                compiler.cluster_threads += static_cast<std::uint16_t>((high - low + 1) * agent.threads.size());
                code.clusters.back() = std::max(code.clusters.back(), static_cast<std::uint16_t>(phases));
            }
        }
    }
    std::vector<Role> copies;
    for (const std::size_t index : agents) {
        const Agent& agent = grid.agents[index];
        auto roles = compiler.compile(agent.instructions, print_threads(agent.threads), agent.threads.size(),
                                      agents.size() + copies.size(), made.copies);
        if (!roles) {
            return roles.error();
        }
        made.roles.push_back(std::move(roles->front()));
        for (std::size_t copy = 1; copy < roles->size(); ++copy) {
            copies.push_back(std::move((*roles)[copy]));
        }
    }
    made.roles.insert(made.roles.end(), copies.begin(), copies.end());
    made.gatherings = static_cast<std::uint16_t>(gatherings.size());
    code.uses_proxies = code.uses_proxies || !copies.empty();
    code.nodes[node].classes.push_back(code.classes.size());
    code.classes.push_back(std::move(made));
    return std::nullopt;
}

std::optional<Error> Compiler::compile_grid(const Grid& grid, std::size_t node) {
    code.nodes[node].blocks = grid.blocks;
    code.nodes[node].is_grid = true;
    code.nodes[node].gpu_scope = gpu_scope(grid);
    const bool spelled_out = narrow || has_block_memory(grid) || uses_cluster_barrier(grid);
    const auto classes = classify(grid);
    if (!spelled_out) {
        for (const auto& [agents, ranges] : classes) {
            unsigned blocks = 0;
            for (const Range& range : ranges) {
                blocks += range.size();
            }
            std::string text = grid.blocks == 1 ? "" : (blocks == 1 ? "block " : "blocks ") + print_ranges(ranges);
            if (auto error = compile_block_class(grid, node, agents, blocks, ranges.front().first, false, text)) {
                return error;
            }
        }
        return std::nullopt;
    }
    unsigned idle = 0;
    std::map<unsigned, const std::vector<std::size_t>*> blocks;
    for (const auto& [agents, ranges] : classes) {
        for (const Range& range : ranges) {
            if (agents.empty()) {
                idle += range.size();
                continue;
            }
            if (blocks.size() + range.size() > most_spelled_out_blocks) {
                return Error{"operations of scope cta or cluster, shared memory and cluster barriers make the machine "
                             "tell blocks apart, which it does for " +
                             std::to_string(most_spelled_out_blocks) +
                             " blocks at most; give the program fewer blocks"};
            }
            for (unsigned block = range.first; block <= range.last; ++block) {
                blocks.emplace(block, &agents);
            }
        }
    }
    std::optional<unsigned> cluster;
    for (const auto& [block, agents] : blocks) {
        if (uses_cluster_barrier(grid) && cluster != block / grid.cluster) {
            cluster = block / grid.cluster;
            code.clusters.push_back(0);
        }
        std::string text = grid.blocks == 1 ? "" : "block " + std::to_string(block);
        if (auto error = compile_block_class(grid, node, *agents, 1, block, true, std::move(text))) {
            return error;
        }
    }
    if (idle > 0) {
        return compile_block_class(grid, node, {}, idle, 0, false, "the other blocks");
    }
    return std::nullopt;
}

void Compiler::compile_host_node(std::size_t node, const HostOperation& operation) {
    std::map<std::pair<unsigned, unsigned>, std::uint16_t> gatherings;
    RoleCompiler compiler{code, cells, program, results, node, nullptr, 0, gatherings};
    Role role = std::visit(
        Overloaded{[&](const Memset& memset) { return compiler.compile_memset(memset); },
                   [&](const Memcpy& memcpy) { return compiler.compile_memcpy(memcpy); },
                   [&](const HostFunction& function) { return compiler.compile_host(function.instructions); },
                   [&](const HostRead& read) { return compiler.compile_host({read}); },
                   [&](const HostWrite& write) { return compiler.compile_host({write}); },
                   [](const auto&) { return Role{}; }},
        operation);
    BlockClass made;
    made.node = node;
    made.who = who_host;
    made.roles.push_back(std::move(role));
    code.nodes[node].classes.push_back(code.classes.size());
    code.classes.push_back(std::move(made));
}

bool has_sc_fence(const Code& code, std::size_t node) {
    return std::any_of(code.nodes[node].classes.begin(), code.nodes[node].classes.end(), [&](std::size_t index) {
        const std::vector<Role>& roles = code.classes[index].roles;
        return std::any_of(roles.begin(), roles.end(), [](const Role& role) {
            return std::any_of(role.operations.begin(), role.operations.end(), [](const Operation& operation) {
                return operation.kind == Kind::fence && operation.ordering == Ordering::sc;
            });
        });
    });
}

/// Whether a node with a fence.sc stands behind another one by a way that is not full all along. Without memory no
/// order of theirs can be told.
bool reorders_sc_fences(const Code& code) {
    if (code.cells.empty()) {
        return false;
    }
    std::vector<bool> behind(code.nodes.size());         // a fence.sc
    std::vector<bool> behind_loosely(code.nodes.size()); // by a dependency that is not full
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        for (const Dependency& dependency : code.nodes[node].dependencies) {
            const bool full = dependency.type == DependencyType::full && dependency.port == Port::full;
            const bool above = behind[dependency.upstream] || has_sc_fence(code, dependency.upstream);
            behind[node] = behind[node] || above;
            behind_loosely[node] = behind_loosely[node] || behind_loosely[dependency.upstream] || (above && !full);
        }
        if (behind_loosely[node] && has_sc_fence(code, node)) {
            return true;
        }
    }
    return false;
}

} // namespace

bool includes(Scope scope, Level level) {
    return static_cast<unsigned>(level) <= static_cast<unsigned>(scope);
}

bool accesses_memory(const Operation& operation) {
    return operation.reads || operation.writes;
}

bool is_control_point(const Operation& operation) {
    switch (operation.kind) {
    case Kind::fence:
    case Kind::proxy_fence:
    case Kind::load:
    case Kind::store:
    case Kind::atomic:
    case Kind::copy:
        return false;
    default:
        return true;
    }
}

Result<Code> compile(const Program& program, const Plan& plan, Fault fault) {
    Compiler compiler{program, plan};
    Code& code = compiler.code;
    code.fault = fault;
    compiler.narrow = uses_narrow_scope(program);
    auto cells = lay_out_cells(program, plan, code);
    if (!cells) {
        return cells.error();
    }
    compiler.cells = *std::move(cells);
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
            if (auto error = compiler.compile_grid(*grid, index)) {
                return Error{"grid " + grid->name + ": " + error->message};
            }
        } else {
            compiler.compile_host_node(index, operation);
        }
    }
    code.one_gpu_scope = std::all_of(code.nodes.begin(), code.nodes.end(), [&](const NodeCode& node) {
        return !node.is_grid || std::all_of(code.nodes.begin(), code.nodes.end(), [&](const NodeCode& other) {
            return !other.is_grid || other.gpu_scope == node.gpu_scope;
        });
    });
    code.reorders_sc_fences = reorders_sc_fences(code);
    mark_synchronisation(code);
    set_gates(program, plan, code);
    number_prospects(code);
    for (const auto& one : compiler.who) {
        code.levels.emplace_back();
        for (const auto& other : compiler.who) {
            code.levels.back().push_back(compiler.level(one, other));
        }
    }
    return std::move(code);
}

} // namespace pdlcts::machine
