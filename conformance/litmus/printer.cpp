// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"

#include "conformance/litmus/merge.hpp"
#include "conformance/litmus/text.hpp"
#include "conformance/litmus/words.hpp"
#include "conformance/support/result.hpp"

#include <algorithm>

namespace pdlcts {

namespace {

constexpr std::string_view agent_indentation = "  ";
constexpr std::string_view instruction_indentation = "      ";

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
                       [&](const HostRead& read) { append(print(HostInstruction{read})); },
                       [&](const HostWrite& write) { append(print(HostInstruction{write})); }},
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

std::string print_header(const Grid& grid) {
    std::string text = "grid " + grid.name + " <<<" + std::to_string(grid.blocks) + ", " +
                       std::to_string(grid.threads) + ">>>" + print_on(grid.stream);
    if (grid.peer) {
        text += " peer";
    }
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
    if (!litmus.because.empty()) {
        std::vector<std::string> reports;
        for (const Report& report : litmus.because) {
            reports.push_back(print(report));
        }
        heading.push_back("because  " + join(reports));
    }
    if (std::equal(litmus.routes.begin(), litmus.routes.end(), std::begin(all_routes), std::end(all_routes))) {
        heading.push_back("routes  all");
    } else if (!litmus.routes.empty()) {
        std::vector<std::string> routes;
        for (const Route route : litmus.routes) {
            routes.emplace_back(name(route));
        }
        heading.push_back("routes  " + join(routes));
    }
    if (litmus.memory_load) {
        heading.emplace_back("load  memory");
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

std::string print(const Report& report) {
    return report.repository + " " + std::string(spell(report_words, report.kind)) + " " +
           std::to_string(report.number);
}

std::string address(const Report& report) {
    return "https://github.com/" + report.repository + (report.kind == Report::Kind::issue ? "/issues/" : "/pull/") +
           std::to_string(report.number);
}

std::string_view name(Route route) {
    return spell(route_words, route);
}

} // namespace pdlcts
