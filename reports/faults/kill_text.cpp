// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/faults/kill_report.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::string padded(std::string text, std::size_t to) {
    text.resize(std::max(text.size(), to), ' ');
    return text;
}

std::string right(std::uint64_t number, std::size_t to) {
    const std::string text = std::to_string(number);
    return std::string(to > text.size() ? to - text.size() : 0, ' ') + text;
}

const char* own_case(const FaultRow& row) {
    return row.is_killed_by_its_own() ? "yes" : row.is_killed() ? "no" : "-";
}

/// A case of the fault's own statement first.
std::string first_killer(const FaultRow& row) {
    const auto own =
        std::find_if(row.cells.begin(), row.cells.end(), [](const KillingCell& cell) { return cell.is_own; });
    if (own != row.cells.end()) {
        return own->case_id;
    }
    return row.cells.empty() ? "" : row.cells.front().case_id;
}

std::string killers(const FaultRow& row) {
    const std::size_t count = row.killed_by().size();
    return count == 0 ? "nothing" : concat(first_killer(row), count > 1 ? concat(" and ", count - 1, " more") : "");
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) {
        all += (all.empty() ? "" : ", ") + text;
    }
    return all;
}

void add_rest(const KillMatrix& matrix, std::string& text) {
    for (const FaultRow& row : matrix.faults) {
        if (!row.info->equivalent_because.empty()) {
            text += concat("\nEquivalent, and not counted: ", row.info->name, ". ", row.info->equivalent_because, "\n");
        }
    }
    for (const GuaranteeRow& row : matrix.guarantees) {
        if (matrix.every_fault && row.broken_by.empty()) {
            text += concat("\nNo fault makes a case of this guarantee FAIL: ", row.statement, "\n");
        }
    }
    if (!matrix.unused.empty()) {
        text += "\nCases that kill no fault:\n";
    }
    for (const std::string& listed : matrix.unused) {
        text += "  " + listed + "\n";
    }
    if (!matrix.weak.empty()) {
        text += "\nCells that have nothing to take away, being so on the sound machine:\n";
    }
    for (const Cell& cell : matrix.weak) {
        const Judgement judgement = judge(cell);
        text += concat("  ", cell.case_id, " on ", name(cell.form.route), ": ", name(judgement.verdict), ", ",
                       judgement.reason, "\n");
    }
}

struct Group {
    const char* what;
    Fault first;
    Fault last;
};

constexpr Group groups[] = {
    {"the wait", Fault::wait_returns_at_once, Fault::wait_sees_launch_completion_events},
    {"the trigger", Fault::one_triggered_block_is_enough, Fault::release_between_grids_ignored},
    {"what lets a grid begin, and what it then sees", Fault::no_overlap, Fault::launch_completion_event_never_fires},
    {"what launches and captures make of attributes and events", Fault::pss_ignored, Fault::capture_annotates_a_join},
    {"what a graph makes of its edges", Fault::explicit_edges_treated_as_default,
     Fault::driver_launch_hides_the_prerequisite},
};

std::string broken_guarantees(const KillMatrix& matrix) {
    const auto broken = std::count_if(matrix.guarantees.begin(), matrix.guarantees.end(),
                                      [](const GuaranteeRow& row) { return !row.broken_by.empty(); });
    return concat(broken, " of ", matrix.guarantees.size(),
                  " guarantees that the machine models are broken by a fault that makes one of their own cases FAIL");
}

} // namespace

std::string score_line(const KillMatrix& matrix) {
    const std::size_t of = matrix.not_equivalent();
    // Rounded down: 100 % is all of them.
    return concat("mutation score ", matrix.killed(), "/", of, " (", of == 0 ? 0 : matrix.killed() * 100 / of, " %)");
}

std::string kills_text(const KillMatrix& matrix) {
    std::size_t longest = 5;
    for (const FaultRow& row : matrix.faults) {
        longest = std::max(longest, row.info->name.size());
    }
    std::string text = padded("fault", longest) + "  cases  FAIL  own  trials  killed by\n";
    for (const FaultRow& row : matrix.faults) {
        text += concat(padded(std::string(row.info->name), longest), "  ", right(row.killed_by().size(), 5), "  ",
                       right(row.failed_by().size(), 4), "  ", padded(own_case(row), 3), "  ",
                       right(row.trials_to_kill, 6), "  ", killers(row), "\n");
    }
    text += concat("\ncases: with a cell that has another verdict than on the sound machine (", matrix.cells,
                   " cells can have one). FAIL: those of them that fail.\nown: whether a case of the broken statement "
                   "is among them. trials: of the case that needs the fewest, median over seeds.\n");
    add_rest(matrix, text);
    return text + "\n" + broken_guarantees(matrix) + "\n" + score_line(matrix) + "\n";
}

std::string kills_markdown(const KillMatrix& matrix) {
    std::string text =
        concat("# Faulty machines\n\nWritten by the target `published_faults` from `pdlcts faults --seed ", matrix.seed,
               "`. Each fault is the abstract machine, or what a route builds, with one rule broken; every case runs "
               "on it as on "
               "a GPU, ",
               matrix.trials, " sampled executions of its program and as many of its control. No GPU took part.\n\n**",
               score_line(matrix), "**\n\n",
               "| fault | breaks | killed by | FAIL | own case | trials |\n|---|---|---|---|---|---|\n");
    for (const FaultRow& row : matrix.faults) {
        text += concat("| ", row.info->name, " | ", row.info->statement, " | ", row.killed_by().size(), " cases | ",
                       row.failed_by().size(), " | ", own_case(row), " | ", row.trials_to_kill, " |\n");
    }
    text += concat("\n*killed by*: cases with a cell whose verdict is not that of the sound machine, on which ",
                   matrix.cells,
                   " cells have one that can be lost. *FAIL*: those of them that fail; the others end in UNEXPLAINED, "
                   "VACUOUS, NOT "
                   "OBSERVED, or in a deadline that is missed. *own case*: whether one of them names the statement. "
                   "*trials*: of the "
                   "case that needs the fewest, median over seeds.\n\n## What each changes\n");
    for (const FaultRow& row : matrix.faults) {
        text += concat("\n- **", row.info->name, "** (", row.info->statement, "). ", escape_markdown(row.info->change),
                       " *How:* ", escape_markdown(row.info->cause));
        if (!row.info->reports.empty()) {
            text += concat(" *Reports:* ", escape_markdown(row.info->reports), ".");
        }
        if (row.info->takes_permission) {
            text += " It only allows less than the specification does.";
        }
        text += concat(" *Noticed by:* ", killers(row), ".\n");
    }
    text += "\n## The guarantees, and which faults make one of their own cases FAIL\n\n" + broken_guarantees(matrix) +
            ".\n\n";
    for (const GuaranteeRow& row : matrix.guarantees) {
        text += concat("- ", row.statement, ": ", joined(row.broken_by), "\n");
    }
    std::string rest;
    add_rest(matrix, rest);
    return rest.empty() ? text : text + "\n## Besides\n\n```" + rest + "```\n";
}

std::string kills_summary(const KillMatrix& matrix) {
    std::string text =
        "| faults of | faults | noticed | by a FAIL | by a case of the very statement |\n|---|---|---|---|---|\n";
    for (const Group& group : groups) {
        std::size_t all = 0;
        std::size_t killed = 0;
        std::size_t failed = 0;
        std::size_t own = 0;
        for (const FaultRow& row : matrix.faults) {
            if (row.info->fault < group.first || row.info->fault > group.last ||
                !row.info->equivalent_because.empty()) {
                continue;
            }
            ++all;
            killed += row.is_killed() ? 1 : 0;
            failed += row.failed_by().empty() ? 0 : 1;
            own += row.is_killed_by_its_own() ? 1 : 0;
        }
        text += concat("| ", group.what, " | ", all, " | ", killed, " | ", failed, " | ", own, " |\n");
    }
    return text + "\n" + broken_guarantees(matrix) + "; " + score_line(matrix) + ".\n";
}

} // namespace pdlcts
