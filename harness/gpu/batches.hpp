// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

/// How the trials of a run are cut into batches.
namespace pdlcts {

/// Trials of each program in the first batch. They load what loads lazily; they count like all others.
inline constexpr std::uint64_t warm_up_trials = 8;
inline constexpr std::uint64_t most_trials_a_batch = 250;
inline constexpr std::uint64_t most_bytes_a_batch = std::uint64_t{64} << 20;

/// The longest that the bounded polls and delays of a program can take, one after the other.
std::chrono::nanoseconds longest_trial(const Program& program);

/// How many trials of each program may run in one batch: few enough for the memory, and for half the deadline even if
/// every poll runs into its bound.
std::uint64_t largest_batch(const Litmus& litmus, const CaseLayout& layout, std::chrono::milliseconds deadline);

/// The sizes of all batches, in order; their sum is `trials`. At most three sizes occur: a graph is built for each.
std::vector<std::uint64_t> cut_into_batches(std::uint64_t trials, std::uint64_t largest);

} // namespace pdlcts
