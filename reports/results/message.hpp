// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Text of a stranger's file in a message of ours.
namespace pdlcts {

/// Between quotes, without control characters, and cut: `"strem"`.
std::string in_quotes(std::string_view text);

/// One step of a JSON pointer (RFC 6901), escaped: `/a~1b`. Cut like `in_quotes`.
std::string pointer_step(std::string_view key);

/// `line:column` of a byte, both from 1.
std::string line_and_column(std::string_view text, std::size_t byte);

} // namespace pdlcts
