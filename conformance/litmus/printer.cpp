// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"

#include "conformance/litmus/merge.hpp"
#include "conformance/litmus/words.hpp"
#include "conformance/support/result.hpp"

#include <algorithm>

namespace pdlcts {

namespace {

constexpr std::string_view agent_indentation = "  ";
constexpr std::string_view instruction_indentation = "      ";

std::string print_duration(std::uint64_t nanoseconds) {
    for (const auto& unit : time_units) {
        if (nanoseconds != 0 && nanoseconds % unit.value == 0) {
            return std::to_string(nanoseconds / unit.value) + std::string(unit.word);
        }
    }
    return std::to_string(nanoseconds) + "ns";
}

std::string qualifier(std::string_view word) {
    return std::string(".").append(word);
}

std::string print_strength(Ordering ordering, Scope scope) {
    return qualifier(spell(all_orderings, ordering)) +
           (ordering == Ordering::weak ? "" : qualifier(spell(scopes, scope)));
}

std::string print_result(const std::string& result) {
    return " -> " + result;
}

std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

template <typename Entry, typename Print>
std::string join(const std::vector<Entry>& entries, Print print_entry) {
    std::vector<std::string> words;
    for (const Entry& entry : entries) {
        words.push_back(print_entry(entry));
    }
    return join(words);
}

std::string print_number(Value value) {
    return std::to_string(value);
}

std::string print_element(const Element& element) {
    return element.location + (element.index ? "[" + std::to_string(*element.index) + "]" : "") +
           (element.rank ? "@" + std::to_string(*element.rank) : "");
}

/// One lane stands for itself, several stand in braces.
std::string braced(std::size_t lanes, const std::string& list) {
    return lanes == 1 ? list : "{" + list + "}";
}

std::string print_lanes(std::size_t lanes) {
    return lanes == 1 ? "" : ".v" + std::to_string(lanes);
}

std::string print_instruction(const Trigger&) {
    return "trigger";
}
std::string print_instruction(const Wait&) {
    return "wait";
}
std::string print_instruction(const Exit&) {
    return "exit";
}
std::string print_instruction(const Barrier& barrier) {
    return std::string(barrier.arrive ? "bar.arrive" : "bar.sync") +
           (barrier.number == 0 ? "" : " " + std::to_string(barrier.number) + ", " + std::to_string(barrier.threads));
}
std::string print_instruction(const ClusterArrive& arrive) {
    return "barrier.cluster.arrive" + qualifier(spell(all_orderings, arrive.ordering));
}
std::string print_instruction(const ClusterWait&) {
    return "barrier.cluster.wait.acquire";
}
std::string print_instruction(const ProxyFence&) {
    return "fence.proxy.async";
}
std::string print_instruction(const MbarrierArrive& arrive) {
    return std::string("mbarrier.arrive") + (arrive.expected_bytes ? ".expect_tx" : "") + ".release" +
           qualifier(spell(scopes, arrive.scope)) + " " + print_element(arrive.mbarrier) +
           (arrive.expected_bytes ? ", " + std::to_string(*arrive.expected_bytes) : "");
}
std::string print_instruction(const MbarrierWait& wait) {
    return "mbarrier.wait.acquire" + qualifier(spell(scopes, wait.scope)) + " " + wait.mbarrier + ", " +
           std::to_string(wait.parity) + (wait.result ? print_result(*wait.result) : "") + " within " +
           print_duration(wait.within_nanoseconds);
}
std::string print_instruction(const BulkCopy& copy) {
    return std::string("cp.async.bulk.") + (copy.into_shared() ? "shared.global " : "global.shared ") +
           copy.destination + ", " + copy.source + (copy.mbarrier ? ", " + *copy.mbarrier : "");
}
std::string print_instruction(const BulkCommit&) {
    return "cp.async.bulk.commit_group";
}
std::string print_instruction(const BulkWait& wait) {
    return std::string("cp.async.bulk.wait_group") + (wait.read ? ".read " : " ") + std::to_string(wait.pending);
}
std::string print_instruction(const Fence& fence) {
    return "fence" + print_strength(fence.ordering, fence.scope);
}

std::string print_instruction(const Load& load) {
    const std::string cache =
        load.cache == CacheOperator::unspecified ? "" : qualifier(spell(cache_operators, load.cache));
    return "ld" + print_strength(load.ordering, load.scope) + cache + print_lanes(load.results.size()) + " " +
           print_element(load.element) + print_result(braced(load.results.size(), join(load.results)));
}

std::string print_instruction(const Store& store) {
    return "st" + print_strength(store.ordering, store.scope) + print_lanes(store.values.size()) + " " +
           print_element(store.element) + ", " + braced(store.values.size(), join(store.values, print_number));
}

std::string print_instruction(const Atomic& atomic) {
    return (atomic.result ? "atom" : "red") + print_strength(atomic.ordering, atomic.scope) +
           qualifier(spell(atomic_operations, atomic.operation)) + " " + print_element(atomic.element) + ", " +
           (atomic.operation == AtomicOperation::cas ? std::to_string(atomic.compare) + ", " : "") +
           std::to_string(atomic.operand) + (atomic.result ? print_result(*atomic.result) : "");
}

std::string print_instruction(const Await& await) {
    return "await " + print_element(await.element) + " == " + std::to_string(await.value) +
           (await.result ? print_result(*await.result) : "") + " within " + print_duration(await.within_nanoseconds);
}

std::string print_instruction(const Delay& delay) {
    return "delay " + print_duration(delay.nanoseconds);
}

std::string print_range(std::string_view kind, const Range& range) {
    const std::string word(kind);
    return range.first == range.last ? word + " " + std::to_string(range.first)
                                     : word + "s " + std::to_string(range.first) + ".." + std::to_string(range.last);
}

std::string print_on(const std::string& stream) {
    return stream == only_stream ? "" : " on " + stream;
}

std::string print_comparison(const Comparison& comparison) {
    const std::string quantifier = comparison.quantifier == Quantifier::any   ? "any "
                                   : comparison.quantifier == Quantifier::all ? "all "
                                                                              : "";
    return quantifier + comparison.result + (comparison.equal ? " == " : " != ") + std::to_string(comparison.value);
}

/// The streams that the operations name, in order of first use.
std::vector<std::string> used_streams(const Program& program) {
    std::vector<std::string> used;
    for (const HostOperation& operation : program.operations) {
        const std::string* stream = stream_of(operation);
        if (stream != nullptr && std::find(used.begin(), used.end(), *stream) == used.end()) {
            used.push_back(*stream);
        }
    }
    return used;
}

std::string print_location(const Location& location) {
    const std::vector<Value>& initial = location.initial;
    const bool uniform = std::all_of(initial.begin(), initial.end(), [&](Value value) { return value == initial[0]; });
    return location.name + (location.array ? "[" + std::to_string(location.elements()) + "]" : "") +
           (location.width == Width::u32 ? "" : ":" + std::string(spell(widths, location.width))) + " = " +
           (uniform ? std::to_string(initial[0]) : "{" + join(initial, print_number) + "}");
}

std::string print_mbarrier(const Mbarrier& mbarrier) {
    return mbarrier.name + " = " + std::to_string(mbarrier.arrivals);
}

std::string print_host_instruction(const HostRead& read) {
    return "read " + print_element(read.element) + print_result(read.result);
}
std::string print_host_instruction(const HostWrite& write) {
    return "write " + print_element(write.element) + ", " + std::to_string(write.value);
}

void append_grid(std::vector<TextLine>& lines, const Grid& grid) {
    lines.push_back({print_header(grid), true});
    const auto append = [&](std::string_view word, const std::string& list) {
        lines.push_back({std::string(agent_indentation) + std::string(word) + " " + list, false});
    };
    if (!grid.shared.empty()) {
        append("shared", join(grid.shared, print_location));
    }
    if (!grid.mbarriers.empty()) {
        append("mbarrier", join(grid.mbarriers, print_mbarrier));
    }
    for (const Agent& agent : grid.agents) {
        lines.push_back({std::string(agent_indentation) + print_header(agent, grid) + ":", false});
        for (const Instruction& instruction : agent.instructions) {
            lines.push_back({std::string(instruction_indentation) + print(instruction), false});
        }
    }
}

void append_operations(std::vector<TextLine>& lines, const Program& program) {
    bool starts_paragraph = true;
    for (const HostOperation& operation : program.operations) {
        const auto append = [&](std::string text) {
            lines.push_back({std::move(text), starts_paragraph});
            starts_paragraph = false;
        };
        std::visit(
            Overloaded{[&](const Grid& grid) {
                           append_grid(lines, grid);
                           starts_paragraph = true;
                       },
                       [&](const Record& record) { append("record " + record.event + print_on(record.stream)); },
                       [&](const WaitEvent& wait) { append("wait_event " + wait.event + print_on(wait.stream)); },
                       [&](const Memset& memset) {
                           append("memset " + memset.location + ", " + std::to_string(memset.byte) +
                                  print_on(memset.stream));
                       },
                       [&](const Memcpy& copy) {
                           append("memcpy " + copy.destination + ", " + copy.source + print_on(copy.stream));
                       },
                       [&](const HostFunction& function) {
                           append("host " + function.name + print_on(function.stream));
                           for (const HostInstruction& instruction : function.instructions) {
                               append(std::string(instruction_indentation) + print(instruction));
                           }
                       },
                       [&](const SyncStream& sync) { append("sync stream" + print_on(sync.stream)); },
                       [&](const SyncEvent& sync) { append("sync event " + sync.event); },
                       [&](const SyncDevice&) { append("sync device"); },
                       [&](const HostRead& read) { append(print_host_instruction(read)); },
                       [&](const HostWrite& write) { append(print_host_instruction(write)); }},
            operation);
    }
}

void append_claim(std::vector<TextLine>& lines, const Claim& claim) {
    bool starts_paragraph = true;
    const auto append = [&](std::string text) {
        lines.push_back({std::move(text), starts_paragraph});
        starts_paragraph = false;
    };
    if (claim.never) {
        append("never   " + print(*claim.never));
    }
    if (claim.sometimes) {
        append("sometimes " + print(*claim.sometimes));
    }
    if (claim.ends) {
        append("ends");
    }
    if (claim.armed) {
        append("armed   " + print(*claim.armed));
    }
}

/// The lines of a program, with its stream line where `declares_streams`.
std::vector<TextLine> canonical_lines(const Program& program, bool declares_streams) {
    std::vector<TextLine> lines;
    if (!program.memory.empty()) {
        lines.push_back({"memory  " + join(program.memory, print_location), true});
    }
    const auto append_heading = [&](std::string text) { lines.push_back({std::move(text), lines.empty()}); };
    if (!program.host_memory.empty()) {
        append_heading("host_memory  " + join(program.host_memory, print_location));
    }
    if (declares_streams && program.streams != std::vector<std::string>{only_stream}) {
        append_heading("stream  " + join(program.streams));
    }
    append_operations(lines, program);
    append_claim(lines, program.claim);
    return lines;
}

bool needs_stream_line(const Program& program) {
    return program.streams != used_streams(program);
}

} // namespace

std::string print(const Instruction& instruction) {
    return std::visit([](const auto& each) { return print_instruction(each); }, instruction);
}

std::string print(const HostInstruction& instruction) {
    return std::visit([](const auto& each) { return print_host_instruction(each); }, instruction);
}

std::string print(const Element& element) {
    return print_element(element);
}

std::string print_header(const Grid& grid) {
    std::string text = "grid " + grid.name + " <<<" + std::to_string(grid.blocks) + ", " +
                       std::to_string(grid.threads) + ">>>" + print_on(grid.stream);
    if (grid.cluster != 1) {
        text += " cluster " + std::to_string(grid.cluster);
    }
    if (grid.priority) {
        text += " priority " + std::to_string(*grid.priority);
    }
    if (grid.domain) {
        text += " domain " + std::string(spell(domain_words, *grid.domain));
    }
    if (grid.shared_memory) {
        text += " shared_memory " + std::to_string(*grid.shared_memory);
    }
    if (grid.pss) {
        text += *grid.pss == 1 ? " pss" : " pss = " + std::to_string(*grid.pss);
    }
    if (grid.programmatic_event) {
        text += " programmatic_event " + grid.programmatic_event->event +
                (grid.programmatic_event->at_block_start ? " at_block_start" : "");
    }
    if (grid.launch_completion_event) {
        text += " launch_completion_event " + *grid.launch_completion_event;
    }
    return text;
}

std::string print_header(const Agent& agent, const Grid& grid) {
    const std::string blocks = grid.blocks == 1 ? "" : print_range("block", agent.blocks) + " ";
    return blocks + print_range("thread", agent.threads);
}

std::string print(const Condition& condition) {
    if (condition.kind == Condition::Kind::comparison) {
        return print_comparison(condition.comparison);
    }
    const bool conjunction = condition.kind == Condition::Kind::conjunction;
    std::string text;
    for (const Condition& operand : condition.operands) {
        text += text.empty() ? "" : conjunction ? " && " : " || ";
        // && binds tighter than ||, so only a disjunction inside a conjunction needs its parentheses.
        const bool parenthesised = conjunction && operand.kind == Condition::Kind::disjunction;
        text += parenthesised ? std::string("(").append(print(operand)) + ")" : print(operand);
    }
    return text;
}

std::string print(const Program& program) {
    return print_merged({}, canonical_lines(program, needs_stream_line(program)), nullptr);
}

std::string print(const Litmus& litmus) {
    std::vector<std::string> heading;
    for (const std::string& line : litmus.description) {
        heading.push_back(line.empty() ? "#" : "# " + line);
    }
    if (!litmus.checks.empty()) {
        heading.push_back("checks  " + join(litmus.checks));
    }
    if (!litmus.routes.empty()) {
        std::vector<std::string> routes;
        for (const Route route : litmus.routes) {
            routes.emplace_back(name(route));
        }
        heading.push_back("routes  " + join(routes));
    }
    // If one of the two needs its stream line both get one: usually the same, and then it bears no mark.
    const bool declares_streams =
        needs_stream_line(litmus.program) || (litmus.control && needs_stream_line(*litmus.control));
    const std::vector<TextLine> program = canonical_lines(litmus.program, declares_streams);
    if (!litmus.control) {
        return print_merged(heading, program, nullptr);
    }
    const std::vector<TextLine> control = canonical_lines(*litmus.control, declares_streams);
    return print_merged(heading, program, &control);
}

std::string_view name(Route route) {
    return spell(route_words, route);
}

} // namespace pdlcts
