// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// What of a program's timing is set for each trial. It means nothing to what a program may do - the machine knows
/// neither `within` nor `delay` - and so may differ from one trial to the next: each is a word of the trial's record.
namespace pdlcts {

enum class TimingKind {
    start, ///< how long an agent lets time pass before its first instruction; 0 unless the trial says otherwise
    poll,  ///< the bound of an `await` or `mbarrier.wait`
    delay, ///< a `delay`
};

struct Timing {
    TimingKind kind = TimingKind::start;
    std::string grid;
    /// `primary: block 7 thread 0: await started == 1 -> seen within 20us`, and ` #2` for the second of equals. What
    /// program and control have in common has one key.
    std::string key;
    std::uint32_t nanoseconds = 0; ///< as the program says it
    std::size_t word = 0;          ///< index in the record in device memory
    /// Of a poll: the word in which a trial that measures leaves its latency (latency_of).
    std::size_t latency_word = 0;

    bool operator==(const Timing&) const = default;
};

/// In the order of grids, agents and instructions; an agent's start first. The words are left for the layout.
std::vector<Timing> timings_of(const Program& program);

/// The word of a poll that some thread saw end at its bound.
inline constexpr std::uint32_t unsatisfied_poll = 0xffffffff;

} // namespace pdlcts
