// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/promela.hpp"

#include "conformance/machine/benchmarks/promela_thread.hpp"
#include "conformance/machine/benchmarks/promela_views.hpp"
#include "conformance/support/concat.hpp"

#include <charconv>

namespace pdlcts::spin {
namespace {

void declare(std::string& text, std::string_view type, const std::string& name) {
    text += concat(type, " ", name, ";\n");
}

/// A macro for the newer of two writes of a location.
std::string newer_macro(const SpelledOut& plan, std::size_t location) {
    const bool single = plan.locations[location].writes.size() == 2;
    return concat("#define NEWER", location, "(one, other) ",
                  single ? std::string("((one) | (other))")
                         : concat("((p", location, "[one] >= p", location, "[other]) -> (one) : (other))"),
                  "\n");
}

std::string memory(const SpelledOut& plan, const Views& views) {
    std::string text;
    for (const std::size_t location : views.written) {
        const std::vector<Write>& writes = plan.locations[location].writes;
        text += concat("/* ", plan.locations[location].name, " */\n", newer_macro(plan, location));
        declare(text, "byte", concat("p", location, "[", writes.size(), "]"));
        for (std::size_t write = 1; write < writes.size(); ++write) {
            if (plan.operation(writes[write]).kind == Kind::atomic) {
                declare(text, "byte", value_variable(location, write));
            }
            for (const std::size_t other : views.written) {
                if (views.carries(location, write)) {
                    declare(text, "byte", released_variable(location, write, other));
                }
            }
        }
    }
    for (const std::size_t location : views.written) {
        if (views.sc_fences) {
            declare(text, "byte", concat("sc", location));
        }
    }
    return text;
}

std::string nodes(const SpelledOut& plan, const Views& views) {
    std::string text;
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        text += concat("#define BEGAN", node, " (", began(plan, node), ")\n");
        if (plan.nodes[node].blocks.empty()) {
            continue;
        }
        declare(text, "byte", concat("gone", node));
        if (views.counts_triggers[node]) {
            declare(text, "byte", concat("triggered", node));
        }
        for (const std::size_t location : views.written) {
            if (views.keeps_completion[node]) {
                declare(text, "byte", concat("c", node, "_", location));
            }
            if (views.trigger_releases[node]) {
                declare(text, "byte", concat("t", node, "_", location));
            }
        }
    }
    for (std::size_t index = 0; index < plan.blocks.size(); ++index) {
        const Block& block = plan.blocks[index];
        if (views.may_trigger(plan, block)) {
            declare(text, "bit", concat("has_triggered", index));
        }
        if (block.threads.size() > 1) {
            declare(text, "byte", concat("left", index, " = ", block.threads.size()));
        }
        if (block.threads.size() > 1 && block.barriers > 0) {
            declare(text, "byte", concat("arrived", index));
            for (unsigned round = 1; round <= block.barriers; ++round) {
                for (const std::size_t location : views.written) {
                    declare(text, "byte", barrier_variable(index, round, location));
                }
            }
        }
    }
    return text;
}

/// Prints each outcome once, where every thread of every block has exited. It leaves the state as it is, and so adds
/// none.
std::string report(const SpelledOut& plan) {
    std::string text = "active proctype report() {\nend: do\n  :: d_step { (";
    std::string separator;
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        text += concat(separator, complete(plan, node));
        separator = " && ";
    }
    text += ") -> c_code { int bits[] = {";
    for (std::size_t result = 0; result < plan.results.size(); ++result) {
        text += concat("now.result", result, ", ");
    }
    return text + "0}; found(bits); } }\n  od\n}\n";
}

/// Remembers which outcomes have been printed, as long as there is room.
std::string recorder(const SpelledOut& plan) {
    const std::size_t count = plan.results.size();
    return concat("c_decl {\n"
                  "#define SLOTS 65536\n"
                  "static int seen[SLOTS][",
                  count + 1, "];\nstatic char used[SLOTS];\nstatic void found(const int* bits) {\n",
                  "  unsigned slot = 0, tried = 0, i;\n  for (i = 0; i < ", count,
                  "; ++i) slot = slot * 31 + bits[i];\n"
                  "  slot = slot * 2654435761u >> 16;\n"
                  "  for (; used[slot] && tried < 64; slot = (slot + 1) % SLOTS, ++tried)\n"
                  "    if (!memcmp(seen[slot], bits, sizeof seen[0])) return;\n"
                  "  if (!used[slot]) { used[slot] = 1; memcpy(seen[slot], bits, sizeof seen[0]); }\n"
                  "  printf(\"outcome\");\n"
                  "  for (i = 0; i < ",
                  count, "; ++i) printf(\" %d\", bits[i]);\n", "  printf(\"\\n\");\n}\n}\n");
}

} // namespace

Result<std::string> promela(const SpelledOut& plan) {
    const Views views = views_of(plan);
    std::string text = recorder(plan) + memory(plan, views) + nodes(plan, views);
    const std::size_t values = plan.values.size();
    for (std::size_t result = 0; result < plan.results.size(); ++result) {
        declare(text, values <= 8 ? "byte" : (values <= 15 ? "short" : "int"),
                concat("result", result, " /* ", plan.results[result], " */"));
    }
    for (std::size_t thread = 0; thread < plan.threads.size(); ++thread) {
        Result<std::string> process = promela_thread(plan, views, thread);
        if (!process) {
            return process.error();
        }
        text += *process;
    }
    return text + report(plan);
}

std::set<Outcome> outcomes_of(const SpelledOut& plan, std::string_view printed) {
    constexpr std::string_view mark = "outcome";
    std::set<Outcome> outcomes;
    while (!printed.empty()) {
        const std::size_t end = std::min(printed.find('\n'), printed.size());
        std::string_view line = printed.substr(0, end);
        printed.remove_prefix(std::min(end + 1, printed.size()));
        if (!line.starts_with(mark)) {
            continue;
        }
        line.remove_prefix(mark.size());
        Outcome outcome;
        for (const std::string& result : plan.results) {
            unsigned bits = 0;
            line.remove_prefix(1); // the blank
            const auto [after, error] = std::from_chars(line.data(), line.data() + line.size(), bits);
            line.remove_prefix(static_cast<std::size_t>(after - line.data()));
            for (std::size_t value = 0; value < plan.values.size(); ++value) {
                if ((bits >> value & 1) != 0) {
                    outcome[result].insert(Value{plan.values[value]});
                }
            }
        }
        outcomes.insert(std::move(outcome));
    }
    return outcomes;
}

} // namespace pdlcts::spin
