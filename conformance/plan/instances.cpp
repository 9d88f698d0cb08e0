// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/instances.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::optional<std::string> why_no_instances(const Grid& grid) {
    if (grid.blocks != 1 || grid.cluster != 1) {
        return concat("grid ", grid.name, " has more than one block");
    }
    if (grid.domain || grid.priority || grid.peer) {
        return concat("grid ", grid.name, " is about what all grids of a GPU share");
    }
    return std::nullopt;
}

/// What an instruction names, in its instance.
struct Renamer {
    const Program& program;
    unsigned instance;

    void rename(std::string& name) const { name = name_in_instance(name, instance); }
    /// Shared memory is the block's own already.
    void rename_location(std::string& name) const {
        if (std::any_of(program.memory.begin(), program.memory.end(),
                        [&](const Location& location) { return location.name == name; })) {
            rename(name);
        }
    }

    template <typename Each>
    void operator()(Each& each) const {
        if constexpr (requires { each.element; }) {
            rename_location(each.element.location);
        }
        if constexpr (requires { each.source; }) {
            rename_location(each.source);
            rename_location(each.destination);
        }
        if constexpr (requires { each.results; }) {
            for (std::string& result : each.results) {
                rename(result);
            }
        } else if constexpr (requires { each.result; }) {
            if (each.result) {
                rename(*each.result);
            }
        }
    }
};

Grid widen(const Grid& grid, const Program& program, unsigned instances) {
    Grid widened = grid;
    widened.blocks = instances;
    widened.agents.clear();
    for (unsigned instance = 0; instance < instances; ++instance) {
        for (Agent agent : grid.agents) {
            agent.blocks = {instance, instance};
            for (Instruction& instruction : agent.instructions) {
                std::visit(Renamer{program, instance}, instruction);
            }
            widened.agents.push_back(std::move(agent));
        }
    }
    return widened;
}

} // namespace

std::optional<std::string> why_no_instances(const Program& program) {
    if (!program.host_memory.empty()) {
        return "host memory is shared by all instances of a launch";
    }
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            if (auto reason = why_no_instances(*grid)) {
                return reason;
            }
        } else if (!std::holds_alternative<Record>(operation) && !std::holds_alternative<WaitEvent>(operation)) {
            return "an operation beside grids and events is one for all instances of a launch";
        }
    }
    return std::nullopt;
}

std::optional<std::string> why_no_instances(const Litmus& litmus) {
    auto reason = why_no_instances(litmus.program);
    return reason || !litmus.control ? reason : why_no_instances(*litmus.control);
}

std::string name_in_instance(const std::string& name, unsigned instance) {
    return concat(name, "_", instance);
}

Program widen(const Program& program, unsigned instances) {
    Program widened;
    widened.streams = program.streams;
    for (unsigned instance = 0; instance < instances; ++instance) {
        for (Location location : program.memory) {
            location.name = name_in_instance(location.name, instance);
            widened.memory.push_back(std::move(location));
        }
    }
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        widened.operations.push_back(grid == nullptr ? operation : widen(*grid, program, instances));
    }
    return widened;
}

} // namespace pdlcts
