// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <string>

/// Which location an instruction names. Shared memory is declared under a grid, and two grids may use one name.
namespace pdlcts {

/// The grid's shared location of this name; null for a name of global or host memory.
const Location* shared_location(const Grid& grid, const std::string& name);

/// A name that no other location of the program has: `x`, and for shared memory `grid.tile`.
std::string location_key(const Grid& grid, const std::string& name);

} // namespace pdlcts
