// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/device_functions.hpp"
#include "harness/gpu/layout.hpp"

#include <string>
#include <string_view>

/// The part of a kernel that one agent is.
namespace pdlcts {

/// The longest that a thread, at its end, waits for a bulk copy that it did not see complete.
inline constexpr std::uint64_t settling_nanoseconds = 100'000;

/// The text of a kernel as it grows.
struct KernelText {
    const Grid& grid;
    const Layout& layout;
    DeviceFunctions& functions;
    std::string text = {};
    bool uses_salt = false;
    bool uses_record = false;
    std::size_t timings = 0; ///< of the grid that have been emitted

    void line(unsigned depth, std::string_view content);
    /// `salt + 1u`: the word of a value. `location` is a location_key.
    std::string value(const std::string& location, Value value);
    /// The grid's timings come in the order of agents and instructions.
    const Timing& next_timing();
};

/// Whether an agent accesses the shared memory of another block of its cluster, which must be initialised before. (That
/// the other block is still there is a rule of the language.)
bool reaches_other_blocks(const Grid& grid);

/// `block <= 6 && threadIdx.x == 0`; empty where every thread is meant.
std::string condition_of(const Agent& agent, const Grid& grid);

/// The agent as a conditional block, which ends in a return.
void emit_agent(KernelText& out, const Agent& agent);

} // namespace pdlcts
