// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Program and control as one text. Internal to conformance/litmus.
namespace pdlcts {

struct TextLine {
    std::string text;
    bool starts_paragraph = false; ///< a blank line goes before it
};

/// The heading, then the lines; with a control, the lines that only one of the two has bear its mark, and as few lines
/// as possible do.
std::string print_merged(const std::vector<std::string>& heading, const std::vector<TextLine>& program,
                         const std::vector<TextLine>* control);

} // namespace pdlcts
