// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/litmus/random_choice.hpp"

#include <string>
#include <vector>

/// Valid grids; for tests only.
namespace pdlcts {

struct RandomRegister {
    std::string name;
    bool of_class = false;
};

/// What grids draw on, and add their registers to.
struct RandomNames {
    std::vector<Location> memory;
    std::vector<Location> host_memory;
    std::vector<RandomRegister> registers = {};
};

std::string random_register(RandomNames& names, bool of_class);
Value random_value(Chooser& choose, Width width);
/// A scalar or an array, of some width.
Location random_location(Chooser& choose, std::string name, bool words_only);
/// A random element of a location.
Element random_element(Chooser& choose, const Location& location);

/// The declarations and agents of a grid whose attributes are given.
void fill_grid(Chooser& choose, RandomNames& names, Grid& grid);

} // namespace pdlcts
