// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/litmus/source_text.hpp"

#include <cstddef>
#include <span>

/// One program, once its marks have been obeyed. Internal to conformance/litmus.
namespace pdlcts {

/// Reads the lines from `memory` to the claims, and checks every rule of cases/README.md. Throws SyntaxFailure.
/// `end_line` and `end_column` are where something missing is reported.
Program parse_program(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column);

} // namespace pdlcts
