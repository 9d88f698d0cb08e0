// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/requirements.hpp"

#include "conformance/support/result.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

constexpr std::size_t shared_alignment = 16;

bool has_atomics_outside_shared_memory(const Grid& grid) {
    const auto is_shared = [&](const std::string& location) {
        return std::any_of(grid.shared.begin(), grid.shared.end(),
                           [&](const Location& shared) { return shared.name == location; });
    };
    return std::any_of(grid.agents.begin(), grid.agents.end(), [&](const Agent& agent) {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), [&](const Instruction& instruction) {
            const auto* atomic = std::get_if<Atomic>(&instruction);
            return atomic != nullptr && !is_shared(atomic->element.location);
        });
    });
}

std::optional<std::string> why_unsupported(const Grid& grid, const DeviceLimits& limits) {
    if (grid.peer && !limits.has_peer) {
        return "grid " + grid.name + " is on a second GPU, and " + std::string(limits.why_no_peer);
    }
    if (grid.peer && !limits.has_peer_atomics && has_atomics_outside_shared_memory(grid)) {
        return "grid " + grid.name + " has atomics, which on the second GPU are none on the memory of this one";
    }
    if (grid.cluster > 1 && !limits.launches_clusters) {
        return "grid " + grid.name + " has clusters, which this GPU does not launch";
    }
    if (grid.domain == Domain::remote && limits.memory_sync_domains < 2) {
        return "grid " + grid.name + " is of the remote memory synchronization domain, and this GPU has one domain";
    }
    if (grid.priority && (*grid.priority < limits.greatest_priority || *grid.priority > limits.least_priority)) {
        return "grid " + grid.name + " has priority " + std::to_string(*grid.priority) + ", and this GPU has " +
               std::to_string(limits.greatest_priority) + " to " + std::to_string(limits.least_priority);
    }
    const std::size_t shared_memory = declared_shared_memory(grid) + grid.shared_memory.value_or(0);
    if (shared_memory > limits.shared_memory_a_block) {
        return "a block of grid " + grid.name + " has " + std::to_string(shared_memory) +
               " bytes of shared memory, and this GPU has " + std::to_string(limits.shared_memory_a_block);
    }
    return std::nullopt;
}

bool has_peer_grid(const Program& program) {
    return std::any_of(program.operations.begin(), program.operations.end(), [](const HostOperation& operation) {
        const auto* grid = std::get_if<Grid>(&operation);
        return grid != nullptr && grid->peer;
    });
}

/// The locations that the host writes.
std::set<std::string> written_by_host(const Program& program) {
    std::set<std::string> written;
    const auto note = [&](const HostInstruction& instruction) {
        if (const auto* write = std::get_if<HostWrite>(&instruction)) {
            written.insert(write->element.location);
        }
    };
    for (const HostOperation& operation : program.operations) {
        if (const auto* function = std::get_if<HostFunction>(&operation)) {
            std::for_each(function->instructions.begin(), function->instructions.end(), note);
        } else if (const auto* write = std::get_if<HostWrite>(&operation)) {
            note(*write);
        }
    }
    return written;
}

/// A location that the host writes and the device changes by an atomic; empty where there is none.
std::string shared_with_atomics(const Program& program) {
    const std::set<std::string> written = written_by_host(program);
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
            for (const Instruction& instruction : grid->agents[agent].instructions) {
                const auto* atomic = std::get_if<Atomic>(&instruction);
                if (atomic != nullptr && written.contains(atomic->element.location)) {
                    return atomic->element.location;
                }
            }
        }
    }
    return "";
}

} // namespace

std::size_t declared_shared_memory(const Grid& grid) {
    std::size_t bytes = 0;
    for (const Location& location : grid.shared) {
        bytes += (location.bytes() + shared_alignment - 1) / shared_alignment * shared_alignment;
    }
    return bytes + grid.mbarriers.size() * sizeof(std::uint64_t);
}

bool has_peer_grid(const Litmus& litmus) {
    return has_peer_grid(litmus.program) || (litmus.control && has_peer_grid(*litmus.control));
}

bool mixes_host_writes_and_atomics(const Litmus& litmus) {
    return !shared_with_atomics(litmus.program).empty() ||
           (litmus.control && !shared_with_atomics(*litmus.control).empty());
}

std::optional<std::string> why_unsupported(const Program& program, const DeviceLimits& limits) {
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            if (auto reason = why_unsupported(*grid, limits)) {
                return reason;
            }
        }
    }
    if (!program.host_memory.empty() && !limits.maps_host_memory) {
        return "the program has host memory, which this GPU cannot access";
    }
    if (const std::string location = shared_with_atomics(program); !location.empty() && !limits.has_host_atomics) {
        return "the host writes " + location +
               ", which a grid changes by atomics, and those of this GPU are not "
               "atomic to the host";
    }
    return std::nullopt;
}

std::optional<std::string> why_unsupported(const Litmus& litmus, const DeviceLimits& limits) {
    if (auto reason = why_unsupported(litmus.program, limits)) {
        return reason;
    }
    if (litmus.control) {
        if (const auto reason = why_unsupported(*litmus.control, limits)) {
            return "the control: " + *reason;
        }
    }
    return std::nullopt;
}

} // namespace pdlcts
