// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/diagnosis.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace pdlcts {
namespace {

std::string quoted(const std::string& text) {
    return "`" + text + "`";
}

/// "`ld.weak x -> seen` of secondary thread 0"; of a copy that is a node of its own, only what it is.
std::string described(const Program& program, const Plan& plan, const Place& place) {
    const std::string text = instruction_text(program, plan, place);
    const std::string who = actor(program, plan, place);
    return who == text ? quoted(text) : concat(quoted(text), " of ", who);
}

const Grid* grid_of(const Program& program, const Plan& plan, std::size_t node) {
    return std::get_if<Grid>(&program.operations[plan.nodes[node].operation]);
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

const Dependency* dependency_on(const Plan& plan, std::size_t node, std::size_t upstream) {
    for (const Dependency& dependency : plan.nodes[node].dependencies) {
        if (dependency.upstream == upstream) {
            return &dependency;
        }
    }
    return nullptr;
}

/// Nodes from `node` back to `upstream`, both included, the shortest way; empty where no dependencies lead there.
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

/// How a node begins in relation to an earlier one on which it depends in this way.
std::string about_dependency(const std::string& downstream, const std::string& upstream, const Dependency& dependency,
                             bool upstream_triggers) {
    if (dependency.type == DependencyType::full && dependency.port == Port::full) {
        return concat(downstream, " begins after ", upstream, " has completed");
    }
    if (dependency.type == DependencyType::full) {
        return concat("the launch-completion event of ", upstream,
                      " orders nothing (ambiguity.a02-launch-completion-order), and `wait` does not see it "
                      "(event.lc.not-visible-to-wait)");
    }
    if (dependency.port == Port::launch_completion) {
        return concat(downstream, " may begin as soon as every block of ", upstream, " has begun");
    }
    return concat(downstream, " may begin as soon as every block of ", upstream, " has ",
                  upstream_triggers ? "triggered or exited" : "exited, which counts as a trigger");
}

/// Why nothing makes the write visible to the read, where the write's node comes first in the plan.
std::string about_earlier_write(const Program& program, const Plan& plan, const Place& write, const Place& read) {
    const std::string writer = name_of(program, plan, write.node);
    const std::string reader = name_of(program, plan, read.node);
    const Grid* const writing = grid_of(program, plan, write.node);
    const Grid* const reading = grid_of(program, plan, read.node);
    const auto domain = [](const Grid* grid) { return grid->domain.value_or(Domain::standard); };
    if (const Dependency* dependency = dependency_on(plan, read.node, write.node)) {
        std::string text = about_dependency(reader, writer, *dependency, writing != nullptr && triggers(*writing));
        if (dependency->type == DependencyType::programmatic) {
            text += concat(", which brings nothing that ", writer, " wrote");
            text += reading == nullptr ? " (ambiguity.a18-non-kernel-waits-programmatic-event)"
                                       : about_wait(program, plan, read);
            if (reading != nullptr && writing != nullptr && domain(reading) != domain(writing) &&
                first_in<Fence>(writing->agents[write.agent])) {
                text += "; the two are in different memory synchronization domains, for which a fence of scope gpu "
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

std::string about_later_write(const Program& program, const Plan& plan, const Place& write, const Place& read) {
    const std::string writer = name_of(program, plan, write.node);
    const std::string reader = name_of(program, plan, read.node);
    const Dependency* const dependency = dependency_on(plan, write.node, read.node);
    if (dependency == nullptr) {
        return concat("nothing makes ", writer, " begin after ", reader, " has ended");
    }
    const Grid* const reading = grid_of(program, plan, read.node);
    return about_dependency(writer, reader, *dependency, reading != nullptr && triggers(*reading)) +
           (dependency->type == DependencyType::programmatic ? concat(", while ", reader, " still runs") : "");
}

std::optional<Value> initial_value(const Program& program, const Grid* grid, const Element& element) {
    const auto look = [&](const std::vector<Location>& locations) -> std::optional<Value> {
        for (const Location& location : locations) {
            if (location.name == element.location && element.position() < location.initial.size()) {
                return location.initial[element.position()];
            }
        }
        return std::nullopt;
    };
    std::optional<Value> value = grid == nullptr ? std::nullopt : look(grid->shared);
    value = value ? value : look(program.memory);
    return value ? value : look(program.host_memory);
}

/// The comparisons of a condition that hold of an outcome.
void collect(const Condition& condition, const Outcome& outcome, std::vector<Comparison>& comparisons) {
    if (condition.kind == Condition::Kind::comparison) {
        if (matches(condition, outcome)) {
            comparisons.push_back(condition.comparison);
        }
        return;
    }
    for (const Condition& operand : condition.operands) {
        collect(operand, outcome, comparisons);
    }
}

/// A value of the register that makes the comparison true.
std::optional<Value> deciding_value(const Comparison& comparison, const Outcome& outcome) {
    const auto values = outcome.find(comparison.result);
    if (values == outcome.end()) {
        return std::nullopt;
    }
    for (const Value value : values->second) {
        if ((value == comparison.value) == comparison.equal) {
            return value;
        }
    }
    return std::nullopt;
}

/// Why nothing orders a write before a read.
std::string about_order(const Program& program, const Plan& plan, const Place& write, const Place& read) {
    const Grid* const grid = grid_of(program, plan, read.node);
    const Load* const load =
        grid == nullptr ? nullptr : std::get_if<Load>(&grid->agents[read.agent].instructions[read.instruction]);
    if (load != nullptr && load->cache == CacheOperator::nc) {
        return "a load by .nc may return what its multiprocessor cached before (visibility.nc-loads-excluded)";
    }
    if (write.node == read.node) {
        return about_same_node(program, plan, write, read);
    }
    return write.node < read.node ? about_earlier_write(program, plan, write, read)
                                  : about_later_write(program, plan, write, read);
}

/// The source of a copy that wrote an element, as a read of that copy; none where the write is no copy.
std::optional<ReadAccess> source_of(const Program& program, const Plan& plan, const WriteAccess& write) {
    const auto same_index = [&](const std::string& source) {
        return ReadAccess{write.place, "", Element{source, write.element.index, {}}};
    };
    const HostOperation& operation = program.operations[plan.nodes[write.place.node].operation];
    if (const auto* copy = std::get_if<Memcpy>(&operation)) {
        return same_index(copy->source);
    }
    const auto* grid = std::get_if<Grid>(&operation);
    const auto* copy =
        grid == nullptr ? nullptr
                        : std::get_if<BulkCopy>(&grid->agents[write.place.agent].instructions[write.place.instruction]);
    return copy == nullptr ? std::nullopt : std::optional(same_index(copy->source));
}

/// Of the writes of an element the one that a read of `seen` returned, or else the latest before the read in the plan:
/// the one that it ought to have seen.
const WriteAccess* write_behind(const Program& program, const Plan& plan, const ReadAccess& read, Value seen,
                                const std::vector<WriteAccess>& writes) {
    const Grid* const grid = grid_of(program, plan, read.place.node);
    const bool shared = grid != nullptr && initial_value(Program{}, grid, *read.element).has_value();
    const WriteAccess* latest = nullptr;
    for (const WriteAccess& write : writes) {
        if (write.element.location != read.element->location || write.element.position() != read.element->position() ||
            write.place == read.place || (shared && write.place.node != read.place.node)) {
            continue;
        }
        if (write.value == seen) {
            return &write;
        }
        const auto rank = [&](const WriteAccess& each) {
            return std::pair{each.place.node <= read.place.node, each.place};
        };
        if (latest == nullptr || rank(*latest) < rank(write)) {
            latest = &write;
        }
    }
    return latest;
}

/// Whether a read comes after a copy as far as the plan, or the program order of its thread, says.
bool follows(const Plan& plan, const Place& copy, const Place& read) {
    if (copy.node == read.node) {
        return copy.agent == read.agent && copy.instruction < read.instruction;
    }
    const std::vector<std::size_t> way =
        copy.node < read.node ? way_back(plan, read.node, copy.node) : std::vector<std::size_t>{};
    for (std::size_t step = 0; step + 1 < way.size(); ++step) {
        const Dependency& dependency = *dependency_on(plan, way[step], way[step + 1]);
        if (dependency.type != DependencyType::full || dependency.port != Port::full) {
            return false;
        }
    }
    return !way.empty();
}

/// The last write of another value to the element, in the plan, that stands between a write and a read of it.
const WriteAccess* other_write_before(const std::vector<WriteAccess>& writes, const WriteAccess& write,
                                      const ReadAccess& read) {
    const WriteAccess* later = nullptr;
    for (const WriteAccess& other : writes) {
        if (other.element.location == write.element.location && other.element.position() == write.element.position() &&
            other.value != write.value && write.place < other.place && other.place.node <= read.place.node &&
            (later == nullptr || later->place < other.place)) {
            later = &other;
        }
    }
    return later;
}

/// Fills in what the read at fault, which returned `seen`, is about. A copy that comes before a read is followed to
/// what it copied.
void explain(const Program& program, const Plan& plan, const std::vector<WriteAccess>& writes, Value seen,
             DecidingRead& deciding) {
    std::string text;
    const WriteAccess* write = nullptr;
    for (std::size_t copies = 0; copies <= plan.nodes.size(); ++copies) {
        const ReadAccess& read = deciding.at_fault;
        text = described(program, plan, read.place);
        write = write_behind(program, plan, read, seen, writes);
        const std::optional<ReadAccess> source = write == nullptr ? std::nullopt : source_of(program, plan, *write);
        if (!source || !follows(plan, write->place, read.place)) {
            break;
        }
        deciding.why +=
            concat(text, " reads what ", quoted(instruction_text(program, plan, write->place)), " has copied. ");
        deciding.at_fault = *source;
    }
    const ReadAccess& read = deciding.at_fault;
    const bool from_initial = initial_value(program, grid_of(program, plan, read.place.node), *read.element) == seen;
    const std::string location = quoted(print(*read.element));
    if (write == nullptr) {
        deciding.why += concat(text, " reads ", seen, from_initial ? ", the initial value: nothing" : ": nothing",
                               " writes ", location, ".");
        return;
    }
    deciding.write = *write;
    deciding.stale = write->value != seen;
    const std::string writer = described(program, plan, write->place);
    const WriteAccess* const later = deciding.stale ? nullptr : other_write_before(writes, *write, read);
    if (later != nullptr) {
        // Two writes, and the one that looks like the last need not be: it is the later one that comes too early.
        deciding.why += concat(text, " can read what ", writer, " writes, as that need not come before ",
                               described(program, plan, later->place), ": ",
                               about_order(program, plan, write->place, later->place), ".");
        deciding.at_fault.place = later->place;
        deciding.stale = true;
        return;
    }
    const std::string order = about_order(program, plan, write->place, read.place);
    const std::string initial = from_initial ? concat(", the initial value of ", location) : "";
    deciding.why += deciding.stale
                        ? concat(text, " can still read ", seen, initial, ", in spite of ", writer, ": ", order, ".")
                        : concat(text, " can read what ", writer, " writes: ", order, ".");
}

DecidingRead explained(const Program& program, const Plan& plan, const ReadAccess& read, Value value,
                       const std::vector<WriteAccess>& writes) {
    DecidingRead deciding{read, read, value, std::nullopt, false, ""};
    const Grid* const grid = grid_of(program, plan, read.place.node);
    const Instruction* const instruction =
        grid == nullptr ? nullptr : &grid->agents[read.place.agent].instructions[read.place.instruction];
    const auto* await = instruction == nullptr ? nullptr : std::get_if<Await>(instruction);
    const std::string text = quoted(instruction_text(program, plan, read.place));
    if (value == 0 && (await != nullptr || !read.element)) {
        deciding.why = concat(text, " can give up: what it waits for need not happen in time "
                                    "(model.no-reliance-on-concurrency).");
    }
    if (!deciding.why.empty() || !read.element) {
        return deciding;
    }
    explain(program, plan, writes, await != nullptr ? await->value : value, deciding);
    return deciding;
}

} // namespace

std::vector<DecidingRead> deciding_reads(const Program& program, const Plan& plan, const Condition& condition,
                                         const Outcome& outcome) {
    std::vector<Comparison> comparisons;
    collect(condition, outcome, comparisons);
    const std::vector<ReadAccess> reads = reads_of(program, plan);
    const std::vector<WriteAccess> writes = writes_of(program, plan);
    std::vector<DecidingRead> deciding;
    std::set<std::string> seen;
    for (const Comparison& comparison : comparisons) {
        const std::optional<Value> value = deciding_value(comparison, outcome);
        if (!value || !seen.insert(comparison.result).second) {
            continue;
        }
        for (const ReadAccess& read : reads) {
            if (read.result == comparison.result) {
                deciding.push_back(explained(program, plan, read, *value, writes));
            }
        }
    }
    // Beside an old value a new one is as it should be: a flag that was seen, say.
    const auto stale = [](const DecidingRead& read) { return read.stale; };
    if (std::any_of(deciding.begin(), deciding.end(), stale)) {
        std::erase_if(deciding, [&](const DecidingRead& read) {
            return !stale(read) && (!read.write || read.write->place.node <= read.read.place.node);
        });
    }
    return deciding;
}

} // namespace pdlcts
