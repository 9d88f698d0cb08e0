// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/branches.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr unsigned warp = 32;
constexpr double most_of_gpu = 0.25;
constexpr std::size_t reserved_shared_memory = 1024; ///< that the driver takes of each block's

/// Blocks of a grid that one multiprocessor holds; 0 where not even one fits.
std::uint64_t blocks_a_multiprocessor(const Grid& grid, const DeviceLimits& limits) {
    const unsigned threads = (grid.threads + warp - 1) / warp * warp;
    const std::size_t shared_memory =
        declared_shared_memory(grid) + grid.shared_memory.value_or(0) + reserved_shared_memory;
    return std::min({std::uint64_t{limits.blocks_a_multiprocessor},
                     std::uint64_t{limits.threads_a_multiprocessor / std::max(threads, 1u)},
                     std::uint64_t{limits.shared_memory_a_multiprocessor / shared_memory}});
}

bool concerns_whole_gpu(const HostOperation& operation) {
    if (const auto* grid = std::get_if<Grid>(&operation)) {
        return grid->cluster > 1 || grid->priority || grid->domain || grid->peer;
    }
    return std::holds_alternative<HostFunction>(operation) || stream_of(operation) == nullptr ||
           std::holds_alternative<SyncStream>(operation);
}

bool concerns_whole_gpu(const Program& program) {
    return !program.host_memory.empty() ||
           std::any_of(program.operations.begin(), program.operations.end(),
                       [](const HostOperation& operation) { return concerns_whole_gpu(operation); });
}

} // namespace

double share_of_gpu(const Program& program, const DeviceLimits& limits) {
    double share = 0;
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        if (grid == nullptr) {
            continue;
        }
        const std::uint64_t held = blocks_a_multiprocessor(*grid, limits) * limits.multiprocessors;
        share += held == 0 ? 1 : static_cast<double>(grid->blocks) / static_cast<double>(held);
    }
    return share;
}

unsigned branches_for(const Litmus& litmus, const DeviceLimits& limits) {
    double share = 0;
    for (const Program* program : {&litmus.program, litmus.control ? &*litmus.control : nullptr}) {
        if (program == nullptr) {
            continue;
        }
        if (concerns_whole_gpu(*program)) {
            return 1;
        }
        share = std::max(share, share_of_gpu(*program, limits));
    }
    return share * most_branches <= most_of_gpu ? most_branches
                                                : std::max(1u, static_cast<unsigned>(most_of_gpu / share));
}

} // namespace pdlcts
