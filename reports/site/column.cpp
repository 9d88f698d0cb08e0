// SPDX-License-Identifier: Apache-2.0
#include "reports/site/column.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"
#include "reports/site/address.hpp"

#include <algorithm>
#include <charconv>

namespace pdlcts::site {
namespace {

constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_reason = 300;

bool is_expected(Verdict verdict) {
    return verdict == Verdict::pass || verdict == Verdict::observed || verdict == Verdict::proved;
}

void add_latency(const Cell& cell, ColumnCell& summary) {
    if (cell.latency.empty()) {
        return;
    }
    const Latency& first = cell.latency.front();
    summary.pair = concat(plain_text(first.primary, 40), ", ", plain_text(first.secondary, 40));
    summary.begin = first.begin;
    summary.wait_return = first.wait_return;
}

/// The cells of one statement, or of one row that the ledger does not have.
struct Row {
    std::vector<Verdict> verdicts;
    bool stale = false;
};

ColumnEntry entry_of(const Row& row) {
    return {worst(row.verdicts), row.stale};
}

class Builder {
public:
    Builder(const SuiteIndex& index, Column& column)
        : index_(index), column_(column), rows_(index.statements().size()) {}

    void add(const Cell& cell, const Judgement& judgement) {
        ColumnCell summary;
        summary.verdict = judgement.verdict;
        summary.quick = cell.thresholds.quick;
        summary.trials = judgement.trials;
        summary.armed = judgement.armed;
        summary.violations = judgement.violations;
        summary.control_trials = judgement.control_trials;
        summary.control_armed = judgement.control_armed;
        summary.control_armed_violations = judgement.control_armed_violations;
        summary.upper_bound = judgement.upper_bound;
        column_.trials += judgement.trials + judgement.control_trials;
        column_.on_gpu = column_.on_gpu || !cell.machine;
        add_latency(cell, summary);
        const auto place = index_.find_case(cell.case_id);
        // A user's own file names no statement, whatever its path is.
        const bool known = place && !index_.view().cases[*place].native && !cell.statement.empty();
        add(cell, judgement, std::move(summary), known ? std::optional(key_of(*place, cell.form.route)) : std::nullopt,
            index_.view().currency);
    }
    void add(const NativeCell& cell, const Judgement& judgement) {
        ColumnCell summary;
        summary.verdict = judgement.verdict;
        const auto place = index_.find_case(cell.case_id);
        const bool known = place && index_.view().cases[*place].native;
        add(cell, judgement, std::move(summary), known ? std::optional(native_key(*place)) : std::nullopt,
            index_.view().native_currency);
    }
    void finish() {
        std::stable_sort(column_.cells.begin(), column_.cells.end(),
                         [](const ColumnCell& one, const ColumnCell& other) { return one.key < other.key; });
        // Of two cells of one case and route `verify` complains; the first is shown.
        column_.cells.erase(
            std::unique(column_.cells.begin(), column_.cells.end(),
                        [](const ColumnCell& one, const ColumnCell& other) { return one.key == other.key; }),
            column_.cells.end());
        column_.entries.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!rows_[i].verdicts.empty()) {
                column_.entries[i] = entry_of(rows_[i]);
                ++column_.totals[column_.entries[i]->verdict.verdict];
            }
        }
        for (const auto& [label, row] : others_) {
            column_.others.emplace(label, entry_of(row));
            ++column_.totals[column_.others.at(label).verdict.verdict];
        }
    }

private:
    const SuiteIndex& index_;
    Column& column_;
    std::vector<Row> rows_;
    std::map<std::string, Row> others_;

    template <typename AnyCell, typename Currencies>
    void add(const AnyCell& cell, const Judgement& judgement, ColumnCell summary, std::optional<CellKey> key,
             const Currencies& currency) {
        if (key) {
            summary.currency = currency(cell);
        } else {
            ++column_.other_cells;
        }
        if (Row* row = row_of(cell.statement, cell.case_id)) {
            row->verdicts.push_back(judgement.verdict);
            row->stale = row->stale || summary.currency == Currency::stale;
        }
        if (key) {
            summary.key = *key;
            summary.reason = is_expected(judgement.verdict) ? "" : plain_text(judgement.reason, longest_reason);
            column_.cells.push_back(std::move(summary));
        }
    }
    Row* row_of(const std::string& statement, const std::string& case_id) {
        if (const auto place = index_.find_statement(statement)) {
            return &rows_[*place];
        }
        const std::string label = plain_text(statement.empty() ? case_id : statement, longest_name);
        const auto known = others_.find(label);
        if (known == others_.end() && others_.size() == most_other_rows) {
            return nullptr;
        }
        return &others_[label];
    }
};

void add_remarks(const Results& results, Column& column) {
    if (!results.every_case) {
        column.remarks.emplace_back("a run of selected cases");
    }
    if (std::any_of(results.cells.begin(), results.cells.end(),
                    [](const Cell& cell) { return cell.thresholds.quick; })) {
        column.remarks.emplace_back("a quick run, where PASS needs 100 armed trials instead of 1000");
    }
    for (const auto& [variable, value] : results.environment.variables) {
        if (column.remarks.size() < 20) {
            column.remarks.push_back(concat(plain_text(variable, longest_name), "=", plain_text(value, longest_name)));
        }
    }
    for (const auto& [what, state] :
         {std::pair("MPS", &results.environment.mps), {"MIG", &results.environment.mig_mode}}) {
        if (*state == "on") {
            column.remarks.push_back(concat(what, " on"));
        }
    }
    if (results.environment.fault) {
        column.remarks.push_back("no GPU ran: executions of the abstract machine were sampled, fault " +
                                 plain_text(*results.environment.fault, longest_name));
    } else if (!column.on_gpu) {
        column.remarks.emplace_back("no GPU ran");
    }
    if (column.differences != 0) {
        column.remarks.push_back(
            concat("the file does not hold: pdlcts verify finds ", column.differences, " differences"));
    }
}

} // namespace

std::string title_of(const Column& column) {
    std::string title = column.gpu;
    title += column.driver.empty() ? "" : ", driver " + column.driver;
    return title + (column.toolkit.empty() ? "" : ", toolkit " + column.toolkit);
}

Column make_column(const Results& results, const JudgedResults& judged, const SuiteIndex& index,
                   std::size_t differences, std::string_view identity) {
    const MatrixColumn named = column_of(judged);
    Column column;
    column.gpu = named.gpu.empty() ? "unnamed GPU" : named.gpu;
    column.driver = named.driver;
    column.toolkit = named.toolkit;
    column.started = plain_text(results.started, 40);
    column.when = column.started.substr(0, column.started.find('T'));
    column.name = concat(slug(column.gpu, 40), "-", slug(column.driver.empty() ? "no-driver" : column.driver, 20),
                         "-cuda", slug(column.toolkit.empty() ? "none" : column.toolkit, 30), "-", slug(identity, 10));
    column.suite = results.suite;
    column.environment = results.environment;
    column.every_case = results.every_case;
    column.seed = results.seed;
    column.seconds = results.seconds;
    column.differences = differences;
    column.same_cases = results.suite.cases_digest == index.view().suite.cases_digest;
    Builder builder(index, column);
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        builder.add(results.cells[i], judged.cells[i].judgement);
    }
    for (std::size_t i = 0; i < results.native.size(); ++i) {
        builder.add(results.native[i], judged.cells[results.cells.size() + i].judgement);
        column.on_gpu = true;
    }
    column.on_gpu = column.on_gpu && !results.environment.fault;
    builder.finish();
    add_remarks(results, column);
    return column;
}

void tell_apart(std::vector<Column>& columns) {
    std::map<std::string, std::size_t> alike;
    const auto day = [](const Column& column) { return column.started.substr(0, column.started.find('T')); };
    for (const Column& column : columns) {
        ++alike[concat(title_of(column), "\n", day(column))];
    }
    for (Column& column : columns) {
        column.when = day(column);
        const std::size_t time = column.started.find('T');
        if (alike[concat(title_of(column), "\n", day(column))] > 1 && time != std::string::npos) {
            column.when += " " + column.started.substr(time + 1, 8);
        }
    }
}

bool has_evidence(const Column& column, std::string_view section) {
    return std::find(column.sections.begin(), column.sections.end(), section) != column.sections.end();
}

const ColumnCell* find_cell(const Column& column, CellKey key) {
    const auto found = std::lower_bound(column.cells.begin(), column.cells.end(), key,
                                        [](const ColumnCell& cell, CellKey wanted) { return cell.key < wanted; });
    return found == column.cells.end() || found->key != key ? nullptr : &*found;
}

int compare_versions(std::string_view one, std::string_view other) {
    const auto take = [](std::string_view& text) {
        const std::size_t end = std::min(text.find_first_of(".-, "), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return part;
    };
    const auto number_of = [](std::string_view part) -> std::optional<std::uint64_t> {
        std::uint64_t number = 0;
        const char* const end = part.data() + part.size();
        return std::from_chars(part.data(), end, number).ptr == end ? std::optional(number) : std::nullopt;
    };
    while (!one.empty() || !other.empty()) {
        const std::string_view left = take(one);
        const std::string_view right = take(other);
        const std::optional<std::uint64_t> left_number = number_of(left);
        const std::optional<std::uint64_t> right_number = number_of(right);
        if (left_number && right_number) {
            if (*left_number != *right_number) {
                return *left_number < *right_number ? -1 : 1;
            }
        } else if (left_number || right_number) {
            return left_number ? -1 : 1; // else 9 < 10 < 1a < 9
        } else if (const int order = left.compare(right); order != 0) {
            return order;
        }
    }
    return 0;
}

bool comes_before(const Column& one, const Column& other) {
    const auto last = [](const Column& column) { return std::pair(!column.on_gpu, !column.same_cases); };
    if (last(one) != last(other)) {
        return last(one) < last(other);
    }
    if (const int order = compare_versions(one.suite.version, other.suite.version); order != 0) {
        return order > 0;
    }
    if (one.gpu != other.gpu) {
        return one.gpu < other.gpu;
    }
    if (const int order = compare_versions(one.driver, other.driver); order != 0) {
        return order > 0;
    }
    if (const int order = compare_versions(one.toolkit, other.toolkit); order != 0) {
        return order > 0;
    }
    return one.started != other.started ? one.started > other.started : one.name < other.name;
}

} // namespace pdlcts::site
