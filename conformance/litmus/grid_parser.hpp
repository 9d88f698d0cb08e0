// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/program.hpp"

#include <functional>
#include <string>

/// The lines that open a grid and an agent. Internal to conformance/litmus.
namespace pdlcts {

inline constexpr unsigned most_blocks = 2147483647; ///< gridDim.x
inline constexpr unsigned most_threads = 1024;      ///< of a block
inline constexpr unsigned largest_pss = 2147483647;
inline constexpr unsigned largest_cluster = 16;           ///< blocks; more than 8 are not portable
inline constexpr int largest_priority = 100;              ///< and its negative; a device has fewer
inline constexpr unsigned largest_shared_memory = 232448; ///< bytes that a block of any device can have

/// `<<<8, 32>>> on t pss`, after the grid's name. `read_stream` reads the name after `on`.
Grid parse_grid(Cursor& cursor, std::string name, const std::function<std::string()>& read_stream);

/// `blocks 0..6 thread 0:`: inside the grid, and apart from the agents that the grid has already.
Agent parse_agent(Cursor& cursor, const Grid& grid);

} // namespace pdlcts
