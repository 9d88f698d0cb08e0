// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/cell.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// More trials for the cells whose evidence is weakest.
namespace pdlcts {

/// Adds the evidence of a later round to a cell: counts are summed, of program, control, instances and variations
/// alike, and the cell is judged by the sums. A round never takes anything back: what went wrong in one goes wrong with
/// the cell, and so does a round that is not of the same programs, code and dependencies.
void add_round(Cell& cell, const Cell& round);

/// How much a cell has shown, counted in trials: the less, the sooner it gets another round. Nothing where more trials
/// would not change what it says: incidents, violations, what nobody judges.
std::optional<std::uint64_t> evidence_weight(const Cell& cell);

/// So much is enough: 95 % sure that less than one trial in a million violates.
inline constexpr std::uint64_t enough_trials = 3'000'000;

/// The cell that gets the next round; nothing where all have enough.
std::optional<std::size_t> weakest(std::span<const Cell> cells);

} // namespace pdlcts
