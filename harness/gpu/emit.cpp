// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/emit.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/instances.hpp"
#include "harness/gpu/device_functions.hpp"
#include "harness/gpu/emit_agent.hpp"
#include "harness/gpu/location_key.hpp"
#include "harness/gpu/stamps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace pdlcts {
namespace {

/// The names that the instructions of a grid use.
std::set<std::string> locations_of(const Grid& grid) {
    std::set<std::string> used;
    for (const Agent& agent : grid.agents) {
        for (const Instruction& instruction : agent.instructions) {
            std::visit(
                [&](const auto& each) {
                    if constexpr (requires { each.element; }) {
                        used.insert(each.element.location);
                    } else if constexpr (requires { each.destination; }) {
                        used.insert({each.destination, each.source});
                    }
                },
                instruction);
        }
    }
    return used;
}

struct Records {
    std::string text;
    bool device = false;
    bool host = false;
};

Records addresses(const Grid& grid, const Layout& layout) {
    Records records;
    const std::set<std::string> used = locations_of(grid);
    for (const PlacedLocation& location : layout.locations) {
        if (used.contains(location.name)) {
            const bool device = location.memory == Memory::device;
            (device ? records.device : records.host) = true;
            records.text += fmt::format("    const address location_{} = {} + {};\n", location.name,
                                        device ? "record" : "host_record", location.word * sizeof(std::uint32_t));
        }
    }
    return records;
}

bool writes_results(const Grid& grid) {
    return std::any_of(grid.agents.begin(), grid.agents.end(), [](const Agent& agent) {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), [](const Instruction& instruction) {
            return std::visit(
                [](const auto& each) {
                    if constexpr (requires { each.results; }) {
                        return true;
                    } else if constexpr (requires { each.result; }) {
                        return each.result.has_value();
                    } else {
                        return false;
                    }
                },
                instruction);
        });
    });
}

bool uses_shared_memory(const Grid& grid) {
    return !grid.shared.empty() || !grid.mbarriers.empty();
}

bool has(const Grid& grid, bool (*property)(const Instruction&)) {
    return std::any_of(grid.agents.begin(), grid.agents.end(), [=](const Agent& agent) {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), property);
    });
}

std::string shared_declarations(const Grid& grid, DeviceFunctions& functions) {
    std::string text;
    const auto declare = [&](const std::string& name, unsigned alignment, unsigned bytes) {
        text += fmt::format("    __shared__ __align__({}) unsigned char storage_{}[{}];\n"
                            "    const shared_address location_{} = {}(storage_{});\n",
                            alignment, name, bytes, name, functions.shared_address(), name);
    };
    for (const Location& location : grid.shared) {
        declare(location.name, 16, location.bytes());
    }
    for (const Mbarrier& mbarrier : grid.mbarriers) {
        declare(mbarrier.name, 8, sizeof(std::uint64_t));
    }
    return text;
}

void initialise(KernelText& out, const Location& location) {
    const std::string key = location_key(out.grid, location.name);
    const AccessType type{StateSpace::shared, location.width, 1};
    const std::string store = out.functions.store(Store{}, type);
    const bool uniform = std::all_of(location.initial.begin(), location.initial.end(),
                                     [&](Value value) { return value == location.initial.front(); });
    if (uniform && location.elements() > 1) {
        out.line(2, fmt::format("for (word element = 0; element < {}; ++element) {{", location.elements()));
        out.line(3, fmt::format("{}(location_{} + {} * element, {});", store, location.name, bytes_of(location.width),
                                out.value(key, location.initial.front())));
        out.line(2, "}");
        return;
    }
    for (unsigned element = 0; element < location.elements(); ++element) {
        out.line(2, fmt::format("{}(location_{} + {}, {});", store, location.name, element * bytes_of(location.width),
                                out.value(key, location.initial[element])));
    }
}

/// Shared memory is as the program declares it before any agent begins.
void emit_prologue(KernelText& out) {
    out.line(1, "// Before any agent: the shared memory of the block.");
    out.line(1, "if (threadIdx.x == 0) {");
    for (const Location& location : out.grid.shared) {
        initialise(out, location);
    }
    for (const Mbarrier& mbarrier : out.grid.mbarriers) {
        out.line(2, fmt::format("{}(location_{}, {}u);", out.functions.mbarrier_initialise(), mbarrier.name,
                                mbarrier.arrivals));
    }
    if (!out.grid.mbarriers.empty()) {
        out.line(2, out.functions.mbarrier_initialisation_fence() + "();");
    }
    if (has(out.grid, [](const Instruction& each) { return std::holds_alternative<BulkCopy>(each); })) {
        out.line(2, out.functions.proxy_fence() + "();");
    }
    out.line(1, "}");
    if (reaches_other_blocks(out.grid)) {
        out.line(1, out.functions.cluster_arrive({Ordering::release}) + "();");
        out.line(1, out.functions.cluster_wait() + "();");
    } else {
        out.line(1, out.functions.barrier({}) + "();");
    }
}

/// The condition of the threads that agents name; nothing where they name all.
std::string named_threads(const Grid& grid) {
    std::string named;
    for (const Agent& agent : grid.agents) {
        const std::string condition = condition_of(agent, grid);
        if (condition.empty()) {
            return "";
        }
        named += fmt::format("{}({})", named.empty() ? "" : " || ", condition);
    }
    return named;
}

bool is_barrier(const Instruction& instruction) {
    return std::holds_alternative<Barrier>(instruction) || std::holds_alternative<ClusterArrive>(instruction);
}

/// The threads that no agent names leave before any barrier: there they would be waited for.
void emit_early_exit(KernelText& out) {
    const std::string named = named_threads(out.grid);
    if (has(out.grid, is_barrier) && !named.empty()) {
        out.line(1, fmt::format("if (!({})) return;", named));
    }
}

/// `instances`: the blocks of a launch may be executions of their own.
std::string emit_grid(Role role, const Grid& grid, const Layout& layout, bool instances, DeviceFunctions& functions) {
    KernelText head{grid, layout, functions};
    KernelText body{grid, layout, functions};
    if (uses_shared_memory(grid)) {
        emit_prologue(body); // takes all threads
        emit_early_exit(body);
    } else {
        emit_early_exit(head);
    }
    for (const Agent& agent : grid.agents) {
        emit_agent(body, agent);
    }
    const Records records = addresses(grid, layout);
    std::string text = fmt::format("// {}\nextern \"C\" __global__ void __launch_bounds__({}) {}(const void* trial, "
                                   "word blocks_before, word starts_late, word measures{}) {{\n",
                                   print_header(grid), grid.threads, kernel_name(role, grid),
                                   records.host ? ", const void* host_trial" : "");
    text += stamp_of_begin(grid, layout, functions);
    if (!body.text.empty()) {
        if (instances) {
            text += fmt::format(
                "    const bool instances = blocks_before == {:#x}u; // each block is one, with its own words\n",
                every_block_an_instance);
        }
        text += fmt::format("    const word block = {}blockIdx.x - blocks_before;\n"
                            "    if (block >= {}) return;\n",
                            instances ? "instances ? 0 : " : "", grid.blocks);
    }
    text += head.text;
    if (records.device || body.uses_salt || body.uses_record || writes_results(grid)) {
        const std::string own =
            instances ? fmt::format(" + (instances ? {}ull * blockIdx.x : 0)", layout.words * sizeof(std::uint32_t))
                      : "";
        text += fmt::format("    const address record = {}(trial){};\n", functions.global_address(), own);
    }
    if (records.host) {
        text += fmt::format("    const address host_record = {}(host_trial);\n", functions.global_address());
    }
    if (body.uses_salt) {
        text += fmt::format("    const word salt = {}(record);\n", functions.load(Load{}));
    }
    return text + records.text + shared_declarations(grid, functions) + body.text + "}\n\n";
}

std::string emit_program(Role role, const Program& program, const Layout& layout, bool instances,
                         DeviceFunctions& functions) {
    std::string text;
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            text += emit_grid(role, *grid, layout, instances, functions);
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

bool takes_host_record(const Grid& grid, const Layout& layout) {
    return addresses(grid, layout).host;
}

std::string emit(const Litmus& litmus, const CaseLayout& layout, Spelling spelling) {
    DeviceFunctions functions(spelling);
    const bool instances = !why_no_instances(litmus);
    std::string kernels = "// ---- the program ----\n\n" +
                          emit_program(Role::program, litmus.program, layout.program, instances, functions);
    if (litmus.control) {
        kernels += "// ---- the control ----\n\n" +
                   emit_program(Role::control, *litmus.control, *layout.control, instances, functions);
    }
    return "// One kernel for each grid of a litmus program, and of its control. Each runs one trial, whose record it "
           "takes;\n"
           "// value v of a trial is the word salt + v. Blocks before and behind those of the grid exit at once.\n"
           "\n"
           "typedef unsigned int word;\n"
           "typedef unsigned long long address; // in global memory, for PTX alone\n"
           "typedef unsigned int shared_address; // in shared memory, for PTX alone\n"
           "typedef unsigned long long nanoseconds;\n"
           "\n" +
           functions.definitions() + kernels;
}

} // namespace pdlcts
