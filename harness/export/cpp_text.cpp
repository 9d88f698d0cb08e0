// SPDX-License-Identifier: Apache-2.0
#include "harness/export/cpp_text.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr std::size_t line_width = 118;

bool is_control(char character) {
    const auto code = static_cast<unsigned char>(character);
    return code < 0x20 || code == 0x7f;
}

} // namespace

void CppText::line(unsigned depth, std::string_view content) {
    if (!content.empty()) {
        text.append(std::size_t{4} * depth, ' ');
    }
    text += content;
    text += '\n';
}

void CppText::comment(unsigned depth, std::string_view words) {
    const std::size_t used = std::size_t{4} * depth + 3;
    for (const std::string& each : wrapped(words, line_width - used)) {
        line(depth, comment_line(each));
    }
}

void CppText::check(unsigned depth, std::string_view call, std::string_view doing) {
    const std::string first = "check(" + std::string(call) + ",";
    const std::string second = string_literal(doing) + ");";
    if (std::size_t{4} * depth + first.size() + 1 + second.size() <= line_width) {
        line(depth, first + " " + second);
    } else {
        line(depth, first);
        line(depth, "      " + second);
    }
}

void CppText::heading(std::string_view title) {
    std::string content = "// ---- " + std::string(title) + " ";
    content.append(content.size() < line_width ? line_width - content.size() : 4, '-');
    text += "\n" + content + "\n\n";
}

void CppText::block(std::string_view lines) {
    text += lines.substr(lines.starts_with('\n') ? 1 : 0);
}

std::string comment_line(std::string_view content) {
    std::string line = content.empty() ? "//" : "// " + std::string(content);
    std::replace_if(line.begin(), line.end(), is_control, ' ');
    const std::size_t end = line.find_last_not_of(' ');
    line.resize(end + 1);
    return line.ends_with('\\') ? line + '.' : line;
}

std::string string_literal(std::string_view text) {
    std::string literal = "\"";
    for (const char character : text) {
        if (character == '"' || character == '\\') {
            literal += '\\';
        }
        literal += is_control(character) ? ' ' : character;
    }
    return literal + '"';
}

std::vector<std::string> wrapped(std::string_view words, std::size_t width) {
    std::vector<std::string> lines(1);
    std::size_t at = 0;
    while (at < words.size()) {
        const std::size_t end = std::min(words.find(' ', at), words.size());
        const std::string_view word = words.substr(at, end - at);
        std::string& last = lines.back();
        if (!word.empty() && !last.empty() && last.size() + 1 + word.size() > width) {
            lines.emplace_back(word);
        } else if (!word.empty()) {
            last += (last.empty() ? "" : " ") + std::string(word);
        }
        at = end + 1;
    }
    return lines;
}

} // namespace pdlcts
