// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/support/result.hpp"
#include "harness/gpu/encoding.hpp"
#include "harness/gpu/timing.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// Where the words of one trial stand in its two records: one contiguous piece of device memory, and one of the host's
/// memory that the device can access; both in lines of 128 bytes.
///
///     line 0..      the salt (encoding.hpp); a word for each timing, and two for a poll (timing.hpp)
///     then          for each location, in the order of the memory line, whole lines of its own
///     then          for each register, from a line of its own on, one word for each thread that writes it
///     then          where the trial is stamped, the stamps of each block (stamps.hpp)
///
/// The record of the host holds the locations of host memory and the registers that the host writes. Shared memory is
/// in neither: a kernel declares it, and writes its initial values itself.
namespace pdlcts {

inline constexpr std::size_t line_bytes = 128;
inline constexpr std::size_t words_a_line = line_bytes / sizeof(std::uint32_t);

/// A class of a thousand blocks of a thousand threads, each with one register.
inline constexpr std::size_t most_result_slots = std::size_t{1} << 20;

enum class Memory { device, host };

struct PlacedLocation {
    std::string name;
    std::vector<Value> initial;
    Width width = Width::u32;
    Memory memory = Memory::device;
    std::size_t word = 0; ///< index, in its record, of the word that it begins with

    std::size_t bytes() const { return initial.size() * bytes_of(width); }
};

/// The slots of one register. The thread `t` of block `b` of its agent writes slot
/// (b - first block) * number of threads + (t - first thread).
struct RegisterSlots {
    std::string name;
    std::string location; ///< location_key of what it is read from; empty for the 0 or 1 of a poll
    Memory memory = Memory::device;
    std::size_t first_word = 0;
    std::size_t slots = 1;
    std::string grid; ///< whose threads write it; empty where the host does
    Range blocks;
    Range threads;
};

/// The stamps of one grid: a slot for each block from the first to the last that an agent names (stamps.hpp).
struct GridStamps {
    std::string grid;
    std::size_t operation = 0; ///< index into Program::operations
    Range blocks;
    std::size_t named = 0;        ///< of the blocks, how many an agent names
    bool several_threads = false; ///< write the slot of some block
    std::size_t first_word = 0;
};

/// The records of one program's trials.
struct Layout {
    Encoding encoding;
    std::vector<PlacedLocation> locations;
    std::vector<Timing> timings;
    std::vector<RegisterSlots> registers; ///< in order of the instructions
    std::vector<GridStamps> stamps;       ///< in order of the grids; empty unless the trials are stamped
    std::size_t words = 0;                ///< of a record in device memory; a multiple of words_a_line
    std::size_t host_words = 0;           ///< of one in host memory; 0 where nothing is in it

    const PlacedLocation& location(const std::string& name) const;
    const RegisterSlots& result(const std::string& name) const;
};

/// The records of a case. Program and control agree on the width of a value, so that they draw salts from one
/// sequence.
struct CaseLayout {
    Layout program;
    std::optional<Layout> control;
};

/// An error where a program cannot be told apart from noise: too many result slots, values that leave no room for a
/// salt, or an operation whose meaning a salt would change.
Result<CaseLayout> lay_out(const Litmus& litmus);

} // namespace pdlcts
