// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/declarations.hpp"
#include "conformance/litmus/instruction_reader.hpp"
#include "conformance/litmus/program.hpp"

#include <string_view>
#include <vector>

/// Instructions. Internal to conformance/litmus.
namespace pdlcts {

struct ParsedInstruction {
    Instruction instruction;
    std::vector<ParsedResult> results;
};

/// Whether a word opens an instruction: `ld` of `ld.weak`.
bool opens_instruction(std::string_view word);

/// Reads the whole line, of an agent of a grid.
ParsedInstruction parse_instruction(Cursor& cursor, const Declarations& declarations, const Grid& grid,
                                    const Agent& agent);

} // namespace pdlcts
