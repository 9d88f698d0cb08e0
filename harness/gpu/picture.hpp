// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "harness/gpu/stamps.hpp"
#include "harness/judge/picture.hpp"

#include <string>
#include <vector>

/// From the stamps of many trials to two pictures and a few figures.
namespace pdlcts {

/// A grid, and the one behind it: nodes of a plan, of which the second depends on the first, directly or through nodes
/// that are no grids.
struct NeighbouringGrids {
    std::size_t primary = 0;
    std::size_t secondary = 0;
    std::vector<std::size_t> between;
    bool operator==(const NeighbouringGrids&) const = default;
};

/// In the order of the secondaries, and of their primaries.
std::vector<NeighbouringGrids> neighbouring_grids(const Program& program, const Plan& plan);

/// A trial that was stamped.
struct StampedTrial {
    std::string outcome;
    bool armed = true;
    /// As read_stamps gives them: a list for each of the layout's stamps.
    std::vector<std::vector<BlockStamps>> grids;
};

struct CellPictures {
    Pictures pictures;
    std::vector<Latency> latency;
};

/// `stamps` are those of the layout that the trials were read by.
CellPictures pictures_of(const Program& program, const Plan& plan, const std::vector<GridStamps>& stamps,
                         const std::vector<StampedTrial>& trials);

} // namespace pdlcts
