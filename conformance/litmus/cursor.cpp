// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/cursor.hpp"

#include <charconv>
#include <system_error>
#include <utility>

namespace pdlcts {

namespace {

constexpr std::size_t longest_quotation = 40;

constexpr std::string_view punctuations[] = {"<<<", ">>>", "->", "==", "!=", "&&", "||", ".."};

std::size_t length_of_run(std::string_view text, bool (*belongs)(char)) {
    std::size_t length = 0;
    while (length < text.size() && belongs(text[length])) {
        ++length;
    }
    return length;
}

/// The text was found to be UTF-8 before: a character ends where no continuation byte follows.
std::size_t length_of_character(std::string_view text) {
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) {
        ++length;
    }
    return length;
}

} // namespace

void fail_at(const Place& place, std::string_view what, std::string expected, std::string found) {
    throw SyntaxFailure{place.line, place.column, std::string(what), std::move(expected), std::move(found)};
}

Error to_error(const SyntaxFailure& failure, std::string_view file_name) {
    return Error{std::string(file_name) + ":" + std::to_string(failure.line) + ":" + std::to_string(failure.column) +
                 ": " + failure.what + "; expected " + failure.expected + ", found " + failure.found};
}

std::string quoted(std::string_view text) {
    std::size_t end = 0;
    while (end < longest_quotation && end < text.size()) {
        end += length_of_character(text.substr(end));
    }
    std::string quotation("'");
    quotation.append(text.substr(0, end));
    return quotation.append(end < text.size() ? "...'" : "'");
}

Cursor::Cursor(std::string_view text, std::size_t line, std::size_t column)
    : text_(text), line_(line), first_column_(column) {
    advance(0);
}

void Cursor::advance(std::size_t characters, bool skip_blanks) {
    position_ += characters;
    if (skip_blanks) {
        position_ += length_of_run(rest(), is_blank);
    }
}

std::string_view Cursor::peek_word() const {
    return rest().substr(0, length_of_run(rest(), is_word_character));
}

std::string_view Cursor::next_token() const {
    if (const std::string_view word = peek_word(); !word.empty()) {
        return word;
    }
    for (const std::string_view punctuation : punctuations) {
        if (rest().starts_with(punctuation)) {
            return punctuation;
        }
    }
    return rest().substr(0, at_end() ? 0 : length_of_character(rest()));
}

std::string Cursor::found() const {
    return at_end() ? "the end of the line" : quoted(next_token());
}

void Cursor::fail(std::string_view what, std::string expected) const {
    throw SyntaxFailure{line_, column(), std::string(what), std::move(expected), found()};
}

bool Cursor::accept_word(std::string_view word) {
    if (peek_word() != word) {
        return false;
    }
    advance(word.size());
    return true;
}

bool Cursor::accept(std::string_view punctuation) {
    if (!rest().starts_with(punctuation)) {
        return false;
    }
    advance(punctuation.size());
    return true;
}

void Cursor::expect(std::string_view punctuation, std::string_view what) {
    if (!accept(punctuation)) {
        fail(what, quoted(punctuation));
    }
}

void Cursor::expect_end(std::string_view what) {
    if (!at_end()) {
        fail("more than " + std::string(what) + " takes", "the end of the line");
    }
}

std::string Cursor::name(std::string_view kind) {
    const std::string_view word = peek_word();
    const auto refuse = [&](std::string_view what) { fail(what, "a name for " + std::string(kind)); };
    if (word.empty() || is_digit(word.front())) {
        refuse("missing name");
    }
    if (is_keyword(word)) {
        refuse("a word of the language cannot be a name");
    }
    advance(word.size());
    return std::string(word);
}

std::string Cursor::statement_id() {
    const auto belongs = [](char character) {
        return is_word_character(character) || character == '.' || character == '-';
    };
    const std::string_view id = rest().substr(0, length_of_run(rest(), belongs));
    if (id.empty() || !is_word_character(id.front())) {
        fail("missing statement", "the id of a statement");
    }
    advance(id.size());
    return std::string(id);
}

std::string Cursor::repository() {
    const auto belongs = [](char character) {
        return is_word_character(character) || character == '.' || character == '-';
    };
    const std::size_t owner = length_of_run(rest(), belongs);
    const std::size_t name =
        rest().substr(owner).starts_with('/') ? length_of_run(rest().substr(owner + 1), belongs) : 0;
    if (owner == 0 || name == 0) {
        fail("missing repository", "an owner and a name such as 'NVIDIA/cccl'");
    }
    std::string read(rest().substr(0, owner + 1 + name));
    advance(read.size());
    return read;
}

std::uint64_t Cursor::number(std::string_view kind, std::uint64_t smallest, std::uint64_t largest) {
    const std::string_view digits = peek_word();
    const auto refuse = [&](std::string_view what) {
        fail(std::string(kind) + std::string(what), std::to_string(smallest) + " to " + std::to_string(largest));
    };
    if (digits.empty() || length_of_run(digits, is_digit) != digits.size()) {
        refuse(" is not a number");
    }
    std::uint64_t value = 0;
    for (const char digit : digits) {
        value = value * 10 + static_cast<std::uint64_t>(digit - '0');
        if (value > largest) {
            break;
        }
    }
    if (value < smallest || value > largest) {
        refuse(" is out of range");
    }
    advance(digits.size());
    return value;
}

std::int64_t Cursor::integer(std::string_view kind, std::int64_t smallest, std::int64_t largest) {
    const bool negative = at("-");
    const std::string_view digits = rest().substr(negative ? 1 : 0);
    const std::string_view word = rest().substr(0, (negative ? 1 : 0) + length_of_run(digits, is_word_character));
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < smallest || value > largest) {
        throw SyntaxFailure{line_, column(), std::string(kind) + " is not a number in range",
                            std::to_string(smallest) + " to " + std::to_string(largest),
                            word.empty() ? found() : quoted(word)};
    }
    advance(word.size());
    return value;
}

std::uint64_t Cursor::duration(std::string_view kind) {
    const auto refuse = [&](std::string_view what) {
        fail(std::string(kind) + std::string(what), "a time such as 500ns, 50us or 2ms, at most " +
                                                        std::to_string(longest_bound_nanoseconds / 1'000'000) + "ms");
    };
    const std::string_view word = peek_word();
    const std::size_t digits = length_of_run(word, is_digit);
    std::uint64_t factor = 0;
    for (const auto& unit : time_units) {
        if (word.substr(digits) == unit.word) {
            factor = unit.value;
        }
    }
    if (digits == 0 || factor == 0) {
        refuse(" is not a time");
    }
    std::uint64_t nanoseconds = 0;
    for (const char digit : word.substr(0, digits)) {
        nanoseconds = nanoseconds * 10 + static_cast<std::uint64_t>(digit - '0') * factor;
        if (nanoseconds > longest_bound_nanoseconds) {
            refuse(" is too long");
        }
    }
    advance(word.size());
    return nanoseconds;
}

bool Cursor::at_qualifier() const {
    return position_ > 0 && !is_blank(text_[position_ - 1]) && rest().starts_with('.') && !rest().starts_with("..");
}

} // namespace pdlcts
