// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/unordered.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>
#include <limits>

namespace pdlcts {
namespace {

std::string quoted(const std::string& text) {
    return "`" + text + "`";
}

std::string name_of(const Program& program, const Plan& plan, std::size_t node) {
    return stream_of(program.operations[plan.nodes[node].operation]) == nullptr ? "the host"
                                                                                : node_name(program, plan.nodes[node]);
}

template <typename Kind>
std::optional<std::size_t> first_in(const Agent& agent, std::size_t begin = 0) {
    for (std::size_t index = begin; index < agent.instructions.size(); ++index) {
        if (std::holds_alternative<Kind>(agent.instructions[index])) {
            return index;
        }
    }
    return std::nullopt;
}

bool is_bulk_copy(const Instruction& instruction) {
    return std::holds_alternative<BulkCopy>(instruction);
}

bool waits(const Grid& grid) {
    return std::any_of(grid.agents.begin(), grid.agents.end(),
                       [](const Agent& agent) { return first_in<Wait>(agent).has_value(); });
}

bool triggers(const Grid& grid) {
    return std::any_of(grid.agents.begin(), grid.agents.end(),
                       [](const Agent& agent) { return first_in<Trigger>(agent).has_value(); });
}

/// What the wait has to do with a read, or a copy, of this grid: a clause that continues a sentence.
std::string about_wait(const Program& program, const Plan& plan, const Place& read) {
    const Grid& grid = *grid_of(program, plan, read.node);
    const Agent& agent = grid.agents[read.agent];
    const std::optional<std::size_t> wait = first_in<Wait>(agent);
    if (wait && *wait < read.instruction) {
        const std::optional<std::size_t> fence = first_in<ProxyFence>(agent, *wait);
        return is_bulk_copy(agent.instructions[read.instruction]) && (!fence || *fence > read.instruction)
                   ? "; the `wait` before the copy speaks for ordinary accesses, and no `fence.proxy.async` between "
                     "the "
                     "two carries that on to the async proxy"
                   : "";
    }
    if (wait) {
        return ", and this thread reads before its `wait`";
    }
    if (waits(grid)) {
        return concat(", and the `wait` in ", grid.name,
                      " is another thread's, which no barrier or flag passes on to this one "
                      "(wait.blocks-executing-thread)");
    }
    return concat(", and no thread of ", grid.name, " executes `wait`");
}

/// How a node begins in relation to an earlier one on which it depends in this way. `may` is the verb.
std::string about_dependency(const std::string& downstream, const std::string& upstream, const Dependency& dependency,
                             bool upstream_triggers, const char* may = " may begin as soon as every block of ") {
    if (dependency.type == DependencyType::full && dependency.port == Port::full) {
        return concat(downstream, " begins after ", upstream, " has completed");
    }
    if (dependency.type == DependencyType::full) {
        return concat("the launch-completion event of ", upstream,
                      " orders nothing (ambiguity.a02-launch-completion-order), and `wait` does not see it "
                      "(event.lc.not-visible-to-wait)");
    }
    if (dependency.port == Port::launch_completion) {
        return concat(downstream, may, upstream, " has begun");
    }
    return concat(downstream, may, upstream, " has ",
                  upstream_triggers ? "triggered or exited" : "exited, which counts as a trigger");
}

/// Why nothing makes the write visible to the read, where the write's node comes first in the plan.
std::string about_earlier_write(const Program& program, const Plan& plan, const Place& write, const Place& read) {
    const std::string writer = name_of(program, plan, write.node);
    const std::string reader = name_of(program, plan, read.node);
    const Grid* const writing = grid_of(program, plan, write.node);
    const Grid* const reading = grid_of(program, plan, read.node);
    if (const Dependency* dependency = dependency_on(plan, read.node, write.node)) {
        std::string text = about_dependency(reader, writer, *dependency, writing != nullptr && triggers(*writing));
        if (dependency->type == DependencyType::programmatic) {
            text += concat(", which brings nothing that ", writer, " wrote");
            text += reading == nullptr ? " (ambiguity.a18-non-kernel-waits-programmatic-event)"
                                       : about_wait(program, plan, read);
            if (reading != nullptr && writing != nullptr && gpu_scope(*reading) != gpu_scope(*writing) &&
                first_in<Fence>(writing->agents[write.agent])) {
                text += "; the two are on different GPUs or in different memory synchronization domains, for which a "
                        "fence of "
                        "scope gpu "
                        "may not be enough (visibility.gpu-fence-cross-domain-insufficient)";
            }
        }
        return text;
    }
    const std::vector<std::size_t> way = way_back(plan, read.node, write.node);
    for (std::size_t step = way.size(); step-- > 1;) {
        const std::size_t upstream = way[step];
        const std::size_t downstream = way[step - 1];
        const Dependency& dependency = *dependency_on(plan, downstream, upstream);
        const Grid* const middle = grid_of(program, plan, downstream);
        if (middle == nullptr && (dependency.type != DependencyType::full || dependency.port != Port::full)) {
            const Grid* const first = grid_of(program, plan, upstream);
            return concat(
                about_dependency(quoted(node_name(program, plan.nodes[downstream])), writer, dependency,
                                 first != nullptr && triggers(*first), " may return as soon as every block of "),
                ", which brings nothing that ", writer, " wrote (ambiguity.a18-non-kernel-waits-programmatic-event)");
        }
        if (dependency.type == DependencyType::programmatic && middle != nullptr) {
            return concat("on this route ", reader, " comes after ", name_of(program, plan, way[step - 1]),
                          " and not after ", writer, ": ", name_of(program, plan, downstream), " depends on ",
                          name_of(program, plan, upstream), " programmatically",
                          waits(*middle) ? ""
                                         : " and no thread of it executes `wait`, so that it may end first "
                                           "(wait.intransitive-if-middle-skips, "
                                           "ambiguity.a22-plain-successor-of-unwaited)");
        }
    }
    return way.empty() ? concat("no stream, event or sync orders ", reader, " after ", writer)
                       : concat(reader, " depends on ", writer, " only by what brings no view of it");
}

std::string about_same_node(const Program& program, const Plan& plan, const Place& write, const Place& read) {
    const Grid* const grid = grid_of(program, plan, read.node);
    if (grid == nullptr) {
        return "nothing orders the two";
    }
    const Agent& writing = grid->agents[write.agent];
    const Agent& reading = grid->agents[read.agent];
    if (write.agent == read.agent) {
        const bool copies = is_bulk_copy(writing.instructions[write.instruction]) ||
                            is_bulk_copy(reading.instructions[read.instruction]);
        return copies
                   ? "bulk copies belong to the async proxy, and no `fence.proxy.async`, completed group or completed "
                     "phase orders the two"
                   : "nothing orders the two";
    }
    return writing.blocks == reading.blocks && reading.blocks.size() == 1
               ? "the two are threads of one block, and neither a barrier nor a flag orders the write before the read"
               : "the two are in different blocks, and no release and acquire of a scope that holds both orders the "
                 "write before the read";
}

/// Why the write of a later node can come before the read, where it was seen.
std::string about_later_write(const Program& program, const Plan& plan, const Place& write, const Place& read) {
    const std::string writer = name_of(program, plan, write.node);
    const std::string reader = name_of(program, plan, read.node);
    const Dependency* const dependency = dependency_on(plan, write.node, read.node);
    if (dependency == nullptr) {
        return grid_of(program, plan, write.node) == nullptr
                   ? concat(writer, " does not wait until ", reader, " has ended")
                   : concat("nothing makes ", writer, " begin after ", reader, " has ended");
    }
    const Grid* const reading = grid_of(program, plan, read.node);
    return about_dependency(writer, reader, *dependency, reading != nullptr && triggers(*reading)) +
           (dependency->type == DependencyType::programmatic ? concat(", while ", reader, " still runs") : "");
}

/// Whether a thread looks after its bulk copies only until their sources are read.
bool waits_for_sources_only(const Agent& agent) {
    const auto waits = [&](bool read) {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), [&](const Instruction& instruction) {
            const auto* wait = std::get_if<BulkWait>(&instruction);
            return wait != nullptr && wait->read == read;
        });
    };
    return waits(true) && !waits(false);
}

} // namespace

const Dependency* dependency_on(const Plan& plan, std::size_t node, std::size_t upstream) {
    for (const Dependency& dependency : plan.nodes[node].dependencies) {
        if (dependency.upstream == upstream) {
            return &dependency;
        }
    }
    return nullptr;
}

std::vector<std::size_t> way_back(const Plan& plan, std::size_t node, std::size_t upstream) {
    constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
    std::vector<std::size_t> towards(plan.nodes.size(), unknown);
    std::vector<std::size_t> pending{upstream};
    for (std::size_t next = 0; next < pending.size(); ++next) {
        for (std::size_t later = pending[next] + 1; later <= node; ++later) {
            if (towards[later] == unknown && dependency_on(plan, later, pending[next]) != nullptr) {
                towards[later] = pending[next];
                pending.push_back(later);
            }
        }
    }
    if (node != upstream && towards[node] == unknown) {
        return {};
    }
    std::vector<std::size_t> way{node};
    while (way.back() != upstream) {
        way.push_back(towards[way.back()]);
    }
    return way;
}

std::string why_unordered(const Program& program, const Plan& plan, const Place& write, const Place& read, bool stale) {
    const Grid* const grid = grid_of(program, plan, read.node);
    const Load* const load =
        grid == nullptr ? nullptr : std::get_if<Load>(&grid->agents[read.agent].instructions[read.instruction]);
    if (load != nullptr && load->cache == CacheOperator::nc) {
        return "a load by .nc may return what its multiprocessor cached before (visibility.nc-loads-excluded)";
    }
    if (write.node == read.node) {
        return about_same_node(program, plan, write, read);
    }
    if (write.node > read.node) {
        return stale ? concat("the host issues that after ", name_of(program, plan, read.node),
                              ", so that it need not have happened")
                     : about_later_write(program, plan, write, read);
    }
    std::string text = about_earlier_write(program, plan, write, read);
    const Grid* const writing = grid_of(program, plan, write.node);
    if (writing != nullptr && is_bulk_copy(writing->agents[write.agent].instructions[write.instruction]) &&
        waits_for_sources_only(writing->agents[write.agent])) {
        text +=
            "; and `cp.async.bulk.wait_group.read` waits until the source of a copy is read, not until it is written";
    }
    return text;
}

} // namespace pdlcts
