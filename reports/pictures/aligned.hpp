// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pdlcts {

/// Rows of cells as lines with aligned columns, two spaces between; rows may have fewer cells than others. The first
/// `left` columns are words, the others numbers, which end at the same place.
std::string aligned(const std::vector<std::vector<std::string>>& rows, std::size_t left);

} // namespace pdlcts
