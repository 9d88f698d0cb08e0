// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix/plain_text.hpp"
#include "reports/selftest/table.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::string padded(std::string text, std::size_t to) {
    text.resize(std::max(text.size(), to), ' ');
    return text;
}

std::string right(std::size_t number, std::size_t to) {
    const std::string text = std::to_string(number);
    return std::string(to > text.size() ? to - text.size() : 0, ' ') + text;
}

void add_list(std::string& text, const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) {
        return;
    }
    text += "\n" + title + "\n";
    for (const std::string& line : lines) {
        text += "  " + line + "\n";
    }
}

void add_markdown_list(std::string& text, const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) {
        return;
    }
    text += "\n**" + title + "**\n\n";
    for (const std::string& line : lines) {
        text += "- " + escape_markdown(line) + "\n";
    }
}

constexpr const char* survivors_title = "Survived: the suite did not notice";
constexpr const char* hidden_title = "Hidden: an order that the specification no longer promises, and this GPU keeps";
constexpr const char* stopped_title = "Stopped: nothing is known";
constexpr const char* not_run_title = "Could not be run";
constexpr const char* not_mutated_title =
    "Not mutated: only PASS and OBSERVED are something that a mutant can take away";

} // namespace

std::string selftest_text(const SelfTestReport& report) {
    const SelfTestTable table = build_table(report);
    std::string text = "Mutants of the suite on " + table.where + "\n\n";
    for (std::size_t index = 0; index < table.mutants.size(); ++index) {
        text += concat(right(index + 1, 4), "  ", padded(std::string(table.mutants[index]->name), 20),
                       table.mutants[index]->breaks, "\n");
    }
    std::size_t longest = 0;
    for (const SelfTestRow& row : table.rows) {
        longest = std::max(longest, row.case_id.size());
    }
    text += "\n" + std::string(longest, ' ');
    for (std::size_t index = 0; index < table.mutants.size(); ++index) {
        text += right(index + 1, 3);
    }
    text += "\n";
    for (const SelfTestRow& row : table.rows) {
        text += padded(row.case_id, longest);
        for (const char letter : row.letters) {
            text += concat("  ", letter);
        }
        text += "\n";
    }
    text += "\n";
    for (const FateLetter& letter : table.letters) {
        text += concat("  ", letter.letter, "  ", letter.meaning, "\n");
    }
    text += concat("  ", does_not_apply, "  does not apply\n");
    add_list(text, survivors_title, table.survivors);
    add_list(text, stopped_title, table.stopped);
    add_list(text, not_run_title, table.not_run);
    add_list(text, hidden_title, table.hidden);
    add_list(text, not_mutated_title, table.not_mutated);
    return text + "\n" + table.totals + "\n";
}

std::string selftest_markdown(const SelfTestReport& report) {
    const SelfTestTable table = build_table(report);
    const Suite& suite = report.sound.suite;
    std::string text = "# Mutants\n\n";
    text += concat(escape_markdown(table.where), "; suite ", escape_markdown(plain_text(suite.version)), ", git ",
                   escape_markdown(plain_text(suite.git_hash).substr(0, 12)), ".\n\n", table.totals, "\n\n");
    text += "| | mutant | what it breaks |\n|---|---|---|\n";
    for (std::size_t index = 0; index < table.mutants.size(); ++index) {
        text += concat("| ", index + 1, " | ", table.mutants[index]->name, " | ", table.mutants[index]->breaks, " |\n");
    }
    text += "\n| case |";
    std::string rule = "|---|";
    for (std::size_t index = 0; index < table.mutants.size(); ++index) {
        text += concat(" ", index + 1, " |");
        rule += "---|";
    }
    text += "\n" + rule + "\n";
    for (const SelfTestRow& row : table.rows) {
        text += "| " + escape_markdown(row.case_id) + " |";
        for (const char letter : row.letters) {
            text +=
                letter == does_not_apply ? std::string("  |") : " " + escape_markdown(std::string(1, letter)) + " |";
        }
        text += "\n";
    }
    text += "\n| | meaning |\n|---|---|\n";
    for (const FateLetter& letter : table.letters) {
        text += concat("| ", escape_markdown(std::string(1, letter.letter)), " | ", letter.meaning, " |\n");
    }
    text += "\nAn empty field: the mutant does not apply to the case. A case shows the least of its routes.\n";
    add_markdown_list(text, survivors_title, table.survivors);
    add_markdown_list(text, stopped_title, table.stopped);
    add_markdown_list(text, not_run_title, table.not_run);
    add_markdown_list(text, hidden_title, table.hidden);
    add_markdown_list(text, not_mutated_title, table.not_mutated);
    return text;
}

} // namespace pdlcts
