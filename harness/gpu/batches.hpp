// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

/// How the trials of a run are cut into batches.
namespace pdlcts {

/// Trials of each program in the first batch, unless it is a pilot (calibration.hpp). They load what loads lazily; they
/// count like all others.
inline constexpr std::uint64_t warm_up_trials = 8;
inline constexpr std::uint64_t most_trials_a_batch = 1000;
inline constexpr std::uint64_t most_bytes_a_batch = std::uint64_t{64} << 20;

/// The longest that the bounded polls and delays of a program can take, one after the other, and as often as the blocks
/// of a grid may have to take turns.
std::chrono::nanoseconds longest_trial(const Program& program);

/// How many trials of each program may run in one batch: few enough for the memory (a trial may have
/// instances, each with its own record), and for half the deadline even if
/// every poll runs into its bound.
std::uint64_t largest_batch(const Litmus& litmus, const CaseLayout& layout, std::chrono::milliseconds deadline,
                            unsigned instances = 1);

/// About how many trials of each program to build into one graph, where a run has so many in all. A trial takes tens of
/// times as long to build as to launch, so a short run launches a small graph often.
std::uint64_t worthwhile_graph(std::uint64_t trials);

/// A deadline that a trial of each program cannot miss by polls that run into their bounds: what misses it hangs.
std::chrono::milliseconds least_deadline(const Litmus& litmus);

/// How many trials, of this many operations each, may be in flight on streams: so few that no launch blocks, without a
/// deadline, on the full queue of a device that hangs.
std::size_t trials_in_flight(std::size_t operations_a_trial);

/// How far the host may be ahead of the device in one chain of trials. Positions count the trials of the chain.
struct Pace {
    std::size_t in_flight = 2;

    /// Waits are worth their while only now and then.
    std::size_t between_waits() const { return std::max<std::size_t>(in_flight / 2, 1); }
    /// Where so many trials have been issued: the one whose opening has to be waited for before the next, if any.
    std::optional<std::size_t> awaited_behind(std::size_t issued) const {
        return issued > in_flight && issued % between_waits() == 0 ? std::optional(issued - in_flight) : std::nullopt;
    }
    /// Whether the opening of the trial at this position is, or may be, waited for.
    bool is_awaited(std::size_t position) const { return (position + in_flight) % between_waits() == 0; }
};

/// The sizes of all batches, in order; their sum is `trials`. A graph is built for each size that occurs: at most
/// three, and two where those behind the first can be equal.
std::vector<std::uint64_t> cut_into_batches(std::uint64_t trials, std::uint64_t largest,
                                            std::uint64_t first = warm_up_trials);

} // namespace pdlcts
