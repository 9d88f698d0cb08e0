// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/random_choice.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <vector>

/// Texts that are nearly files of the language; for tests only.
namespace pdlcts {

/// Changes files by bytes, by words and numbers, and by lines: those of other files, and new ones of every form that
/// the language has. The same seed and the same calls give the same texts.
class Mutator {
public:
    Mutator(std::vector<std::string> corpus, std::uint32_t seed);

    std::string next();
    /// A text to start from later on. Their number is bounded.
    void keep(std::string text);

private:
    using Lines = std::vector<std::string>;

    std::string fresh();
    void change_bytes(std::string& text);
    void change_word(std::string& text);
    void change_number(std::string& text);
    void change_lines(Lines& lines);
    std::string new_line(const Lines& lines);
    std::string name_in(const Lines& lines);
    std::string number();

    std::mt19937 random_;
    Chooser choose_{random_};
    std::vector<std::string> corpus_;
    std::size_t given_;
    std::vector<std::string> words_;
};

} // namespace pdlcts
