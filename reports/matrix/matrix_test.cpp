// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix/matrix.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"
#include "reports/results/example_results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

const Ledger ledger = small_ledger();

/// The same trials on another route, with the plan that a graph has.
Cell on(Cell cell, Route route) {
    const Form form = never_form(route);
    cell.form.route = route;
    cell.form.program.structure = form.program.structure;
    cell.form.control->structure = form.control->structure;
    return cell;
}

Cell post_trigger(Route route) {
    return on(named(never_cell(), "visibility/post-trigger", "visibility.after-wait"), route);
}

Cell vacuous(Cell cell) {
    cell.form.control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
    return cell;
}

Cell failed(Cell cell) {
    cell.form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
    return cell;
}

Cell overlap() {
    return named(sometimes_cell(), "trigger/hand-shake", "trigger.allows-overlap");
}

Environment h100() {
    Environment environment = h200();
    environment.gpu = "NVIDIA H100 80GB HBM3";
    environment.driver_version = "550.54.15";
    environment.runtime_version = 12040;
    environment.nvrtc_version = "12.4";
    environment.variables.clear();
    return environment;
}

Environment quiet_h200() {
    Environment environment = h200();
    environment.variables.clear();
    return environment;
}

/// One statement that passes here and fails there, one permission, and the machine beside them.
std::vector<Results> three_columns() {
    Cell proved =
        named(machine_cell(MachineAnswer::Kind::proved, ""), "visibility/post-trigger", "visibility.after-wait");
    return {results_of(quiet_h200(), {post_trigger(Route::stream), post_trigger(Route::captured),
                                      vacuous(post_trigger(Route::edges)), overlap()}),
            results_of(h100(), {failed(post_trigger(Route::stream)), vacuous(post_trigger(Route::captured)),
                                vacuous(post_trigger(Route::edges))}),
            results_of(abstract_machine(), {proved})};
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("the matrix as text") {
    const std::string expected = R"(Programmatic Dependent Launch: conformance matrix
suite 0.1.0, git 0123456789ab

                                                             H200        H100 80GB   abstract
                                                             580.159.04  HBM3        machine
                                                             CUDA 13.0   550.54.15
                                                                         CUDA 12.4
Trigger
  trigger.allows-overlap                                     O 1/1       .           .
Visibility
  visibility.after-wait                                      P 2/3 [1]   F 1/3 [2]   + 1/1

Statements by verdict
  F  FAIL           a trial broke the statement                0           1           0
  P  PASS           holds, and its control does not            1           0           0
  O  OBSERVED       the effect was seen, not in the control    1           0           0
  +  PROVED         a consequence of the specification         0           0           1
  all                                                          2           1           1

2/3: this verdict in 2 of the statement's 3 cells; a cell is one case on one route. The first
verdict of the list above that occurs is the statement's. A dot: no cell.

Notes
[1] visibility.after-wait
      VACUOUS on edges: control not violated: 0 of 2000 trials
[2] visibility.after-wait
      FAIL on stream: 3 of 2003 trials violate the claim: overlapped=1 seen=0
      VACUOUS on captured, edges: control not violated: 0 of 2000 trials
)";
    CHECK(matrix_text(three_columns(), ledger) == expected);
}

TEST_CASE("the matrix as Markdown") {
    const std::string expected = R"(# Programmatic Dependent Launch: conformance matrix

Suite 0.1.0, git 0123456789ab.

| statement | NVIDIA H200<br>driver 580.159.04<br>toolkit 13.0 | NVIDIA H100 80GB HBM3<br>driver 550.54.15<br>toolkit 12.4 | abstract machine |
|---|---|---|---|
| **Trigger** | | | |
| trigger.allows-overlap | 🔵 O 1/1 | | |
| **Visibility** | | | |
| visibility.after-wait | 🟢 P 2/3 <sup>1</sup> | 🔴 F 1/3 <sup>2</sup> | 🟢 + 1/1 |

| statements by verdict | NVIDIA H200<br>driver 580.159.04<br>toolkit 13.0 | NVIDIA H100 80GB HBM3<br>driver 550.54.15<br>toolkit 12.4 | abstract machine |
|---|---|---|---|
| 🔴 F **FAIL**: a trial broke the statement | 0 | 1 | 0 |
| 🟢 P **PASS**: holds, and its control does not | 1 | 0 | 0 |
| 🔵 O **OBSERVED**: the effect was seen, not in the control | 1 | 0 | 0 |
| 🟢 + **PROVED**: a consequence of the specification | 0 | 0 | 1 |
| all | 2 | 1 | 1 |

`2/3`: this verdict in 2 of the statement's 3 cells; a cell is one case on one route. The first verdict of the list above that occurs is the statement's. An empty field: no cell.

## Notes

1. visibility.after-wait
    - **VACUOUS** on edges: control not violated: 0 of 2000 trials
2. visibility.after-wait
    - **FAIL** on stream: 3 of 2003 trials violate the claim: overlapped=1 seen=0
    - **VACUOUS** on captured, edges: control not violated: 0 of 2000 trials
)";
    CHECK(matrix_markdown(three_columns(), ledger) == expected);
}

TEST_CASE("colour adds escape sequences and nothing else") {
    const std::string plain = matrix_text(three_columns(), ledger);
    std::string coloured = matrix_text(three_columns(), ledger, {.colour = true});
    CHECK(holds(coloured, "\x1b[1;31mF 1/3\x1b[0m"));
    CHECK(holds(coloured, "\x1b[32mP 2/3\x1b[0m"));
    CHECK_FALSE(holds(plain, "\x1b"));
    for (std::size_t at = 0; (at = coloured.find('\x1b')) != std::string::npos;) {
        coloured.erase(at, coloured.find('m', at) - at + 1);
    }
    const std::vector<std::string> stripped = lines_of(coloured);
    const std::vector<std::string> expected = lines_of(plain);
    REQUIRE(stripped.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        CHECK(plain_text(stripped[i]) == plain_text(expected[i])); // spaces before a line's end may stay
    }
}

TEST_CASE("no two verdicts share a letter, and each has a meaning") {
    std::set<char> letters;
    for (int i = 0; i <= static_cast<int>(Verdict::missing); ++i) {
        letters.insert(letter(static_cast<Verdict>(i)));
        CHECK_FALSE(meaning(static_cast<Verdict>(i)).empty());
    }
    CHECK(letters.size() == 16);
}

TEST_CASE("any number of columns fits a page") {
    std::vector<Results> many;
    for (int i = 0; i < 11; ++i) {
        Environment environment = h100();
        environment.driver_version = "550.54." + std::to_string(i);
        many.push_back(results_of(environment, {failed(post_trigger(Route::stream)), vacuous(overlap())}));
    }
    const std::string text = matrix_text(many, ledger);
    for (const std::string& line : lines_of(text)) {
        CHECK_MESSAGE(width(line) <= 100, line);
    }
    for (int i = 0; i < 11; ++i) {
        CHECK(holds(text, "550.54." + std::to_string(i)));
    }
}

TEST_CASE("rows: with a cell, or all of the ledger") {
    const std::vector<Results> one = {results_of(h200(), {overlap()})};
    CHECK_FALSE(holds(matrix_text(one, ledger), "wait.no-prerequisite"));
    CHECK(holds(matrix_text(one, ledger, {.colour = false, .every_statement = true}), "  wait.no-prerequisite "));
    CHECK(holds(matrix_markdown(one, ledger, {.colour = false, .every_statement = true}),
                "| wait.no-prerequisite | |\n"));
}

TEST_CASE("nothing that was run is left out") {
    const std::vector<Results> one = {
        results_of(h200(), {named(never_cell(), "my-pattern.litmus", ""), named(never_cell(), "x", "no.such-statement"),
                            named(never_cell(), "other.litmus", "")})};
    const std::string text = matrix_text(one, ledger);
    CHECK(holds(text, "Patterns that name no statement\n  my-pattern.litmus "));
    CHECK(holds(text, "\n  other.litmus "));
    CHECK(holds(text, "Statements that this ledger does not have\n  no.such-statement "));
}

TEST_CASE("nothing run is nothing shown") {
    CHECK(holds(matrix_text(std::vector<Results>{}, ledger), "Nothing was run, so nothing is shown."));
    CHECK(holds(matrix_markdown(std::vector<Results>{}, ledger), "Nothing was run, so nothing is shown."));
    const std::vector<Results> empty = {results_of(h200(), {})};
    CHECK(holds(matrix_text(empty, ledger), "Nothing was run, so nothing is shown."));
    CHECK_FALSE(holds(matrix_text(empty, ledger), "PASS"));
}

TEST_CASE("columns of different suites say so") {
    std::vector<Results> columns = three_columns();
    CHECK(build_table(columns, ledger, false).remarks.empty());
    columns[1].suite.git_hash = "fedcba9876543210";
    columns[2].suite.dirty = true;
    const MatrixTable table = build_table(columns, ledger, false);
    CHECK(table.suite.empty());
    REQUIRE(table.remarks.size() == 1);
    CHECK(
        table.remarks[0] ==
        "The columns come from different suites, so a difference between them may be the suite's: NVIDIA H200, driver "
        "580.159.04, toolkit 13.0 from 0.1.0, git 0123456789ab; NVIDIA H100 80GB HBM3, driver 550.54.15, toolkit 12.4 "
        "from 0.1.0, git fedcba987654; abstract machine from 0.1.0, git 0123456789ab with changes.");
    CHECK(holds(matrix_text(columns, ledger), "! The columns come from different suites"));
    CHECK(holds(matrix_markdown(columns, ledger), "- The columns come from different suites"));

    columns = three_columns();
    columns[1].suite.cases_digest = std::string(64, 'd');
    CHECK(build_table(columns, ledger, false).remarks ==
          std::vector<std::string>{"The columns ran different lists of cases."});
}

TEST_CASE("what changes overlap, or the bar, is said") {
    Environment environment = h200();
    environment.variables = {{"CUDA_LAUNCH_BLOCKING", "1"}};
    environment.mps = "on";
    Cell quick = post_trigger(Route::stream);
    quick.thresholds = {.control_violations = 21, .program_trials = 100, .quick = true};
    const std::vector<Results> one = {results_of(environment, {quick})};
    CHECK(build_table(one, ledger, false).remarks ==
          std::vector<std::string>{
              "NVIDIA H200, driver 580.159.04, toolkit 13.0: a quick run, where PASS needs 100 armed "
              "trials instead of 1000, CUDA_LAUNCH_BLOCKING=1, MPS on."});
}

TEST_CASE("a derived statement is marked") {
    Ledger derived = ledger;
    derived.sections[2].statements[0].basis = Basis::derived;
    const std::vector<Results> one = {results_of(h200(), {post_trigger(Route::stream)})};
    CHECK(holds(matrix_text(one, derived), "  visibility.after-wait * "));
    CHECK(holds(matrix_markdown(one, derived), "| visibility.after-wait \\* | 🟢 P 1/1 |"));
    CHECK_FALSE(holds(matrix_text(one, ledger), "*"));
}

TEST_CASE("two runs of the same setup are told apart") {
    std::vector<Results> two(2, results_of(h200(), {overlap()}));
    CHECK_FALSE(holds(matrix_text(std::span(two).first(1), ledger), "2026"));
    two[1].started = "2026-12-01T09:30:00Z";
    CHECK(build_table(two, ledger, false).columns[0].started == "2026-11-30T12:00:00Z");
    CHECK(holds(matrix_markdown(two, ledger), "toolkit 13.0<br>2026-12-01T09:30:00Z |"));
}

TEST_CASE("a compiler of another toolkit, and PTX that the driver compiled, are part of the column's name") {
    Environment environment = quiet_h200();
    environment.runtime_version = 12040;
    Cell ptx = overlap();
    ptx.image = "ptx compute_90";
    Cell intrinsic = overlap();
    intrinsic.image = "sass sm_90, intrinsics";
    Cell not_run = overlap();
    not_run.image.clear();
    const std::vector<Results> columns = {results_of(environment, {overlap()}), results_of(quiet_h200(), {ptx}),
                                          results_of(quiet_h200(), {ptx, overlap()}),
                                          results_of(quiet_h200(), {intrinsic, not_run}),
                                          results_of(quiet_h200(), {not_run})};
    const MatrixTable table = build_table(columns, ledger, false);
    CHECK(table.columns[0].toolkit == "12.4, NVRTC 13.0");
    CHECK(table.columns[1].toolkit == "13.0, PTX");
    CHECK(table.columns[2].toolkit == "13.0");
    CHECK(table.columns[3].toolkit == "13.0, intrinsics");
    CHECK(table.columns[4].toolkit == "13.0");
    CHECK(table.columns[1].started.empty());
    CHECK(holds(matrix_markdown(columns, ledger), "<br>toolkit 13.0, PTX |"));
}

TEST_CASE("the same said of several statements is one note") {
    Cell lost = overlap();
    lost.incident = Incident::missing;
    lost.incident_detail = "not run: the device was lost";
    Cell lost_too = post_trigger(Route::stream);
    lost_too.incident = lost.incident;
    lost_too.incident_detail = lost.incident_detail;
    const std::vector<Results> one = {results_of(h200(), {lost, lost_too})};
    const MatrixTable table = build_table(one, ledger, false);
    REQUIRE(table.notes.size() == 1);
    CHECK(table.notes[0].labels == std::vector<std::string>{"trigger.allows-overlap", "visibility.after-wait"});

    MatrixNote note;
    note.labels = {"a", "b", "c", "d", "e", "f", "g", "h"};
    CHECK(shown_labels(note).back() == "h");
    note.labels.insert(note.labels.end(), {"i", "j"});
    CHECK(shown_labels(note).back() == "h and 2 more");
}

TEST_CASE("several cases of a statement are named in its note") {
    Cell other = vacuous(post_trigger(Route::edges));
    other.case_id = "visibility/other";
    const std::vector<Results> one = {
        results_of(h200(), {vacuous(post_trigger(Route::stream)), vacuous(post_trigger(Route::captured)), other})};
    const MatrixTable table = build_table(one, ledger, false);
    REQUIRE(table.notes.size() == 1);
    REQUIRE(table.notes[0].lines.size() == 1);
    CHECK(table.notes[0].lines[0].where == "visibility/other on edges; visibility/post-trigger on stream, captured");
}

TEST_CASE("a stranger's strings steer neither terminal nor page") {
    const std::string evil = "\x1b[2J</td>\n|<b>`[x](javascript:y)\xe2\x80\xae";
    Environment environment = h200();
    environment.gpu = evil;
    environment.driver_version = evil;
    environment.variables = {{evil, evil}};
    Cell crash = named(never_cell(), "c", evil.c_str());
    crash.incident = Incident::crash;
    crash.incident_detail = evil;
    std::vector<Results> columns = {results_of(environment, {crash}), results_of(environment, {crash})};
    columns[0].suite.version = evil;
    columns[0].started = evil;
    for (const std::string& text : {matrix_text(columns, ledger), matrix_markdown(columns, ledger)}) {
        CHECK_FALSE(holds(text, "\x1b"));
        CHECK_FALSE(holds(text, "\xe2\x80\xae"));
    }
    const std::string markdown = matrix_markdown(columns, ledger);
    CHECK_FALSE(holds(markdown, "<b>"));
    CHECK_FALSE(holds(markdown, "</td>"));
    CHECK_FALSE(holds(markdown, " [x]"));
    for (const std::string& line : lines_of(markdown)) {
        if (line.starts_with('|')) { // a table of three columns has four bars that are not escaped
            std::size_t bars = 0;
            for (std::size_t at = 0; at < line.size(); ++at) {
                bars += line[at] == '|' && (at == 0 || line[at - 1] != '\\') ? 1 : 0;
            }
            CHECK_MESSAGE(bars == 4, line);
        }
    }
}
