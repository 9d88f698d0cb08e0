// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix/plain_text.hpp"

#include "reports/results/utf8.hpp"

#include <algorithm>

namespace pdlcts {
std::string plain_text(std::string_view text, std::size_t longest) {
    std::string plain;
    std::size_t characters = 0;
    bool space_before = true; // none at the start
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_length(text.substr(at));
        const std::string_view character = length == 0 ? std::string_view("?") : text.substr(at, length);
        at += length == 0 ? 1 : length;
        const std::uint32_t point = code_point(character);
        if (is_invisible(point)) {
            continue;
        }
        const bool space = point == ' ' || is_control(point);
        if (space && space_before) {
            continue;
        }
        if (characters == longest) {
            return plain + "...";
        }
        plain += space ? std::string_view(" ") : character;
        space_before = space;
        ++characters;
    }
    while (plain.ends_with(' ')) {
        plain.pop_back();
    }
    return plain;
}

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string escape_markdown(std::string_view text) {
    std::string escaped;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        // `https://...` and `www.` become links on some sites.
        if ((c == ':' && text.substr(at + 1).starts_with('/')) || (c == '.' && text.substr(0, at).ends_with("www"))) {
            escaped += '\\';
        }
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '@': // a mention of somebody, on some sites
            escaped += "&#64;";
            break;
        case '\\':
        case '`':
        case '*':
        case '_':
        case '[':
        case ']':
        case '#':
        case '|':
        case '~':
        case '$':
            escaped += '\\';
            escaped += c;
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::vector<std::string> wrap(std::string_view text, std::size_t longest) {
    std::vector<std::string> lines(1);
    std::size_t used = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        std::string_view word = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (used > 0 && used + 1 + width(word) > longest) {
            lines.emplace_back();
            used = 0;
        }
        if (used > 0) {
            lines.back() += ' ';
            ++used;
        }
        while (!word.empty()) {
            if (used == longest) {
                lines.emplace_back();
                used = 0;
            }
            const std::size_t length = std::max<std::size_t>(character_length(word), 1);
            lines.back() += word.substr(0, length);
            word.remove_prefix(length);
            ++used;
        }
    }
    return lines;
}

} // namespace pdlcts
