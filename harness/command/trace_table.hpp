// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/machine.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Executions and paragraphs as a person reads them in a terminal.
namespace pdlcts {

/// One line a step: its number, who takes it (once for steps in a row by the same), what it does, and what comes of
/// it. The steps in `marked`, by their index, are pointed at.
std::vector<std::string> trace_table(const Trace& trace, const std::vector<std::size_t>& marked = {});

/// The last step in which somebody of this node executes this instruction.
std::optional<std::size_t> find_step(const Trace& trace, std::string_view node, std::string_view instruction);

/// Breaks a paragraph into lines of at most `width` where it can: between words, and not between backquotes.
std::vector<std::string> wrap_words(std::string_view paragraph, std::size_t width = 96);

/// `stream`, `stream and edges`, `stream, captured and edges`
std::string enumerate(const std::vector<std::string>& names);

} // namespace pdlcts
