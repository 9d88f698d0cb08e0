// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix/table.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/catalogue/notes.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

constexpr std::string_view native_route = "native";
constexpr std::size_t longest_label = 60;
constexpr std::size_t longest_name = 40;

/// 13000 is 13.0, as cudaRuntimeGetVersion counts.
std::string toolkit_version(int version) {
    return version == 0 ? "" : concat(version / 1000, ".", version % 1000 / 10);
}

/// The runtime's version; the compiler's where it is of another toolkit; and whether the driver compiled further.
std::string toolkit_of(const JudgedResults& results) {
    std::string text = toolkit_version(results.environment.runtime_version);
    if (text.empty()) {
        return text;
    }
    const std::string nvrtc = plain_text(results.environment.nvrtc_version, longest_name);
    text += nvrtc.empty() || nvrtc == text ? "" : ", NVRTC " + nvrtc;
    const auto every_image = [&](auto is) {
        bool any = false;
        for (const JudgedCell& cell : results.cells) {
            if (cell.route != native_route) {
                any = true;
                if (!is(cell.image)) {
                    return false;
                }
            }
        }
        return any;
    };
    text += every_image([](std::string_view image) { return image.starts_with("ptx "); }) ? ", PTX" : "";
    // A cell without an image was not run.
    const bool intrinsics =
        every_image([](std::string_view image) { return image.empty() || image.ends_with(", intrinsics"); }) &&
        !every_image([](std::string_view image) { return image.empty(); });
    return text + (intrinsics ? ", intrinsics" : "");
}

std::string suite_name(const Suite& suite) {
    return concat(plain_text(suite.version, longest_name), ", git ", plain_text(suite.git_hash, 12).substr(0, 12),
                  suite.dirty ? " with changes" : "");
}

// ---- columns and what has to be said of them ----------------------------------------------------------------------

void tell_apart(std::span<const JudgedResults> results, std::vector<MatrixColumn>& columns) {
    const auto key = [](const MatrixColumn& column) { return std::tie(column.gpu, column.driver, column.toolkit); };
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto alike = std::count_if(columns.begin(), columns.end(),
                                         [&](const MatrixColumn& other) { return key(other) == key(columns[i]); });
        if (alike > 1) {
            columns[i].started = plain_text(results[i].started, longest_name);
        }
    }
}

std::string full_name(const MatrixColumn& column) {
    std::string text = column.gpu;
    text += column.driver.empty() ? "" : ", driver " + column.driver;
    text += column.toolkit.empty() ? "" : ", toolkit " + column.toolkit;
    return text + (column.started.empty() ? "" : ", started " + column.started);
}

/// A difference between columns of different suites may be the suite's.
void compare_suites(std::span<const JudgedResults> results, MatrixTable& table) {
    const auto differs = [&](auto member) {
        return std::any_of(results.begin(), results.end(), [&](const JudgedResults& each) {
            return member(each.suite) != member(results.front().suite);
        });
    };
    if (!differs([](const Suite& suite) { return std::tie(suite.version, suite.git_hash, suite.dirty); })) {
        table.suite = suite_name(results.front().suite);
        if (differs([](const Suite& suite) { return suite.cases_digest; })) {
            table.remarks.emplace_back("The columns ran different lists of cases.");
        }
        return;
    }
    std::string text = "The columns come from different suites, so a difference between them may be the suite's:";
    for (std::size_t i = 0; i < results.size(); ++i) {
        text += concat(i == 0 ? " " : "; ", full_name(table.columns[i]), " from ", suite_name(results[i].suite));
    }
    table.remarks.push_back(text + ".");
}

void remark_on_run(const JudgedResults& results, const MatrixColumn& column, std::vector<std::string>& remarks) {
    std::string text;
    const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
    if (!results.every_case) {
        add("a run of selected cases");
    }
    if (std::any_of(results.cells.begin(), results.cells.end(), [](const JudgedCell& cell) { return cell.quick; })) {
        add("a quick run, where PASS needs 100 armed trials instead of 1000");
    }
    for (const auto& [variable, value] : results.environment.variables) {
        add(concat(plain_text(variable, longest_name), "=", plain_text(value, longest_name)));
    }
    if (results.environment.mps == "on") {
        add("MPS on");
    }
    if (results.environment.mig_mode == "on") {
        add("MIG on");
    }
    if (!text.empty()) {
        remarks.push_back(concat(full_name(column), ": ", text, "."));
    }
}

// ---- rows ---------------------------------------------------------------------------------------------------------

/// The cells of one statement in one column.
using JudgedCells = std::vector<const JudgedCell*>;

bool is_noteworthy(Verdict verdict) {
    return verdict != Verdict::pass && verdict != Verdict::observed && verdict != Verdict::proved;
}

/// A cell that shows nothing has a written note beside what the judge says, where somebody looked into it.
std::string reason_of(const JudgedCell& cell) {
    const bool shows_nothing =
        cell.judgement.verdict == Verdict::vacuous || cell.judgement.verdict == Verdict::not_observed;
    const std::string note = shows_nothing ? note_of(cell.case_id, cell.route) : "";
    return plain_text(cell.judgement.reason) + (note.empty() ? "" : ". " + note);
}

/// The lines of a note: cells of one verdict and reason are one line.
std::vector<NoteLine> note_lines(const JudgedCells& cells) {
    std::set<std::string_view> cases;
    for (const JudgedCell* each : cells) {
        cases.insert(each->case_id);
    }
    std::vector<NoteLine> lines;
    std::map<std::pair<Verdict, std::string>, std::map<std::string, std::string>> routes;
    for (const JudgedCell* each : cells) {
        if (!is_noteworthy(each->judgement.verdict)) {
            continue;
        }
        const std::string reason = reason_of(*each);
        const std::string label = cases.size() > 1 ? plain_text(each->case_id, longest_label) : "";
        std::string& where = routes[{each->judgement.verdict, reason}][label];
        where += (where.empty() ? "" : ", ") + std::string(each->route);
    }
    for (const auto& [what, places] : routes) {
        NoteLine line{what.first, what.second, ""};
        for (const auto& [label, where] : places) {
            line.where += concat(line.where.empty() ? "" : "; ", label, label.empty() ? "" : " on ", where);
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

class Builder {
public:
    Builder(std::span<const JudgedResults> results, MatrixTable& table) : results_(results), table_(table) {
        cells_.resize(results.size());
        for (std::size_t column = 0; column < results.size(); ++column) {
            for (const JudgedCell& cell : results[column].cells) {
                cells_[column][key_of(cell)].push_back(&cell);
            }
        }
    }

    void add_ledger(const Ledger& ledger, bool every_statement) {
        for (const Section& section : ledger.sections) {
            MatrixSection shown{plain_text(section.title, longest_label), {}};
            for (const Statement& statement : section.statements) {
                if (std::optional<MatrixRow> row = take_row({statement.id, ""}, every_statement)) {
                    row->derived = statement.basis == Basis::derived;
                    table_.any_derived = table_.any_derived || row->derived;
                    shown.rows.push_back(*std::move(row));
                }
            }
            add(std::move(shown));
        }
    }
    void add_own_patterns() { add_rest("Patterns that name no statement", true); }
    void add_unknown() { add_rest("Statements that this ledger does not have", false); }

private:
    /// A statement; or, where a cell names none, a case.
    using Key = std::pair<std::string_view, std::string_view>;

    std::span<const JudgedResults> results_;
    MatrixTable& table_;
    std::vector<std::map<Key, JudgedCells>> cells_;
    std::map<std::string, std::size_t> note_numbers_;

    static Key key_of(const JudgedCell& cell) {
        return {cell.statement, cell.statement.empty() ? cell.case_id : std::string_view()};
    }

    void add(MatrixSection section) {
        if (!section.rows.empty()) {
            table_.sections.push_back(std::move(section));
        }
    }
    void add_rest(const char* title, bool own_patterns) {
        std::set<Key> keys;
        for (const auto& column : cells_) {
            for (const auto& [key, cells] : column) {
                if (key.first.empty() == own_patterns) {
                    keys.insert(key);
                }
            }
        }
        MatrixSection section{title, {}};
        for (const Key& key : keys) {
            section.rows.push_back(*take_row(key, true));
        }
        add(std::move(section));
    }
    std::optional<MatrixRow> take_row(const Key& key, bool even_if_empty) {
        MatrixRow row;
        row.label = plain_text(key.first.empty() ? key.second : key.first, longest_label);
        bool empty = true;
        for (std::size_t column = 0; column < cells_.size(); ++column) {
            const auto found = cells_[column].extract(key);
            row.entries.emplace_back();
            if (!found.empty()) {
                row.entries.back() = entry(row.label, found.mapped());
                ++table_.columns[column].totals[row.entries.back()->verdict.verdict];
                empty = false;
            }
        }
        return empty && !even_if_empty ? std::nullopt : std::optional(std::move(row));
    }
    MatrixEntry entry(const std::string& label, const JudgedCells& cells) {
        std::vector<Verdict> verdicts;
        for (const JudgedCell* each : cells) {
            verdicts.push_back(each->judgement.verdict);
        }
        return {worst(verdicts), note_number(label, note_lines(cells))};
    }
    std::size_t note_number(const std::string& label, std::vector<NoteLine> lines) {
        if (lines.empty()) {
            return 0;
        }
        std::string text;
        for (const NoteLine& line : lines) {
            text += concat(name(line.verdict), "\n", line.where, "\n", line.reason, "\n");
        }
        const auto [number, fresh] = note_numbers_.emplace(text, table_.notes.size() + 1);
        if (fresh) {
            table_.notes.push_back({{}, std::move(lines)});
        }
        std::vector<std::string>& labels = table_.notes[number->second - 1].labels;
        if (labels.empty() || labels.back() != label) {
            labels.push_back(label);
        }
        return number->second;
    }
};

} // namespace

MatrixColumn column_of(const JudgedResults& results) {
    MatrixColumn column;
    column.gpu = plain_text(results.environment.gpu, longest_name);
    column.driver = plain_text(results.environment.driver_version, longest_name);
    column.toolkit = toolkit_of(results);
    return column;
}

std::vector<std::string> shown_labels(const MatrixNote& note) {
    constexpr std::size_t most = 8;
    if (note.labels.size() <= most) {
        return note.labels;
    }
    std::vector<std::string> labels(note.labels.begin(), note.labels.begin() + most);
    labels.back() += concat(" and ", note.labels.size() - most, " more");
    return labels;
}

MatrixTable build_table(std::span<const Results> results, const Ledger& ledger, bool every_statement) {
    return build_table(judged(results), ledger, every_statement);
}

MatrixTable build_table(std::span<const JudgedResults> results, const Ledger& ledger, bool every_statement) {
    MatrixTable table;
    if (results.empty()) {
        return table;
    }
    for (const JudgedResults& each : results) {
        table.columns.push_back(column_of(each));
    }
    tell_apart(results, table.columns);
    compare_suites(results, table);
    for (std::size_t i = 0; i < results.size(); ++i) {
        remark_on_run(results[i], table.columns[i], table.remarks);
    }

    Builder builder(results, table);
    builder.add_ledger(ledger, every_statement);
    builder.add_own_patterns();
    builder.add_unknown();

    std::set<Verdict> verdicts;
    for (const MatrixColumn& column : table.columns) {
        for (const auto& [verdict, count] : column.totals) {
            verdicts.insert(verdict);
        }
    }
    table.verdicts.assign(verdicts.begin(), verdicts.end());
    return table;
}

} // namespace pdlcts
