// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/emit_agent.hpp"
#include "harness/gpu/layout.hpp"
#include "harness/gpu/trial_record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Stamps: where and when the blocks of a trial run. They are taken by an image of their own, in trials that nothing
/// counts: what a stamp stores behind the last store of a program changes what is in flight when the grid exits.
///
/// Each block has a slot of 16 words behind everything else in the record: the multiprocessor, nothing, and five times
/// of %globaltimer, each two words.
///
///     begin            the first instruction of the kernel, by the earliest of the block's threads that agents name
///     trigger          right before the first trigger
///     wait entered     right before a thread's first wait, by the earliest thread
///     wait returned    right behind a thread's first wait, by the latest thread
///     end              behind the last instruction and the last store of a result, by the latest thread
///
/// Threads keep their times in registers, and write them when they have all: by plain stores where a block has one such
/// thread, else by reductions to the minimum or the maximum. What they write is in flight when the grid exits: a store
/// of the program's own at its end would be, too, but the reductions of thousands of threads make the grid's
/// completion, and so a wait that is for it, some microseconds late.
namespace pdlcts {

inline constexpr std::size_t stamp_words = 16;
/// More blocks than any GPU holds at a time, many times over: 4 MiB a trial.
inline constexpr std::size_t most_stamped_blocks = std::size_t{1} << 16;

/// What of a case is stamped: its program, without the control.
Litmus stamped_part(const Litmus& litmus);

/// The layout of the stamped image's records: that of the case's own, and the stamps behind it. An error also where
/// there are too many blocks, or no agent at all, or where grids run on two GPUs, whose clocks are two.
Result<CaseLayout> lay_out_stamped(const Litmus& stamped);

/// The stamps of a grid; null where its kernel takes none.
const GridStamps* stamps_of(const Layout& layout, const Grid& grid);

/// Emits the stamps of one agent, as its instructions are emitted. Where the layout has none it emits nothing.
class AgentStamps {
public:
    AgentStamps(KernelText& out, unsigned depth);

    void before_trigger();
    void before_wait();
    void behind_wait();
    /// Behind everything that the agent does.
    void finish();

private:
    void read_clock(const char* variable);

    KernelText& out_;
    unsigned depth_;
    const GridStamps* stamps_;
    bool triggered_ = false;
    bool waits_ = false;
    bool waited_ = false;
};

/// The line at the very begin of a kernel; nothing where the grid is not stamped.
std::string stamp_of_begin(const Grid& grid, const Layout& layout, DeviceFunctions& functions);

/// Empties the slots of a record.
void prepare_stamps(std::span<std::uint32_t> record, const Layout& layout);

/// The times of one block, as the GPU's clock counts nanoseconds.
struct BlockStamps {
    unsigned block = 0;
    unsigned multiprocessor = 0;
    std::uint64_t begin = 0;
    std::optional<std::uint64_t> trigger;
    std::optional<std::uint64_t> wait_entered;
    std::optional<std::uint64_t> wait_returned;
    std::uint64_t end = 0;
    bool operator==(const BlockStamps&) const = default;
};

/// The blocks of each stamped grid, in the order of the layout's stamps. None where a block that an agent names has no
/// stamps, or where its times do not follow one another: a clock that was set in the middle of a trial.
std::optional<std::vector<std::vector<BlockStamps>>> read_stamps(std::span<const std::uint32_t> record,
                                                                 const Layout& layout);

} // namespace pdlcts
