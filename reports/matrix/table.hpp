// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "reports/results/judged.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What the matrix shows, before it is text or Markdown. Every string is plain_text already.
namespace pdlcts {

struct MatrixColumn {
    std::string gpu;     ///< `NVIDIA H200`, `abstract machine`
    std::string driver;  ///< `580.159.04`; empty on the machine
    std::string toolkit; ///< `13.0`, `12.4, NVRTC 13.0`, `13.0, PTX`; empty on the machine
    std::string started; ///< only where another column has the same three: they are then told apart by it
    std::map<Verdict, std::size_t> totals; ///< statements
};

/// A statement in a column.
struct MatrixEntry {
    StatementVerdict verdict;
    std::size_t note = 0; ///< from 1; 0 where there is none
};

struct MatrixRow {
    std::string label; ///< a statement's id; a case's where it names no statement
    bool derived = false;
    std::vector<std::optional<MatrixEntry>> entries; ///< one a column
};

struct MatrixSection {
    std::string title;
    std::vector<MatrixRow> rows;
};

/// One verdict with its reason, and where it was found: `stream, edges`, or with the case where a statement has
/// several.
struct NoteLine {
    Verdict verdict = Verdict::missing;
    std::string reason;
    std::string where;
};

/// What is to be said of an entry. Entries of which the same is to be said share a note.
struct MatrixNote {
    std::vector<std::string> labels;
    std::vector<NoteLine> lines;
};

struct MatrixTable {
    std::string suite; ///< `0.1.0, git 0123456789ab`; empty where the columns differ: then `remarks` says how
    std::vector<MatrixColumn> columns;
    std::vector<MatrixSection> sections;
    std::vector<Verdict> verdicts; ///< those that occur, in the published order
    std::vector<std::string> remarks;
    std::vector<MatrixNote> notes;
    bool any_derived = false;
};

/// GPU, driver and toolkit of a results file; `started` and the totals are not filled in.
MatrixColumn column_of(const JudgedResults& results);

MatrixTable build_table(std::span<const JudgedResults> columns, const Ledger& ledger, bool every_statement);
MatrixTable build_table(std::span<const Results> columns, const Ledger& ledger, bool every_statement);

/// The statements of a note; of many only the first, as each row names its note: `a, b and 7 more`.
std::vector<std::string> shown_labels(const MatrixNote& note);

// ---- the alphabet -------------------------------------------------------------------------------------------------

/// `P` for PASS; no two verdicts share a letter.
char letter(Verdict verdict);
/// `holds, and its control does not`.
std::string_view meaning(Verdict verdict);

/// `P 2/3`: PASS in two of three cells.
std::string print(const StatementVerdict& verdict);

} // namespace pdlcts
