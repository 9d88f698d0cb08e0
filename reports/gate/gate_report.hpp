// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/gate/gate.hpp"

#include <string>
#include <string_view>

/// What the gate says, for a terminal, a page, a program and GitHub.
namespace pdlcts {

/// What fails and what is wrong first, then what is waived, what improved, and notes. `explain`: every cell, and why it
/// passes or fails.
std::string gate_text(const GateReport& report, bool explain);

/// The same as Markdown, for a job's summary: at most 1 MiB, which is what GitHub takes.
std::string gate_markdown(const GateReport& report, bool explain);

/// Every cell, problem and waiver, whole.
std::string gate_json(const GateReport& report);

/// Workflow commands of GitHub, a line each: `::error file=cases/trigger/x.litmus,title=...::...`. One for each problem
/// and each cell that fails, and a notice for each improvement; of many the first ten, as GitHub shows no more of one
/// step, of which the last says how many there are. `waivers_file` is where complaints of waivers point to.
std::string gate_annotations(const GateReport& report, std::string_view waivers_file);

/// `open: 700 cells pass` or `shut: 2 cells fail, 1 waiver is wrong`.
std::string gate_line(const GateReport& report);

/// The command that runs a cell again on a GPU, quoted for a shell.
std::string reproduce_command(const CellKey& key);

/// The file that says what a cell is about, from the root of the suite's repository.
std::string case_file(const CellKey& key);

} // namespace pdlcts
