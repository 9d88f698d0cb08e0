// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate_report.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"

#include <functional>

namespace pdlcts {
namespace {

/// Cells under one heading of a report.
struct Group {
    const char* title;
    bool (*takes)(const CellDecision&);
};
constexpr Group groups[] = {
    {"Fails", [](const CellDecision& cell) { return cell.disposition == Disposition::fails; }},
    {"Waived", [](const CellDecision& cell) { return cell.disposition == Disposition::waived; }},
    {"Improved against the baseline: a waiver or a note may go, and the baseline may be renewed",
     [](const CellDecision& cell) { return cell.improved; }},
    {"Passes, and showed more in the baseline", [](const CellDecision& cell) { return cell.weaker; }},
};

/// Beside what passes it says what it was before, where that is why it is listed.
std::string line_of(const CellDecision& cell) {
    const bool differs = (cell.improved || cell.weaker) && cell.baseline;
    return cell.why + (differs ? concat("; in the baseline ", name(*cell.baseline)) : "");
}

std::string label(const CellDecision& cell) {
    return plain_text(print(cell.cell.key));
}

std::string cell_text(const CellDecision& cell) {
    std::string text = concat("  ", label(cell), "\n      ", line_of(cell), "\n");
    if (cell.disposition == Disposition::fails) {
        text += concat("      statement: ", plain_text(cell.cell.statement.empty() ? "none" : cell.cell.statement),
                       "\n      again: ", reproduce_command(cell.cell.key), "\n");
    }
    return text;
}

/// GitHub takes a summary of 1 MiB.
constexpr std::size_t largest_markdown = 1'000'000;

std::string row_of(const CellDecision& cell) {
    const std::string mark = cell.disposition == Disposition::fails    ? "\U0001F534 "
                             : cell.disposition == Disposition::waived ? "\U0001F7E1 "
                                                                       : "\U0001F7E2 ";
    return concat("| ", mark, escape_markdown(label(cell)), " | ", escape_markdown(plain_text(cell.cell.statement)),
                  " | ", name(cell.verdict), " | ", name(cell.rule), " | ", escape_markdown(line_of(cell)), " |\n");
}

void add_table(std::string& text, const GateReport& report, const char* title,
               const std::function<bool(const CellDecision&)>& takes) {
    bool titled = false;
    std::size_t left_out = 0;
    for (const CellDecision& cell : report.cells) {
        if (!takes(cell)) {
            continue;
        }
        text += titled ? ""
                       : concat("\n### ", title,
                                "\n\n| cell | statement | verdict | rule | why |\n|---|---|---|---|---|\n");
        titled = true;
        std::string row = row_of(cell);
        if (text.size() + row.size() > largest_markdown) {
            ++left_out;
        } else {
            text += row;
        }
    }
    text += left_out == 0 ? "" : concat("\n", left_out, " cells are left out, as a page may have 1 MiB.\n");
}

} // namespace

std::string gate_text(const GateReport& report, bool explain) {
    std::string text = concat("gate ", gate_line(report), "\n", report.file_name, "\n");
    text += report.baseline_name.empty() ? "no baseline\n" : concat("baseline: ", report.baseline_name, "\n");
    for (const GateProblem& problem : report.problems) {
        text += concat("  ", name(problem.rule), ": ", problem.what, "\n");
    }
    for (const Group& group : groups) {
        bool titled = false;
        for (const CellDecision& cell : report.cells) {
            if (group.takes(cell)) {
                text += titled ? "" : concat("\n", group.title, "\n");
                titled = true;
                text += cell_text(cell);
            }
        }
    }
    if (explain) {
        text += "\nEvery cell\n";
        for (const CellDecision& cell : report.cells) {
            text += concat("  ", label(cell), ": ", name(cell.disposition), " (", name(cell.rule), "): ", line_of(cell),
                           "\n");
        }
    }
    for (const std::string& note : report.notes) {
        text += concat(&note == report.notes.data() ? "\nNotes\n  " : "  ", note, "\n");
    }
    return text;
}

std::string gate_markdown(const GateReport& report, bool explain) {
    std::string text = concat(
        "## PDL conformance gate: ", gate_line(report), "\n\n", escape_markdown(report.file_name), "; ",
        report.baseline_name.empty() ? "no baseline" : concat("baseline ", escape_markdown(report.baseline_name)),
        ".\n");
    for (const GateProblem& problem : report.problems) {
        const std::string line = concat(&problem == report.problems.data() ? "\n" : "", "- **", name(problem.rule),
                                        "**: ", escape_markdown(problem.what), "\n");
        text += text.size() + line.size() > largest_markdown ? "" : line;
    }
    for (const Group& group : groups) {
        add_table(text, report, group.title, group.takes);
    }
    if (explain) {
        add_table(text, report, "Every cell", [](const CellDecision&) { return true; });
    }
    for (const std::string& note : report.notes) {
        text += concat(&note == report.notes.data() ? "\n" : "", "- ", escape_markdown(note), "\n");
    }
    return text;
}

} // namespace pdlcts
