// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace pdlcts {

inline constexpr std::uint64_t seed_step = 0x9e3779b97f4a7c15;

/// A seed for each run of a case, so that no two share their salts, and one number replays them all. `cell` counts the
/// cells of a run from 1; `form` is 1 for the second form of an equivalence.
constexpr std::uint64_t seed_of(std::uint64_t seed, std::size_t cell, std::uint64_t form) {
    return seed + seed_step * (2 * cell + form + 1);
}

/// The seed with which a run of one cell alone repeats that cell of a longer run.
constexpr std::uint64_t seed_of_cell_alone(std::uint64_t seed, std::size_t cell) {
    return seed + seed_step * 2 * (cell - 1);
}

/// Of a round behind the first: as if there were so many more cells for each. A results file has fewer.
inline constexpr std::size_t cells_a_round = 100'000;
constexpr std::uint64_t seed_of_round(std::uint64_t seed, std::size_t cell, std::uint64_t form, std::uint64_t round) {
    return seed_of(seed, cell + round * cells_a_round, form);
}

static_assert(seed_of_round(7, 12, 1, 0) == seed_of(7, 12, 1));
static_assert(seed_of(seed_of_cell_alone(7, 12), 1, 0) == seed_of(7, 12, 0));
static_assert(seed_of(seed_of_cell_alone(7, 12), 1, 1) == seed_of(7, 12, 1));

} // namespace pdlcts
