// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/program.hpp"

#include <span>
#include <vector>

/// The rules that a whole grid obeys, so that its threads meet and its copies end. Internal to conformance/litmus.
namespace pdlcts {

/// Where an agent and its instructions stand in the text.
struct AgentPlaces {
    Place header;
    std::vector<Place> instructions;
};

/// Throws SyntaxFailure. There are places for every agent of the grid.
void check_grid(const Grid& grid, std::span<const AgentPlaces> places);

/// `bar.sync`: the roles of a block pass the same number, or some would wait for ever.
void check_plain_barriers(const Grid& grid, std::span<const AgentPlaces> places);

/// `bar.sync 1, 64`, `bar.arrive 1, 64`: the roles of a block that use a barrier agree on it and are whole warps.
void check_named_barriers(const Grid& grid, std::span<const AgentPlaces> places);

/// `barrier.cluster...`: arrivals and waits alternate, and the roles of a grid pass the same number.
void check_cluster_barriers(const Grid& grid, std::span<const AgentPlaces> places);

/// An access of another block's shared memory comes before a cluster barrier that the other block passes too.
void check_ranks(const Grid& grid, std::span<const AgentPlaces> places);

/// Whoever issues a bulk copy waits until it no longer needs the block's shared memory.
void check_bulk_copies(const Agent& agent, const AgentPlaces& places);

} // namespace pdlcts
