// SPDX-License-Identifier: Apache-2.0
#include "reports/results/message.hpp"

#include "reports/results/clean.hpp"
#include "reports/results/utf8.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// At most `longest` bytes, cut between characters; what steers a terminal or turns text around is a question mark.
std::string shown(std::string_view text) {
    constexpr std::size_t longest = 60;
    const std::string clean = clean_text(text.substr(0, longest));
    std::string result;
    for (std::size_t at = 0; at < clean.size();) {
        const std::string_view character =
            std::string_view(clean).substr(at, character_length(std::string_view(clean).substr(at)));
        const std::uint32_t point = code_point(character);
        result += is_control(point) || is_invisible(point) ? "?" : character;
        at += character.size();
    }
    return text.size() > longest ? result + "..." : result;
}

} // namespace

std::string in_quotes(std::string_view text) {
    return '"' + shown(text) + '"';
}

std::string pointer_step(std::string_view key) {
    std::string step = "/";
    for (const char c : shown(key)) {
        step += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
    }
    return step;
}

std::string line_and_column(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const std::size_t start = before.rfind('\n');
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t column = start == std::string_view::npos ? before.size() + 1 : before.size() - start;
    return std::to_string(line) + ":" + std::to_string(column);
}

} // namespace pdlcts
