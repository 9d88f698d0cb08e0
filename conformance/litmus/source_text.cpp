// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/source_text.hpp"

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/words.hpp"

#include <algorithm>

namespace pdlcts {

namespace {

unsigned byte_at(std::string_view text, std::size_t position) {
    return static_cast<unsigned char>(text[position]);
}

/// The length of the well-formed UTF-8 character at a position, or 0: no overlong forms, no surrogates, nothing beyond
/// U+10FFFF.
std::size_t utf8_length(std::string_view text, std::size_t position) {
    const unsigned first = byte_at(text, position);
    if (first < 0x80) {
        return 1;
    }
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() - position < length) {
        return 0;
    }
    for (std::size_t index = 1; index < length; ++index) {
        if ((byte_at(text, position + index) & 0xc0) != 0x80) {
            return 0;
        }
    }
    const unsigned second = byte_at(text, position + 1);
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool surrogate = first == 0xed && second >= 0xa0;
    const bool too_large = first == 0xf4 && second >= 0x90;
    return overlong || surrogate || too_large ? 0 : length;
}

std::string byte_name(unsigned byte) {
    constexpr std::string_view digits = "0123456789abcdef";
    return std::string("the byte 0x") + digits[byte / 16] + digits[byte % 16];
}

void check_characters(std::string_view line, std::size_t number) {
    const auto is_printable = [](char character) { return character >= 0x20 && character < 0x7f; };
    if (std::all_of(line.begin(), line.end(), is_printable)) {
        return;
    }
    std::size_t column = 1;
    for (std::size_t position = 0; position < line.size(); ++column) {
        const unsigned byte = byte_at(line, position);
        const std::size_t length = utf8_length(line, position);
        if (length == 0) {
            throw SyntaxFailure{number, column, "the text is not UTF-8", "UTF-8", byte_name(byte)};
        }
        if ((byte < 0x20 && byte != '\t') || byte == 0x7f) {
            throw SyntaxFailure{number, column, "control character", "text", byte_name(byte)};
        }
        position += length;
    }
}

std::string_view without_trailing_blanks(std::string_view text) {
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

} // namespace

SourceText split(std::string_view text) {
    if (text.size() > largest_litmus_file) {
        throw SyntaxFailure{1, 1, "the file is too long", "at most " + std::to_string(largest_litmus_file) + " bytes",
                            std::to_string(text.size())};
    }
    SourceText source;
    enum class Description { before, inside, after } state = Description::before;
    for (std::size_t number = 1;; ++number) {
        const std::size_t newline = text.find('\n');
        const bool last = newline == std::string_view::npos;
        std::string_view line = text.substr(0, newline);
        if (!last && line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        check_characters(line, number);
        source.end_line = number;
        source.end_column = line.size() + 1;

        const char mark = line.starts_with('-') || line.starts_with('+') ? line.front() : ' ';
        const std::size_t skipped = mark == ' ' ? 0 : 1;
        const std::string_view content = line.substr(skipped);
        const std::size_t comment = content.find('#');
        const std::string_view code = without_trailing_blanks(content.substr(0, comment));
        const bool only_comment = code.empty() && comment != std::string_view::npos;
        if (only_comment && state != Description::after) {
            if (mark != ' ') {
                throw SyntaxFailure{number, 1, "program and control share their description", "'#' without a mark",
                                    quoted(line.substr(0, 1))};
            }
            std::string_view said = content.substr(comment + 1);
            if (said.starts_with(' ')) {
                said.remove_prefix(1);
            }
            source.description.emplace_back(without_trailing_blanks(said));
            state = Description::inside;
        } else if (!code.empty() || state == Description::inside) {
            state = Description::after;
        }
        if (!code.empty()) {
            source.lines.push_back(SourceLine{code, number, 1 + skipped, mark});
            source.marked = source.marked || mark != ' ';
        }
        if (last) {
            return source;
        }
        text.remove_prefix(newline + 1);
    }
}

} // namespace pdlcts
