// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/batches.hpp"

#include "harness/gpu/emit_agent.hpp"

#include <algorithm>
#include <cmath>

namespace pdlcts {

namespace {

/// Blocks that run at the same time on the smallest part of a GPU that can be had: one on each of 16 multiprocessors.
constexpr std::uint64_t fewest_blocks_at_once = 16;

/// A channel of a GPU takes 1,024 launches before the next one blocks.
constexpr std::size_t most_operations_in_flight = 512;

/// The largest size of so many trials that divides them, if it is no much smaller one: each size takes a graph of its
/// own. Else one that gives as few batches as can be, the last of them smaller.
std::uint64_t even_size(std::uint64_t trials, std::uint64_t largest) {
    for (std::uint64_t size = largest; size >= 1 && size >= largest - largest / 4; --size) {
        if (trials % size == 0) {
            return size;
        }
    }
    const std::uint64_t batches = (trials + largest - 1) / largest;
    return (trials + batches - 1) / batches;
}

} // namespace

std::chrono::nanoseconds longest_trial(const Program& program) {
    std::uint64_t nanoseconds = 0;
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        if (grid == nullptr) {
            continue;
        }
        for (const Agent& agent : grid->agents) {
            const std::uint64_t turns = (agent.blocks.size() + fewest_blocks_at_once - 1) / fewest_blocks_at_once;
            for (const Instruction& instruction : agent.instructions) {
                if (const auto* await = std::get_if<Await>(&instruction)) {
                    nanoseconds += turns * await->within_nanoseconds;
                } else if (const auto* wait = std::get_if<MbarrierWait>(&instruction)) {
                    nanoseconds += turns * (wait->within_nanoseconds + settling_nanoseconds);
                } else if (const auto* delay = std::get_if<Delay>(&instruction)) {
                    nanoseconds += turns * delay->nanoseconds;
                }
            }
        }
    }
    return std::chrono::nanoseconds(nanoseconds);
}

std::uint64_t largest_batch(const Litmus& litmus, const CaseLayout& layout, std::chrono::milliseconds deadline,
                            unsigned instances) {
    std::uint64_t bytes = (layout.program.words + layout.program.host_words) * sizeof(std::uint32_t);
    std::chrono::nanoseconds longest = longest_trial(litmus.program);
    if (litmus.control) {
        bytes += (layout.control->words + layout.control->host_words) * sizeof(std::uint32_t);
        longest += longest_trial(*litmus.control);
    }
    std::uint64_t largest = std::min(most_trials_a_batch, most_bytes_a_batch / (bytes * instances));
    if (longest.count() > 0) {
        const std::chrono::nanoseconds half = deadline / 2;
        largest = std::min(largest, static_cast<std::uint64_t>(std::max(half / longest, std::int64_t{0})));
    }
    return std::max(largest, std::uint64_t{1});
}

std::uint64_t worthwhile_graph(std::uint64_t trials) {
    // Building costs about 24 us a trial of each program, and a batch 50 us beside its trials: least in all where they
    // are about equal.
    const auto least_in_all = static_cast<std::uint64_t>(std::sqrt(1.25 * static_cast<double>(trials)));
    return std::clamp(least_in_all, std::uint64_t{16}, most_trials_a_batch);
}

std::chrono::milliseconds least_deadline(const Litmus& litmus) {
    std::chrono::nanoseconds longest = longest_trial(litmus.program);
    if (litmus.control) {
        longest += longest_trial(*litmus.control);
    }
    return std::chrono::ceil<std::chrono::milliseconds>(2 * longest);
}

std::size_t trials_in_flight(std::size_t operations_a_trial) {
    return std::clamp(most_operations_in_flight / std::max<std::size_t>(operations_a_trial, 1), std::size_t{2},
                      std::size_t{32});
}

std::vector<std::uint64_t> cut_into_batches(std::uint64_t trials, std::uint64_t largest, std::uint64_t first) {
    std::vector<std::uint64_t> batches;
    const auto append = [&](std::uint64_t size) {
        batches.push_back(size);
        trials -= size;
    };
    if (trials > 0) {
        append(std::min({trials, first, largest}));
    }
    const std::uint64_t even = trials == 0 ? 0 : even_size(trials, largest);
    while (trials > 0) {
        append(std::min(trials, even));
    }
    return batches;
}

} // namespace pdlcts
