// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// The text of a C++ file as it grows.
namespace pdlcts {

struct CppText {
    std::string text = {};

    /// One line, indented by four blanks for each level; an empty one is empty.
    void line(unsigned depth, std::string_view content);
    void blank() { text += '\n'; }
    /// Words as comment lines, wrapped.
    void comment(unsigned depth, std::string_view words);
    /// `check(CALL, "doing");`, on two lines where one is too long.
    void check(unsigned depth, std::string_view call, std::string_view doing);
    /// `// ---- 1. The kernels ----...`, between blank lines.
    void heading(std::string_view title);
    /// Lines that are given as they are: they begin with a line break, which is dropped, and end with one.
    void block(std::string_view lines);
};

/// One comment line, whatever is in it: a control character would end it, and a backslash at its end continue it.
std::string comment_line(std::string_view content);

/// `"text"`, with its quotes and backslashes escaped, and without control characters.
std::string string_literal(std::string_view text);

/// Words in lines of at most `width` characters, where no word is longer.
std::vector<std::string> wrapped(std::string_view words, std::size_t width);

} // namespace pdlcts
