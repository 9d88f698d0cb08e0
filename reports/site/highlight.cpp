// SPDX-License-Identifier: Apache-2.0
#include "reports/site/highlight.hpp"

#include <algorithm>
#include <array>

namespace pdlcts::site {
namespace {

constexpr std::array litmus_words = {"all",
                                     "any",
                                     "armed",
                                     "await",
                                     "bar",
                                     "because",
                                     "block",
                                     "blocks",
                                     "checks",
                                     "cluster",
                                     "cta",
                                     "delay",
                                     "ends",
                                     "event",
                                     "fence",
                                     "gpu",
                                     "grid",
                                     "host",
                                     "memcpy",
                                     "memory",
                                     "memset",
                                     "never",
                                     "on",
                                     "priority",
                                     "programmatic_event",
                                     "launch_completion_event",
                                     "pss",
                                     "read",
                                     "record",
                                     "routes",
                                     "sometimes",
                                     "stream",
                                     "sync",
                                     "thread",
                                     "threads",
                                     "trigger",
                                     "wait",
                                     "wait_event",
                                     "within",
                                     "write",
                                     "at_block_start",
                                     "domain",
                                     "remote",
                                     "peer",
                                     "shared",
                                     "load",
                                     "until",
                                     "plain"};
constexpr std::array cuda_words = {"__device__",
                                   "__forceinline__",
                                   "__global__",
                                   "__shared__",
                                   "asm",
                                   "auto",
                                   "bool",
                                   "break",
                                   "char",
                                   "const",
                                   "constexpr",
                                   "continue",
                                   "do",
                                   "else",
                                   "enum",
                                   "extern",
                                   "false",
                                   "for",
                                   "if",
                                   "int",
                                   "long",
                                   "namespace",
                                   "return",
                                   "short",
                                   "sizeof",
                                   "static",
                                   "struct",
                                   "switch",
                                   "true",
                                   "typedef",
                                   "unsigned",
                                   "using",
                                   "void",
                                   "volatile",
                                   "while",
                                   "word",
                                   "__noinline__",
                                   "__launch_bounds__",
                                   "__cluster_dims__",
                                   "template",
                                   "typename",
                                   "inline",
                                   "static_cast",
                                   "reinterpret_cast",
                                   "case",
                                   "default"};

bool begins_word(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
}
bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

bool is_keyword(std::string_view word, Language language) {
    return language == Language::litmus
               ? std::find(litmus_words.begin(), litmus_words.end(), word) != litmus_words.end()
               : std::find(cuda_words.begin(), cuda_words.end(), word) != cuda_words.end();
}

/// How far a token goes; its class is 0 where it has none.
struct Token {
    std::size_t length = 1;
    char kind = 0;
};

Token next_token(std::string_view rest, Language language) {
    const auto until = [&](auto stop, std::size_t from) {
        while (from < rest.size() && !stop(rest[from])) {
            ++from;
        }
        return from;
    };
    const auto end_of_line = [](char character) { return character == '\n'; };
    if ((language == Language::litmus && rest[0] == '#') || (language == Language::cuda && rest.starts_with("//"))) {
        return {until(end_of_line, 0), 'c'};
    }
    if (language == Language::cuda && rest[0] == '"') {
        std::size_t end = 1;
        while (end < rest.size() && rest[end] != '"' && rest[end] != '\n') {
            end += rest[end] == '\\' ? 2 : 1;
        }
        return {std::min(end + 1, rest.size()), 's'};
    }
    if (begins_word(rest[0])) {
        const std::size_t end = until([](char each) { return !begins_word(each) && !is_digit(each); }, 1);
        return {end, is_keyword(rest.substr(0, end), language) ? 'k' : char(0)};
    }
    if (is_digit(rest[0])) {
        return {until([](char each) { return !begins_word(each) && !is_digit(each) && each != '.'; }, 1), 'n'};
    }
    return {1, 0};
}

void put(Html& html, std::string_view token, char kind) {
    switch (kind) {
    case 'k':
        html << "<span class=\"k\">" << verbatim(token) << "</span>";
        break;
    case 'c':
        html << "<span class=\"c\">" << verbatim(token) << "</span>";
        break;
    case 's':
        html << "<span class=\"s\">" << verbatim(token) << "</span>";
        break;
    case 'n':
        html << "<span class=\"n\">" << verbatim(token) << "</span>";
        break;
    default:
        html << verbatim(token);
    }
}

void line_cell(Html& html, std::string_view line, bool there, bool alone, bool of_program) {
    if (!there) {
        html << "<td class=\"absent\"></td>";
        return;
    }
    html << (alone ? of_program ? Markup("<td class=\"minus\"><span class=\"sign\" role=\"img\" aria-label=\"in the "
                                         "program alone\">-</span>")
                                : Markup("<td class=\"plus\"><span class=\"sign\" role=\"img\" aria-label=\"in the "
                                         "control alone\">+</span>")
                   : Markup("<td>"));
    html << "<code>";
    highlight(html, line, Language::litmus);
    html << "</code></td>";
}

} // namespace

void highlight(Html& html, std::string_view source, Language language) {
    std::size_t plain = 0; // characters that wait to be written together
    std::size_t at = 0;
    while (at < source.size()) {
        const Token token = next_token(source.substr(at), language);
        if (token.kind != 0) {
            html << verbatim(source.substr(plain, at - plain));
            put(html, source.substr(at, token.length), token.kind);
            plain = at + token.length;
        }
        at += token.length;
    }
    html << verbatim(source.substr(std::min(plain, source.size())));
}

void side_by_side(Html& html, std::string_view litmus) {
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Program and control\"><table "
            "class=\"diff\"><caption>The program "
            "and its control, which lacks what gives the guarantee</caption><thead><tr><th "
            "scope=\"col\">Program</th><th "
            "scope=\"col\">Control</th></tr></thead><tbody>\n";
    while (!litmus.empty()) {
        const std::size_t end = std::min(litmus.find('\n'), litmus.size());
        std::string_view line = litmus.substr(0, end);
        litmus.remove_prefix(std::min(end + 1, litmus.size()));
        const char mark = line.empty() ? ' ' : line[0];
        const bool marked = mark == '-' || mark == '+';
        std::string spaced(line);
        if (marked) {
            spaced[0] = ' ';
        }
        if (!marked && (line.empty() || line.starts_with('#'))) {
            continue; // the description stands above
        }
        html << "<tr>";
        line_cell(html, spaced, mark != '+', mark == '-', true);
        line_cell(html, spaced, mark != '-', mark == '+', false);
        html << "</tr>\n";
    }
    html << "</tbody></table></div>\n";
}

} // namespace pdlcts::site
