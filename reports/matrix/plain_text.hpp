// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text of strangers, made fit for a terminal or a page. Results files come from anywhere.
namespace pdlcts {

/// One line without anything that steers a terminal or turns text around: control characters become spaces, runs of
/// spaces one, what is not UTF-8 a question mark, invisible and direction-changing characters vanish. At most `longest`
/// characters, then `...`.
std::string plain_text(std::string_view text, std::size_t longest = 1000);

/// Characters, for padding.
std::size_t width(std::string_view text);

/// Every character that Markdown or HTML would read as its own, escaped.
std::string escape_markdown(std::string_view text);

/// Lines of at most `longest` characters, broken at spaces; a longer word is broken where it has to be.
std::vector<std::string> wrap(std::string_view text, std::size_t longest);

} // namespace pdlcts
