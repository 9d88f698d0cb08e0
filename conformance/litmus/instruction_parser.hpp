// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/program.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <string_view>

/// Instructions. Internal to conformance/litmus.
namespace pdlcts {

using Names = std::set<std::string, std::less<>>;

struct ParsedInstruction {
    Instruction instruction;
    std::string result; ///< the register it writes, or nothing
    std::size_t result_column = 0;
};

/// Whether a word opens an instruction: `ld` of `ld.weak`.
bool opens_instruction(std::string_view word);

/// Reads the whole line.
ParsedInstruction parse_instruction(Cursor& cursor, const Names& locations);

/// A name that the `memory` line declares.
std::string parse_location(Cursor& cursor, const Names& locations);

} // namespace pdlcts
