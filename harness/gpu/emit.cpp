// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/emit.hpp"

#include "conformance/litmus/printer.hpp"
#include "harness/gpu/device_functions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace pdlcts {
namespace {

struct GridEmitter {
    const Grid& grid;
    const Layout& layout;
    DeviceFunctions& functions;
    std::string text = {};
    bool uses_salt = false;

    void line(unsigned depth, std::string_view content) {
        text.append(std::size_t{4} * depth, ' ');
        text += content;
        text += '\n';
    }

    std::string value(const std::string& location, Value value) {
        if (layout.encoding.is_raw(location, value)) {
            return fmt::format("{}u", value);
        }
        uses_salt = true;
        return fmt::format("salt + {}u", value);
    }
};

/// `blockIdx.x <= 6`, `threadIdx.x == 0`; empty where every index is meant.
std::string in_range(std::string_view index, const Range& range, unsigned count) {
    if (range.first == 0 && range.last + 1 == count) {
        return "";
    }
    if (range.size() == 1) {
        return fmt::format("{} == {}", index, range.first);
    }
    if (range.first == 0) {
        return fmt::format("{} <= {}", index, range.last);
    }
    if (range.last + 1 == count) {
        return fmt::format("{} >= {}", index, range.first);
    }
    return fmt::format("{0} >= {1} && {0} <= {2}", index, range.first, range.last);
}

std::string condition_of(const Agent& agent, const Grid& grid) {
    const std::string blocks = in_range("blockIdx.x", agent.blocks, grid.blocks);
    const std::string threads = in_range("threadIdx.x", agent.threads, grid.threads);
    return blocks + (blocks.empty() || threads.empty() ? "" : " && ") + threads;
}

/// What a thread adds to the address of a register's first slot: nothing where the agent has one index.
std::string offset_of(std::string_view index, const Range& range, unsigned bytes) {
    if (range.size() == 1) {
        return "";
    }
    return range.first == 0 ? fmt::format(" + {}ull * {}", bytes, index)
                            : fmt::format(" + {}ull * ({} - {})", bytes, index, range.first);
}

/// The address of a thread's slot of a register.
std::string slot_of(const std::string& result, const Agent& agent, const Layout& layout) {
    constexpr unsigned word_bytes = sizeof(std::uint32_t);
    return fmt::format("record + {}", layout.result(result).first_word * word_bytes) +
           offset_of("blockIdx.x", agent.blocks, word_bytes * agent.threads.size()) +
           offset_of("threadIdx.x", agent.threads, word_bytes);
}

struct AgentEmitter {
    GridEmitter& out;
    const Agent& agent;
    const unsigned depth;
    /// Results of loads and atomics. They are stored last: a store of what a load returned would wait for the load and
    /// so order it before the next instruction.
    std::vector<std::string> pending = {};

    void call(const std::string& function, std::string_view arguments) {
        out.line(depth, fmt::format("{}({});", function, arguments));
    }

    void keep(const std::string& result, std::string_view expression) {
        out.line(depth, fmt::format("const word result_{} = {};", result, expression));
    }

    void store_result(const std::string& result, std::string_view word) {
        const Store weak{Ordering::weak, Scope::sys, "", 0};
        call(out.functions.store(weak), fmt::format("{}, {}", slot_of(result, agent, out.layout), word));
    }

    void operator()(const Trigger&) { call(out.functions.trigger(), ""); }
    void operator()(const Wait&) { call(out.functions.wait(), ""); }
    void operator()(const Exit&) {} // every agent ends with the return that exits
    void operator()(const Barrier&) { call(out.functions.barrier(), ""); }
    void operator()(const Fence& fence) { call(out.functions.fence(fence), ""); }
    void operator()(const Load& load) {
        keep(load.result, fmt::format("{}(location_{})", out.functions.load(load), load.location));
        pending.push_back(load.result);
    }
    void operator()(const Store& store) {
        call(out.functions.store(store),
             fmt::format("location_{}, {}", store.location, out.value(store.location, store.value)));
    }
    void operator()(const Atomic& atomic) {
        // What is added is a difference, which the salt does not change.
        const std::string operand = atomic.operation == AtomicOperation::add
                                        ? fmt::format("{}u", atomic.operand)
                                        : out.value(atomic.location, atomic.operand);
        const std::string arguments = fmt::format("location_{}, {}", atomic.location, operand);
        const std::string function = out.functions.atomic(atomic);
        if (!atomic.result) {
            call(function, arguments);
            return;
        }
        keep(*atomic.result, fmt::format("{}({})", function, arguments));
        pending.push_back(*atomic.result);
    }
    void operator()(const Await& await) {
        const std::string arguments = fmt::format("location_{}, {}, {}", await.location,
                                                  out.value(await.location, await.value), await.within_nanoseconds);
        if (!await.result) {
            call(out.functions.await_equal(), arguments);
            return;
        }
        keep(*await.result, fmt::format("{}({})", out.functions.await_equal(), arguments));
        out.uses_salt = true;
        store_result(*await.result, fmt::format("salt + result_{}", *await.result));
    }
    void operator()(const Delay& delay) { call(out.functions.delay(), std::to_string(delay.nanoseconds)); }
};

std::string location_of(const Instruction& instruction) {
    return std::visit(
        [](const auto& each) -> std::string {
            if constexpr (requires { each.location; }) {
                return each.location;
            } else {
                return "";
            }
        },
        instruction);
}

void emit_agent(GridEmitter& out, const Agent& agent) {
    out.line(1, "// " + print_header(agent, out.grid) + ":");
    const std::string condition = condition_of(agent, out.grid);
    out.line(1, condition.empty() ? "{" : fmt::format("if ({}) {{", condition));
    AgentEmitter emitter{out, agent, 2};
    for (const Instruction& instruction : agent.instructions) {
        out.line(2, "// " + print(instruction));
        std::visit(emitter, instruction);
    }
    for (const std::string& result : emitter.pending) {
        emitter.store_result(result, "result_" + result);
    }
    out.line(2, "return;");
    out.line(1, "}");
}

bool has_barrier(const Agent& agent) {
    return std::any_of(agent.instructions.begin(), agent.instructions.end(),
                       [](const Instruction& each) { return std::holds_alternative<Barrier>(each); });
}

/// The threads that no agent names leave before any barrier: there they would be waited for.
std::string early_exit(const Grid& grid) {
    if (std::none_of(grid.agents.begin(), grid.agents.end(), has_barrier)) {
        return "";
    }
    std::string named;
    for (const Agent& agent : grid.agents) {
        const std::string condition = condition_of(agent, grid);
        if (condition.empty()) {
            return "";
        }
        named += fmt::format("{}({})", named.empty() ? "" : " || ", condition);
    }
    return fmt::format("    if (!({})) return;\n", named);
}

std::string addresses(const Grid& grid, const Layout& layout) {
    std::set<std::string> used;
    for (const Agent& agent : grid.agents) {
        for (const Instruction& instruction : agent.instructions) {
            used.insert(location_of(instruction));
        }
    }
    std::string text;
    for (const LocationWord& location : layout.locations) {
        if (used.contains(location.name)) {
            text += fmt::format("    const address location_{} = record + {};\n", location.name,
                                location.word * sizeof(std::uint32_t));
        }
    }
    return text;
}

std::string emit_grid(Role role, const Grid& grid, const Layout& layout, DeviceFunctions& functions) {
    std::string text =
        fmt::format("// {}\nextern \"C\" __global__ void __launch_bounds__({}) {}(const void* trial) {{\n",
                    print_header(grid), grid.threads, kernel_name(role, grid));
    GridEmitter body{grid, layout, functions};
    for (const Agent& agent : grid.agents) {
        emit_agent(body, agent);
    }
    const std::string locations = addresses(grid, layout);
    text += early_exit(grid);
    if (!locations.empty()) {
        text += fmt::format("    const address record = {}(trial);\n", functions.global_address());
    }
    if (body.uses_salt) {
        const Load weak{Ordering::weak, Scope::sys, CacheOperator::unspecified, "", ""};
        text += fmt::format("    const word salt = {}(record);\n", functions.load(weak));
    }
    return text + locations + body.text + "}\n\n";
}

std::string emit_program(Role role, const Program& program, const Layout& layout, DeviceFunctions& functions) {
    std::string text;
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            text += emit_grid(role, *grid, layout, functions);
        }
    }
    return text;
}

} // namespace

std::string_view name(Role role) {
    return role == Role::program ? "program" : "control";
}

std::string kernel_name(Role role, const Grid& grid) {
    return fmt::format("{}_{}", name(role), grid.name);
}

std::string emit(const Litmus& litmus, const CaseLayout& layout) {
    DeviceFunctions functions;
    std::string kernels =
        "// ---- the program ----\n\n" + emit_program(Role::program, litmus.program, layout.program, functions);
    if (litmus.control) {
        kernels +=
            "// ---- the control ----\n\n" + emit_program(Role::control, *litmus.control, *layout.control, functions);
    }
    return "// One kernel for each grid of a litmus program, and of its control. The argument is the record of one "
           "trial;\n"
           "// value v of a trial is the word salt + v.\n"
           "\n"
           "typedef unsigned int word;\n"
           "typedef unsigned long long address; // in global memory, for PTX alone\n"
           "typedef unsigned long long nanoseconds;\n"
           "\n" +
           functions.definitions() + kernels;
}

} // namespace pdlcts
