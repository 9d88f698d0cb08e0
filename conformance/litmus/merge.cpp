// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/merge.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pdlcts {

namespace {

/// Entries of the table of common subsequences. A longer pair of texts, which no person wrote, is printed as all of the
/// one and then all of the other: correct, if not short.
constexpr std::size_t largest_table = 4'000'000;

struct MarkedLine {
    char mark = ' ';
    const TextLine* line = nullptr;
};

using Lines = std::span<const TextLine>;

bool same(const TextLine& left, const TextLine& right) {
    return left.text == right.text;
}

/// entry(i, j): the length of the longest common subsequence of program[i..] and control[j..].
class SubsequenceTable {
public:
    SubsequenceTable(Lines program, Lines control)
        : width_(control.size() + 1), entries_((program.size() + 1) * width_) {
        for (std::size_t i = program.size(); i-- > 0;) {
            for (std::size_t j = control.size(); j-- > 0;) {
                entries_[i * width_ + j] =
                    same(program[i], control[j]) ? entry(i + 1, j + 1) + 1 : std::max(entry(i + 1, j), entry(i, j + 1));
            }
        }
    }
    std::uint32_t entry(std::size_t i, std::size_t j) const { return entries_[i * width_ + j]; }

private:
    std::size_t width_;
    std::vector<std::uint32_t> entries_;
};

void append(std::vector<MarkedLine>& merged, char mark, Lines lines) {
    for (const TextLine& line : lines) {
        merged.push_back({mark, &line});
    }
}

void append_difference(std::vector<MarkedLine>& merged, Lines program, Lines control) {
    std::size_t i = 0;
    std::size_t j = 0;
    if ((program.size() + 1) * (control.size() + 1) <= largest_table) {
        const SubsequenceTable table(program, control);
        while (i < program.size() && j < control.size()) {
            if (same(program[i], control[j])) {
                append(merged, ' ', program.subspan(i++, 1));
                ++j;
            } else if (table.entry(i + 1, j) >= table.entry(i, j + 1)) {
                append(merged, '-', program.subspan(i++, 1));
            } else {
                append(merged, '+', control.subspan(j++, 1));
            }
        }
    }
    append(merged, '-', program.subspan(i));
    append(merged, '+', control.subspan(j));
}

std::vector<MarkedLine> merge(Lines program, Lines control) {
    const std::size_t shorter = std::min(program.size(), control.size());
    std::size_t prefix = 0;
    while (prefix < shorter && same(program[prefix], control[prefix])) {
        ++prefix;
    }
    std::size_t suffix = 0;
    while (suffix < shorter - prefix &&
           same(program[program.size() - 1 - suffix], control[control.size() - 1 - suffix])) {
        ++suffix;
    }
    std::vector<MarkedLine> merged;
    append(merged, ' ', program.first(prefix));
    append_difference(merged, program.subspan(prefix, program.size() - prefix - suffix),
                      control.subspan(prefix, control.size() - prefix - suffix));
    append(merged, ' ', program.last(suffix));
    return merged;
}

/// A mark takes the place of two columns of indentation, so that columns stay aligned.
std::string print_marked(const MarkedLine& marked) {
    const std::string& text = marked.line->text;
    if (marked.mark == ' ') {
        return text;
    }
    return std::string{marked.mark, ' '} + text.substr(text.starts_with("  ") ? 2 : 0);
}

} // namespace

std::string print_merged(const std::vector<std::string>& heading, const std::vector<TextLine>& program,
                         const std::vector<TextLine>* control) {
    std::string text;
    for (const std::string& line : heading) {
        text += line + "\n";
    }
    const std::vector<MarkedLine> lines = control ? merge(program, *control) : merge(program, program);
    const MarkedLine* previous = nullptr;
    for (const MarkedLine& line : lines) {
        // `- grid ...` and the `+ grid ...` that replaces it stay together.
        const bool replaces = previous != nullptr && previous->line->starts_paragraph && previous->mark != line.mark &&
                              previous->mark != ' ' && line.mark != ' ';
        if (line.line->starts_paragraph && !text.empty() && !replaces) {
            text += "\n";
        }
        text += print_marked(line) + "\n";
        previous = &line;
    }
    return text;
}

} // namespace pdlcts
