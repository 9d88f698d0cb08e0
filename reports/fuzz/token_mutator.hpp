// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/random_choice.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

/// Texts that are nearly JSON or TOML; for tests only.
namespace pdlcts {

/// Changes texts by tokens - strings, numbers, words, marks, line breaks - that are exchanged for others of their kind,
/// doubled, moved and left out, so that much of what comes out is still in form; and by bytes. The same seed and calls
/// give the same texts.
class TokenMutator {
public:
    TokenMutator(std::vector<std::string> seeds, std::uint32_t seed);

    std::string next();
    /// A text to start from later on. Their number is bounded.
    void keep(std::string text);

private:
    enum class Kind { string, number, word, blank, mark };
    struct Token {
        Kind kind;
        std::string text;
    };
    using Tokens = std::vector<Token>;

    static Tokens tokens_of(std::string_view text);
    void learn(const Tokens& tokens);
    Token other(const Token& token);
    void change_tokens(Tokens& tokens);
    void change_bytes(std::string& text);

    std::mt19937 random_;
    Chooser choose_{random_};
    std::vector<std::string> corpus_;
    std::size_t given_;
    std::vector<std::vector<std::string>> known_; ///< by kind
};

} // namespace pdlcts
