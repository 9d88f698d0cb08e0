// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace pdlcts {

/// The length of the well-formed UTF-8 character at the start of a text; 0 where there is none. (Unicode, table 3-7.)
std::size_t character_length(std::string_view text);

} // namespace pdlcts
