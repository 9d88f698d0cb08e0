// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/grid_rules.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace pdlcts {

namespace {

/// Whether a wait for bulk groups covers the copy at `position`: no more groups were committed since than may be
/// pending.
void check_group_of(const Agent& agent, const AgentPlaces& places, std::size_t position) {
    const auto& instructions = agent.instructions;
    const auto commit = std::find_if(instructions.begin() + static_cast<std::ptrdiff_t>(position), instructions.end(),
                                     [](const Instruction& each) { return std::holds_alternative<BulkCommit>(each); });
    if (commit == instructions.end()) {
        fail_at(places.instructions[position], "nothing commits the copy to a bulk group",
                "'cp.async.bulk.commit_group' behind it", "the end of the agent");
    }
    unsigned later_groups = 0;
    for (auto each = commit + 1; each != instructions.end(); ++each) {
        later_groups += std::holds_alternative<BulkCommit>(*each);
        const auto* wait = std::get_if<BulkWait>(&*each);
        if (wait != nullptr && wait->pending <= later_groups) {
            return;
        }
    }
    fail_at(places.instructions[position], "nothing waits for the copy",
            "'cp.async.bulk.wait_group 0' or 'cp.async.bulk.wait_group.read 0' behind its commit",
            "the end of the agent");
}

void check_mbarrier_of(const Agent& agent, const AgentPlaces& places, std::size_t position,
                       const std::string& mbarrier) {
    const auto& instructions = agent.instructions;
    const bool waits = std::any_of(instructions.begin() + static_cast<std::ptrdiff_t>(position), instructions.end(),
                                   [&](const Instruction& each) {
                                       const auto* wait = std::get_if<MbarrierWait>(&each);
                                       return wait != nullptr && wait->mbarrier == mbarrier;
                                   });
    if (!waits) {
        fail_at(places.instructions[position], "nothing waits for the copy",
                "an 'mbarrier.wait' for " + quoted(mbarrier) + " behind it", "the end of the agent");
    }
}

/// The blocks that no agent is in.
std::vector<Range> empty_blocks(const Grid& grid) {
    std::vector<Range> filled;
    for (const Agent& agent : grid.agents) {
        filled.push_back(agent.blocks);
    }
    std::sort(filled.begin(), filled.end());
    std::vector<Range> empty;
    unsigned next = 0;
    for (const Range& range : filled) {
        if (range.first > next) {
            empty.push_back({next, range.first - 1});
        }
        next = std::max(next, range.last + 1);
    }
    if (next < grid.blocks) {
        empty.push_back({next, grid.blocks - 1});
    }
    return empty;
}

/// Whether the block of that rank is among these, in one of the clusters that the agent lies in.
bool reaches(const Agent& agent, unsigned rank, unsigned cluster, const Range& blocks) {
    const unsigned first_cluster = agent.blocks.first / cluster;
    const unsigned last_cluster = agent.blocks.last / cluster;
    const unsigned first = blocks.first <= rank ? 0 : (blocks.first - rank + cluster - 1) / cluster;
    return blocks.last >= rank &&
           std::max(first, first_cluster) <= std::min((blocks.last - rank) / cluster, last_cluster);
}

const std::optional<unsigned>* rank_of(const Instruction& instruction) {
    return std::visit(
        [](const auto& each) -> const std::optional<unsigned>* {
            if constexpr (requires { each.element.rank; }) {
                return &each.element.rank;
            } else if constexpr (requires { each.mbarrier.rank; }) {
                return &each.mbarrier.rank;
            } else {
                return nullptr;
            }
        },
        instruction);
}

bool releases_cluster(const Instruction& instruction) {
    const auto* arrive = std::get_if<ClusterArrive>(&instruction);
    return arrive != nullptr && arrive->ordering == Ordering::release;
}

} // namespace

void check_ranks(const Grid& grid, std::span<const AgentPlaces> places) {
    if (grid.cluster == 1) {
        return;
    }
    const std::vector<Range> empty = empty_blocks(grid);
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        const Agent& agent = grid.agents[index];
        bool released = false; // by what stands behind
        for (std::size_t position = agent.instructions.size(); position-- > 0;) {
            const Instruction& instruction = agent.instructions[position];
            released = released || releases_cluster(instruction);
            const std::optional<unsigned>* rank = rank_of(instruction);
            if (rank == nullptr || !*rank) {
                continue;
            }
            const auto refuse = [&](std::string expected, std::string found) {
                fail_at(places[index].instructions[position], "the other block may have ended", std::move(expected),
                        std::move(found));
            };
            if (!released) {
                refuse("'barrier.cluster.arrive.release' behind the access", "the end of the agent");
            }
            const auto reached = std::find_if(empty.begin(), empty.end(), [&](const Range& blocks) {
                return reaches(agent, **rank, grid.cluster, blocks);
            });
            if (reached != empty.end()) {
                refuse("an agent in every block of rank " + std::to_string(**rank),
                       "none in block " + std::to_string(reached->first) +
                           (reached->size() == 1 ? "" : ".." + std::to_string(reached->last)));
            }
        }
    }
}

void check_bulk_copies(const Agent& agent, const AgentPlaces& places) {
    for (std::size_t position = 0; position < agent.instructions.size(); ++position) {
        const auto* copy = std::get_if<BulkCopy>(&agent.instructions[position]);
        if (copy == nullptr) {
            continue;
        }
        if (copy->into_shared()) {
            check_mbarrier_of(agent, places, position, *copy->mbarrier);
        } else {
            check_group_of(agent, places, position);
        }
    }
}

void check_grid(const Grid& grid, std::span<const AgentPlaces> places) {
    check_plain_barriers(grid, places);
    check_named_barriers(grid, places);
    check_cluster_barriers(grid, places);
    check_ranks(grid, places);
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        check_bulk_copies(grid.agents[index], places[index]);
    }
}

} // namespace pdlcts
