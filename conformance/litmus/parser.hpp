// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/support/result.hpp"

#include <string_view>

namespace pdlcts {

/// The longest litmus file that is read, in bytes. A longer one is an error.
inline constexpr std::size_t largest_litmus_file = std::size_t{64} * 1024;

/// Reads one litmus file: lines that start with `-` belong to the program alone, lines that start with `+` to the
/// control alone. A file without either has no control.
///
/// `file_name` only appears in errors, which read `file:line:column: what; expected X, found Y`. No input crashes this
/// function. Language reference: cases/README.md.
Result<Litmus> parse_litmus(std::string_view text, std::string_view file_name);

/// Reads public reports as they stand after `because`, each named once: `NVIDIA/cccl issue 9134, NVIDIA/cccl pull
/// 5249`. `line` and `column`, where the text stands in the file, are for errors.
Result<std::vector<Report>> parse_reports(std::string_view text, std::string_view file_name, std::size_t line,
                                          std::size_t column);

/// Reads a condition as it stands after `never`, `sometimes` or `armed`: `got == 1 && seen == 0`.
Result<Condition> parse_condition(std::string_view text);

} // namespace pdlcts
