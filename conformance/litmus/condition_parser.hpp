// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/program.hpp"

#include <cstddef>
#include <vector>

/// Conditions of claims. Internal to conformance/litmus.
namespace pdlcts {

/// Parentheses inside parentheses: the parser, and everything that walks a condition, recurses no deeper.
inline constexpr std::size_t deepest_condition = 64;

/// A comparison as it stands in the text, for checks that need the program.
struct RegisterUse {
    Comparison comparison;
    std::size_t column = 0;      ///< of the comparison
    std::size_t name_column = 0; ///< of the register
};

/// Reads the rest of a line as one condition, and appends the registers that it compares.
Condition parse_condition(Cursor& cursor, std::vector<RegisterUse>& uses);

} // namespace pdlcts
