// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"

#include <map>
#include <optional>
#include <string>

namespace pdlcts::machine {

/// Where each location of a program, and each block's shared memory and mbarriers, stand in the machine's memory.
struct Cells {
    std::map<std::string, Cell> global; ///< first elements, of device and host memory
    /// By node and block: first elements and mbarriers.
    std::map<std::pair<std::size_t, unsigned>, std::map<std::string, Cell>> shared;
    std::map<std::pair<std::size_t, unsigned>, std::map<std::string, std::uint16_t>> mbarriers;
};

/// Adds the cells to the code. An error says that there are too many.
Result<Cells> lay_out_cells(const Program& program, const Plan& plan, Code& code);

/// A grid's blocks have memory of their own that has to be spelled out.
bool has_block_memory(const Grid& grid);

} // namespace pdlcts::machine
