// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/words.hpp"
#include "conformance/support/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// One line under the parser's eye. Internal to conformance/litmus.
namespace pdlcts {

/// What is wrong with a text, and where. Thrown inside the parser only: its public functions return Error.
struct SyntaxFailure {
    std::size_t line = 0;
    std::size_t column = 0;
    std::string what;
    std::string expected;
    std::string found;
};

/// Where a line of the text, or a word in it, begins.
struct Place {
    std::size_t line = 0;
    std::size_t column = 0;
};

/// Throws: what stands at a place breaks a rule that takes more than one line to check.
[[noreturn]] void fail_at(const Place& place, std::string_view what, std::string expected, std::string found);

Error to_error(const SyntaxFailure& failure, std::string_view file_name);

/// `'word'`, shortened where a stranger's file holds a long one.
std::string quoted(std::string_view text);

/// `'a', 'b' or 'c'`.
template <typename Enumeration, std::size_t Size>
std::string listed(const Spelling<Enumeration> (&table)[Size]) {
    std::string text;
    for (std::size_t index = 0; index < Size; ++index) {
        text += index == 0 ? "" : index + 1 == Size ? " or " : ", ";
        text += quoted(table[index].word);
    }
    return text;
}

/// Reads the tokens of one line from left to right. Blanks before a token are skipped; a function that does not find
/// what it was asked for leaves the cursor where it was, or throws SyntaxFailure.
class Cursor {
public:
    /// `column` is the place of the text's first character in its line, counted from 1.
    Cursor(std::string_view text, std::size_t line, std::size_t column);

    std::size_t line() const { return line_; }
    /// The place of the next token.
    std::size_t column() const { return first_column_ + position_; }
    Place place() const { return {line_, column()}; }
    bool at_end() const { return position_ == text_.size(); }
    bool at(std::string_view punctuation) const { return rest().starts_with(punctuation); }
    /// The run of letters, digits and underscores that comes next; may be empty.
    std::string_view peek_word() const;

    bool accept_word(std::string_view word);
    bool accept(std::string_view punctuation);
    void expect(std::string_view punctuation, std::string_view what);
    void expect_end(std::string_view what);

    /// A name that is not a word of the language.
    std::string name(std::string_view kind);
    /// The id of a statement: `trigger.kickoff-requires-all-blocks`.
    std::string statement_id();
    /// A repository on GitHub: `NVIDIA/cccl`.
    std::string repository();
    /// A decimal number in [smallest, largest].
    std::uint64_t number(std::string_view kind, std::uint64_t smallest, std::uint64_t largest);
    /// The same with a sign: `-1`.
    std::int64_t integer(std::string_view kind, std::int64_t smallest, std::int64_t largest);
    /// `500ns`, in nanoseconds.
    std::uint64_t duration(std::string_view kind);

    /// One of the words of a table.
    template <typename Enumeration, std::size_t Size>
    Enumeration one_of(const Spelling<Enumeration> (&table)[Size], std::string_view what) {
        const std::string_view word = peek_word();
        for (const auto& entry : table) {
            if (entry.word == word) {
                accept_word(word);
                return entry.value;
            }
        }
        fail(what, listed(table));
    }

    /// Whether another qualifier follows: a dot with no blank before it.
    bool at_qualifier() const;
    /// `.gpu`: a dot, and one of the words of a table, without blanks.
    template <typename Enumeration, std::size_t Size>
    Enumeration qualifier(const Spelling<Enumeration> (&table)[Size], std::string_view what) {
        if (!at_qualifier()) {
            fail(what, "'.' and " + listed(table));
        }
        advance(1, false);
        return one_of(table, what);
    }

    /// `.async`: a dot and this very word.
    void expect_qualifier(std::string_view word, std::string_view what) {
        const Spelling<bool> table[] = {{word, true}};
        qualifier(table, what);
    }

    /// Throws: the next token is not what is expected here.
    [[noreturn]] void fail(std::string_view what, std::string expected) const;

private:
    std::string_view next_token() const;
    std::string found() const;
    std::string_view rest() const { return text_.substr(position_); }
    void advance(std::size_t characters, bool skip_blanks = true);

    std::string_view text_;
    std::size_t line_;
    std::size_t first_column_;
    std::size_t position_ = 0;
};

} // namespace pdlcts
