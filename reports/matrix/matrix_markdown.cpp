// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"

namespace pdlcts {
namespace {

/// The string is text of somebody: a label, a reason, the name of a GPU.
std::string escaped(std::string_view text) {
    return escape_markdown(text);
}

std::string heading(const MatrixColumn& column) {
    std::string text = escaped(column.gpu);
    text += column.driver.empty() ? "" : "<br>driver " + escaped(column.driver);
    text += column.toolkit.empty() ? "" : "<br>toolkit " + escaped(column.toolkit);
    return text + (column.started.empty() ? "" : "<br>" + escaped(column.started));
}

/// Markdown has no colours of its own: a disc stands before the letter, which says the same without it.
std::string_view disc(Verdict verdict) {
    switch (verdict) {
    case Verdict::pass:
    case Verdict::proved:
        return "\U0001F7E2"; // green
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::refuted:
        return "\U0001F534"; // red
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
    case Verdict::missing:
        return "\U0001F7E0"; // orange
    case Verdict::observed:
        return "\U0001F535"; // blue
    case Verdict::vacuous:
        return "\U0001F7E1"; // yellow
    case Verdict::recorded:
    case Verdict::not_observed:
    case Verdict::not_decided:
    case Verdict::not_supported:
        break;
    }
    return "\u26AA"; // white
}

std::string entry_text(const std::optional<MatrixEntry>& entry) {
    if (!entry) {
        return "";
    }
    return concat(disc(entry->verdict.verdict), " ", print(entry->verdict)) +
           (entry->note == 0 ? "" : concat(" <sup>", entry->note, "</sup>"));
}

std::string table_head(std::string_view first, const std::vector<MatrixColumn>& columns) {
    std::string names = concat("| ", first, " |");
    std::string rule = "|---|";
    for (const MatrixColumn& column : columns) {
        names += concat(" ", heading(column), " |");
        rule += "---|";
    }
    return names + "\n" + rule + "\n";
}

std::string statements(const MatrixTable& table) {
    std::string text = table_head("statement", table.columns);
    for (const MatrixSection& section : table.sections) {
        text += concat("| **", escaped(section.title), "** |");
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            text += " |";
        }
        text += '\n';
        for (const MatrixRow& row : section.rows) {
            text += concat("| ", escaped(row.label), row.derived ? " \\*" : "", " |");
            for (const auto& entry : row.entries) {
                const std::string shown = entry_text(entry);
                text += concat(" ", shown, shown.empty() ? "|" : " |");
            }
            text += '\n';
        }
    }
    return text;
}

std::string totals(const MatrixTable& table) {
    std::string text = table_head("statements by verdict", table.columns);
    for (const Verdict verdict : table.verdicts) {
        text += concat("| ", disc(verdict), " ", letter(verdict), " **", name(verdict), "**: ", meaning(verdict), " |");
        for (const MatrixColumn& column : table.columns) {
            const auto count = column.totals.find(verdict);
            text += concat(" ", count == column.totals.end() ? 0 : count->second, " |");
        }
        text += '\n';
    }
    text += "| all |";
    for (const MatrixColumn& column : table.columns) {
        std::size_t sum = 0;
        for (const auto& [verdict, count] : column.totals) {
            sum += count;
        }
        text += concat(" ", sum, " |");
    }
    return text + '\n';
}

std::string legend(const MatrixTable& table) {
    std::string text =
        "`2/3`: this verdict in 2 of the statement's 3 cells; a cell is one case on one route. The first "
        "verdict of the list above that occurs is the statement's. An empty field: no cell.\n";
    if (table.any_derived) {
        text += "\n\\*: no document says this in one sentence; it is derived from what they say.\n";
    }
    return text;
}

std::string notes(const MatrixTable& table) {
    std::string text;
    for (std::size_t i = 0; i < table.notes.size(); ++i) {
        text += concat(i + 1, ". ");
        const MatrixNote& note = table.notes[i];
        std::string labels;
        for (const std::string& label : shown_labels(note)) {
            labels += (labels.empty() ? "" : ", ") + escaped(label);
        }
        text += labels;
        text += '\n';
        for (const NoteLine& line : note.lines) {
            const std::string reason = line.reason.empty() ? "" : ": " + escaped(line.reason);
            text += concat("    - **", name(line.verdict), "** on ", escaped(line.where), reason, "\n");
        }
    }
    return text;
}

} // namespace

std::string matrix_markdown(std::span<const Results> columns, const Ledger& ledger, const MatrixStyle& style) {
    return matrix_markdown(judged(columns), ledger, style);
}

std::string matrix_markdown(std::span<const JudgedResults> columns, const Ledger& ledger, const MatrixStyle& style) {
    const MatrixTable table = build_table(columns, ledger, style.every_statement);
    std::string text = "# Programmatic Dependent Launch: conformance matrix\n";
    if (!table.suite.empty()) {
        text += concat("\nSuite ", escaped(table.suite), ".\n");
    }
    if (table.sections.empty()) {
        return text + "\nNothing was run, so nothing is shown.\n";
    }
    text += concat("\n", statements(table), "\n", totals(table), "\n", legend(table));
    if (!table.remarks.empty()) {
        text += "\n## Remarks\n\n";
        for (const std::string& remark : table.remarks) {
            text += concat("- ", escaped(remark), "\n");
        }
    }
    if (!table.notes.empty()) {
        text += concat("\n## Notes\n\n", notes(table));
    }
    return text;
}

} // namespace pdlcts
