// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <string>
#include <string_view>

namespace pdlcts {

/// The canonical text of a file, with `-` and `+` before the lines that program and control do not share.
/// parse_litmus(print(litmus)) gives the same value back.
std::string print(const Litmus& litmus);

/// The canonical text of one program, without marks: itself a litmus file without a control.
std::string print(const Program& program);

/// One instruction as it stands on its line: `ld.weak x -> seen`.
std::string print(const Instruction& instruction);

/// `read h -> seen`, `write h, 1`.
std::string print(const HostInstruction& instruction);

/// `x`, `v[2]`, `tile[2]@1`.
std::string print(const Element& element);

/// The line that opens a grid: `grid secondary <<<1, 32>>> on t pss`.
std::string print_header(const Grid& grid);

/// The line that opens an agent: `blocks 0..6 thread 0`, without its colon. `block 0` is left out where the grid has
/// one block.
std::string print_header(const Agent& agent, const Grid& grid);

std::string print(const Condition& condition);

/// `NVIDIA/cccl issue 9134`.
std::string print(const Report& report);

/// Where it can be read: `https://github.com/NVIDIA/cccl/issues/9134`.
std::string address(const Report& report);

/// `stream`, `captured`, `edges`.
std::string_view name(Route route);

} // namespace pdlcts
