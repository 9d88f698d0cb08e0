// SPDX-License-Identifier: Apache-2.0
#include "reports/fuzz/token_mutator.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr std::size_t most_kept = 200;
constexpr std::size_t most_known = 2000;

bool is_word_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-' || c == '+';
}
bool is_number(const std::string& text) {
    return text.find_first_not_of("0123456789.-+eE") == std::string::npos;
}

/// Values at the edges of what readers take.
const char* const numbers[] = {"0",
                               "1",
                               "-1",
                               "2147483647",
                               "4294967296",
                               "9007199",
                               "1e9",
                               "1e-320",
                               "18446744073709551615",
                               "99999999999999999999",
                               "-0",
                               "0.5",
                               "1000000000000",
                               "1e999",
                               "2027-02-29"};
const char* const strings[] = {"\"\"",
                               "\"\\u0000\"",
                               "\"\\ud800\"",
                               "\"\xff\"",
                               "\"\\n\\u001b[2J\"",
                               "\"*\"",
                               "\"\\u202e\\\"\"",
                               "\"<b>|`\"",
                               "'x'",
                               "\"a\\/b\"",
                               "\"seen == 0 && x != 1\""};
const char* const marks[] = {"{",          "}", "[",  "]",   ",",      ":", "=", "\n",
                             "[[waiver]]", "#", "\"", "'''", "\"\"\"", ".", "["};

} // namespace

TokenMutator::TokenMutator(std::vector<std::string> seeds, std::uint32_t seed)
    : random_(seed), corpus_(std::move(seeds)), given_(corpus_.size()), known_(5) {
    for (const char* number : numbers) {
        known_[static_cast<std::size_t>(Kind::number)].emplace_back(number);
    }
    for (const char* text : strings) {
        known_[static_cast<std::size_t>(Kind::string)].emplace_back(text);
    }
    for (const char* mark : marks) {
        known_[static_cast<std::size_t>(Kind::mark)].emplace_back(mark);
    }
    for (const char* word : {"true", "false", "null", "nan", "inf"}) {
        known_[static_cast<std::size_t>(Kind::word)].emplace_back(word);
    }
    for (const std::string& text : corpus_) {
        learn(tokens_of(text));
    }
}

TokenMutator::Tokens TokenMutator::tokens_of(std::string_view text) {
    Tokens tokens;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        Kind kind = Kind::mark;
        if (text[at] == '"' || text[at] == '\'') {
            kind = Kind::string;
            while (end < text.size() && text[end] != text[at] && text[end] != '\n') {
                end += text[end] == '\\' ? 2 : 1;
            }
            end = std::min(end + 1, text.size());
        } else if (text[at] == ' ' || text[at] == '\n') {
            kind = Kind::blank;
            while (end < text.size() && (text[end] == ' ' || text[end] == '\n')) {
                ++end;
            }
        } else if (is_word_character(text[at])) {
            while (end < text.size() && is_word_character(text[end])) {
                ++end;
            }
            kind = is_number(std::string(text.substr(at, end - at))) ? Kind::number : Kind::word;
        }
        tokens.push_back({kind, std::string(text.substr(at, end - at))});
        at = end;
    }
    return tokens;
}

void TokenMutator::learn(const Tokens& tokens) {
    for (const Token& token : tokens) {
        auto& known = known_[static_cast<std::size_t>(token.kind)];
        if (known.size() < most_known && token.text.size() < 200 &&
            std::find(known.begin(), known.end(), token.text) == known.end()) {
            known.push_back(token.text);
        }
    }
}

void TokenMutator::keep(std::string text) {
    if (corpus_.size() < given_ + most_kept) {
        corpus_.push_back(std::move(text));
    } else {
        corpus_[given_ + choose_.below(most_kept)] = std::move(text);
    }
}

TokenMutator::Token TokenMutator::other(const Token& token) {
    const Kind kind = choose_.chance(92) ? token.kind : static_cast<Kind>(choose_.below(known_.size()));
    const auto& known = known_[static_cast<std::size_t>(kind)];
    return {kind, known.empty() ? token.text : choose_.pick(known)};
}

void TokenMutator::change_tokens(Tokens& tokens) {
    if (tokens.empty()) {
        tokens.push_back(other({Kind::mark, ""}));
        return;
    }
    const std::size_t at = choose_.below(tokens.size());
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    const auto length = static_cast<std::ptrdiff_t>(
        std::min<std::size_t>(tokens.size() - at, 1 + choose_.below(choose_.chance(80) ? 12 : 200)));
    switch (choose_.below(10)) {
    case 0:
        tokens.erase(place, place + (choose_.chance(50) ? 1 : length));
        break;
    case 1: {
        const Tokens copy(place, place + length);
        tokens.insert(tokens.begin() + choose_.below(tokens.size()), copy.begin(), copy.end());
        break;
    }
    case 2: {
        // A part of another text.
        const Tokens source = tokens_of(choose_.pick(corpus_));
        if (!source.empty()) {
            const std::size_t from = choose_.below(source.size());
            const std::size_t to = std::min(source.size(), from + 1 + choose_.below(40));
            tokens.insert(place, source.begin() + static_cast<std::ptrdiff_t>(from),
                          source.begin() + static_cast<std::ptrdiff_t>(to));
        }
        break;
    }
    case 3:
        std::swap(*place, tokens[choose_.below(tokens.size())]);
        break;
    case 4:
        tokens.insert(place, other(*place));
        break;
    case 5: {
        // Deep, or long.
        const Token repeated = *place;
        tokens.insert(place, std::size_t{1} << choose_.below(12), repeated);
        break;
    }
    default:
        *place = other(*place);
    }
}

void TokenMutator::change_bytes(std::string& text) {
    const std::size_t at = choose_.below(text.size() + 1);
    switch (choose_.below(3)) {
    case 0:
        if (at < text.size()) {
            text[at] = static_cast<char>(choose_.below(256));
        }
        break;
    case 1:
        text.erase(at, 1 + choose_.below(20));
        break;
    default:
        text.insert(at, 1, static_cast<char>(choose_.below(256)));
    }
}

std::string TokenMutator::next() {
    std::string text = choose_.pick(corpus_);
    Tokens tokens = tokens_of(text);
    for (unsigned edits = choose_.chance(60) ? 1 : 2 + choose_.below(4); edits > 0; --edits) {
        change_tokens(tokens);
    }
    text.clear();
    for (const Token& token : tokens) {
        text += token.text;
    }
    if (choose_.chance(10)) {
        change_bytes(text);
    }
    return text;
}

} // namespace pdlcts
