// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/location_key.hpp"

#include <algorithm>

namespace pdlcts {

const Location* shared_location(const Grid& grid, const std::string& name) {
    const auto found = std::find_if(grid.shared.begin(), grid.shared.end(),
                                    [&](const Location& location) { return location.name == name; });
    return found == grid.shared.end() ? nullptr : &*found;
}

std::string location_key(const Grid& grid, const std::string& name) {
    return shared_location(grid, name) == nullptr ? name : grid.name + "." + name;
}

} // namespace pdlcts
