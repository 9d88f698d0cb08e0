// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A file as lines, before any of them is understood. Internal to conformance/litmus.
namespace pdlcts {

/// A line that says something, without its mark and its comment.
struct SourceLine {
    std::string_view text;
    std::size_t number = 0; ///< counted from 1
    std::size_t column = 1; ///< of the first character of `text`
    char mark = ' ';        ///< `-`, `+`, or a space
};

struct SourceText {
    std::vector<std::string> description;
    std::vector<SourceLine> lines;
    bool marked = false;
    std::size_t end_line = 1; ///< where the file ends
    std::size_t end_column = 1;
};

/// Throws SyntaxFailure where the text is too long, is not UTF-8, holds control characters, or marks its description.
/// The lines refer to `text`.
SourceText split(std::string_view text);

} // namespace pdlcts
