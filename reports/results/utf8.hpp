// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace pdlcts {

/// The length of the well-formed UTF-8 character at the start of a text; 0 where there is none. (Unicode, table 3-7.)
std::size_t character_length(std::string_view text);

/// Of one character, as long as character_length says.
std::uint32_t code_point(std::string_view character);

/// What steers a terminal, or ends a line.
bool is_control(std::uint32_t point);
/// Zero-width characters, marks that change direction, and tags.
bool is_invisible(std::uint32_t point);

} // namespace pdlcts
