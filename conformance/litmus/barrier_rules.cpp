// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/grid_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace pdlcts {

namespace {

constexpr unsigned threads_of_warp = 32;
constexpr std::size_t named_barriers = 16;

bool share_block(const Agent& left, const Agent& right) {
    return left.blocks.first <= right.blocks.last && right.blocks.first <= left.blocks.last;
}

std::string as_in_line(const Place& place) {
    return " as in line " + std::to_string(place.line);
}

/// How one agent uses one named barrier.
struct Uses {
    unsigned count = 0;
    unsigned threads = 0;
    Place first;
};
using UsesOfAgent = std::array<Uses, named_barriers>;

UsesOfAgent uses_of(const Agent& agent, const AgentPlaces& places) {
    UsesOfAgent uses;
    for (std::size_t position = 0; position < agent.instructions.size(); ++position) {
        const auto* barrier = std::get_if<Barrier>(&agent.instructions[position]);
        if (barrier == nullptr || barrier->number == 0) {
            continue;
        }
        Uses& use = uses[barrier->number];
        if (use.count++ == 0) {
            use.threads = barrier->threads;
            use.first = places.instructions[position];
        } else if (use.threads != barrier->threads) {
            fail_at(places.instructions[position], "a barrier of two numbers of threads",
                    std::to_string(use.threads) + as_in_line(use.first), std::to_string(barrier->threads));
        }
    }
    return uses;
}

void check_agreement(const Uses& earlier, const Uses& later, std::size_t number) {
    if (earlier.count == 0 || later.count == 0) {
        return;
    }
    if (earlier.threads != later.threads) {
        fail_at(later.first, "a barrier of two numbers of threads",
                std::to_string(earlier.threads) + as_in_line(earlier.first), std::to_string(later.threads));
    }
    if (earlier.count != later.count) {
        fail_at(later.first, "roles of one block use a barrier different numbers of times",
                std::to_string(earlier.count) + " uses of barrier " + std::to_string(number) +
                    as_in_line(earlier.first),
                std::to_string(later.count));
    }
}

/// Bit N: the agent has threads in warp N of its blocks.
std::uint32_t warps_of(const Agent& agent) {
    const unsigned first = agent.threads.first / threads_of_warp;
    const unsigned last = agent.threads.last / threads_of_warp;
    return (~std::uint32_t{0} >> (31 - (last - first))) << first;
}

/// The threads of a named barrier are whole warps of one block, so many as it says.
void check_warps(const Grid& grid, std::span<const UsesOfAgent> uses, unsigned block, std::size_t number) {
    std::uint32_t users = 0;
    std::uint32_t others = 0;
    const Uses* first = nullptr;
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        const Agent& agent = grid.agents[index];
        if (!agent.blocks.contains(block)) {
            continue;
        }
        const Uses& use = uses[index][number];
        (use.count > 0 ? users : others) |= warps_of(agent);
        first = first == nullptr && use.count > 0 ? &use : first;
    }
    if (first == nullptr) {
        return;
    }
    if ((users & others) != 0) {
        fail_at(first->first, "a warp has threads that use the barrier and threads that do not", "whole warps",
                "warp " + std::to_string(std::countr_zero(users & others)) + " of block " + std::to_string(block));
    }
    const unsigned threads = static_cast<unsigned>(std::popcount(users)) * threads_of_warp;
    if (threads != first->threads) {
        fail_at(first->first, "the barrier is not of so many threads",
                std::to_string(threads) + ", the threads of the warps that use it", std::to_string(first->threads));
    }
}

/// One block of every stretch of blocks that have the same agents.
std::set<unsigned> different_blocks(const Grid& grid) {
    std::set<unsigned> blocks;
    for (const Agent& agent : grid.agents) {
        blocks.insert(agent.blocks.first);
        blocks.insert(agent.blocks.last + 1);
    }
    return blocks;
}

/// Arrivals and waits of one agent alternate; returns how many of each there are.
unsigned count_cluster_barriers(const Agent& agent, const AgentPlaces& places) {
    unsigned count = 0;
    std::optional<Place> arrived;
    for (std::size_t position = 0; position < agent.instructions.size(); ++position) {
        const Place& place = places.instructions[position];
        if (std::holds_alternative<ClusterArrive>(agent.instructions[position])) {
            if (arrived) {
                fail_at(place, "an arrival before the last one was waited for", "'barrier.cluster.wait.acquire'",
                        "'barrier.cluster.arrive'");
            }
            arrived = place;
        } else if (std::holds_alternative<ClusterWait>(agent.instructions[position])) {
            if (!arrived) {
                fail_at(place, "a wait without an arrival", "'barrier.cluster.arrive' before it",
                        "'barrier.cluster.wait'");
            }
            arrived.reset();
            ++count;
        }
    }
    if (arrived) {
        fail_at(*arrived, "an arrival that is not waited for", "'barrier.cluster.wait.acquire' behind it",
                "the end of the agent");
    }
    return count;
}

bool is_plain_barrier(const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction);
    return barrier != nullptr && barrier->number == 0;
}

} // namespace

void check_plain_barriers(const Grid& grid, std::span<const AgentPlaces> places) {
    std::vector<std::ptrdiff_t> barriers;
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        const Agent& agent = grid.agents[index];
        barriers.push_back(std::count_if(agent.instructions.begin(), agent.instructions.end(), is_plain_barrier));
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            if (share_block(grid.agents[earlier], agent) && barriers[earlier] != barriers[index]) {
                fail_at(places[index].header, "roles of one block pass different numbers of barriers",
                        std::to_string(barriers[earlier]) + " 'bar.sync'" + as_in_line(places[earlier].header),
                        std::to_string(barriers[index]));
            }
        }
    }
}

void check_named_barriers(const Grid& grid, std::span<const AgentPlaces> places) {
    std::vector<UsesOfAgent> uses;
    std::set<std::size_t> numbers;
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        uses.push_back(uses_of(grid.agents[index], places[index]));
        for (std::size_t number = 1; number < named_barriers; ++number) {
            if (uses[index][number].count > 0) {
                numbers.insert(number);
            }
        }
    }
    for (const std::size_t number : numbers) {
        for (std::size_t index = 0; index < grid.agents.size(); ++index) {
            for (std::size_t earlier = 0; earlier < index; ++earlier) {
                if (share_block(grid.agents[earlier], grid.agents[index])) {
                    check_agreement(uses[earlier][number], uses[index][number], number);
                }
            }
        }
        for (const unsigned block : different_blocks(grid)) {
            check_warps(grid, uses, block, number);
        }
    }
}

void check_cluster_barriers(const Grid& grid, std::span<const AgentPlaces> places) {
    std::optional<unsigned> expected;
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        const unsigned count = count_cluster_barriers(grid.agents[index], places[index]);
        if (expected.value_or(count) != count) {
            fail_at(places[index].header, "roles of one grid pass different numbers of cluster barriers",
                    std::to_string(*expected) + as_in_line(places.front().header), std::to_string(count));
        }
        expected = count;
    }
}

} // namespace pdlcts
