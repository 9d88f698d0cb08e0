// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Pictures of trials, and how long grids take to follow one another: for people. They are of stamped trials, which
/// nothing counts, and no verdict depends on them: clocks never decide one.
///
/// Times are nanoseconds of the GPU's %globaltimer. They are exact to the step of that clock, which the record holds.
namespace pdlcts {

/// What a picture and a list of latencies may hold at most.
inline constexpr std::size_t most_shown_blocks = 16; ///< of one grid, as they are chosen; a file may hold more
inline constexpr std::size_t most_picture_blocks = 1024;
inline constexpr std::size_t most_picture_nodes = 256;
inline constexpr std::size_t most_latencies = 256;
/// A trial is over after a minute: what is further from its begin is no time of it.
inline constexpr std::int64_t longest_picture_nanoseconds = 60'000'000'000;

/// One block, as its agents' threads saw it, in nanoseconds since the picture's origin.
struct BlockPicture {
    unsigned block = 0;
    unsigned multiprocessor = 0;               ///< %smid
    std::int64_t begin = 0;                    ///< the first instruction of its earliest thread
    std::optional<std::int64_t> trigger;       ///< before its first trigger
    std::optional<std::int64_t> wait_entered;  ///< before the first wait of the earliest thread that waits
    std::optional<std::int64_t> wait_returned; ///< behind the first wait of the latest thread that waits
    std::int64_t end = 0;                      ///< behind the last instruction of its latest thread
    bool operator==(const BlockPicture&) const = default;
};

/// A node of the plan. Of a memset, a memcpy, a host function and a grid without agents no more is known than that it
/// is there.
struct NodePicture {
    std::string node;          ///< as node_name writes it: `secondary`, `memset y`
    std::uint64_t blocks = 0;  ///< of the grid; 0 where the node is none
    std::uint64_t stamped = 0; ///< blocks in which an agent has threads: the others exit at once
    std::int64_t begin = 0;    ///< of the first stamped block; 0 where none is
    std::int64_t end = 0;      ///< of the last stamped block; 0 where none is
    /// All stamped blocks, or a choice of them: the first and the last of each class, those that began, triggered or
    /// ended first or last, and others at equal distances between. In order of their numbers.
    std::vector<BlockPicture> shown;
    bool operator==(const NodePicture&) const = default;
};

/// One trial. The origin of its times is the begin of the first grid in host program order.
struct TrialPicture {
    std::uint64_t trial = 0; ///< its number among the stamped trials that count
    std::string outcome;     ///< as conformance/litmus/outcome.hpp prints it
    bool armed = false;
    std::int64_t measured = 0; ///< what it was chosen by, in nanoseconds: see Pictures::measure
    std::vector<NodePicture> nodes;
    bool operator==(const TrialPicture&) const = default;
};

/// What a trial is chosen by.
enum class PictureMeasure {
    /// The longest of the gaps between neighbouring grids (Latency): from the last instruction of the primary to the
    /// return of the secondary's wait; to its begin where it does not wait.
    gap,
    /// From the first begin to the last end, where no grid depends on another.
    duration,
};

/// The pictures of a cell: two trials of its program on its route.
struct Pictures {
    std::uint64_t trials = 0; ///< stamped trials whose stamps are complete, less those that warm up
    std::uint64_t armed = 0;  ///< of those. The two are chosen, and latencies taken, from them; from all where it is 0
    std::uint64_t resolution_ns = 0; ///< of the clock: the greatest number that divides every difference of two stamps
    PictureMeasure measure = PictureMeasure::gap;
    std::string note; ///< why there is no picture; empty where there is one
    std::optional<TrialPicture> median;
    std::optional<TrialPicture> worst;
    bool operator==(const Pictures&) const = default;
};

/// Quantiles by nearest rank: each is a value that was measured.
struct LatencyFigures {
    std::uint64_t trials = 0;
    std::int64_t p5_ns = 0;
    std::int64_t median_ns = 0;
    std::int64_t p95_ns = 0;
    bool operator==(const LatencyFigures&) const = default;
};

/// From the last instruction of one grid to what a grid that depends on it does: between neighbours, which have no
/// third grid between them. On route `stream` the host's launches are part of it, where they come later than the GPU.
struct Latency {
    std::string primary;
    std::string secondary;
    /// `type programmatic, port programmatic`; empty where the secondary depends on the primary through others alone.
    std::string dependency;
    std::vector<std::string> between; ///< nodes that depend on the one and that the other depends on: `memset y`
    LatencyFigures begin;             ///< to the first instruction of the secondary; negative where the two overlap
    /// To the first return of a wait in the secondary, where it waits. A wait is for all its prerequisites.
    std::optional<LatencyFigures> wait_return;
    bool operator==(const Latency&) const = default;
};

std::string_view name(PictureMeasure measure); ///< `gap`, `duration`

/// The figures of at least one value.
LatencyFigures figures_of(std::vector<std::int64_t> nanoseconds);

/// The index of the value that so many percent of `count` values, at least one, do not exceed: by nearest rank.
std::size_t rank_of(unsigned percent, std::size_t count);

} // namespace pdlcts
