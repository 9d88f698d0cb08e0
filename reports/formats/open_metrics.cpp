// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/formats.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/formats/statements.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/json.hpp"

#include <chrono>
#include <cstdio>
#include <utility>

namespace pdlcts {
namespace {

using Labels = std::vector<std::pair<const char*, std::string>>;

/// A label's value is any text, less what the format reads as its own.
std::string print(const Labels& labels) {
    std::string text;
    for (const auto& [name, value] : labels) {
        text += concat(text.empty() ? "{" : ",", name, "=\"");
        for (const char c : plain_text(value, 200)) {
            text += c == '\\' ? "\\\\" : c == '"' ? "\\\"" : std::string(1, c);
        }
        text += '"';
    }
    return text + '}';
}

/// All samples of one metric. No two have the same labels: the first one stands.
class Family {
public:
    Family(std::string name, const char* type, const char* help, const char* unit = "") : name_(std::move(name)) {
        head_ = concat("# TYPE ", name_, " ", type, "\n");
        head_ += *unit == '\0' ? "" : concat("# UNIT ", name_, " ", unit, "\n");
        head_ += concat("# HELP ", name_, " ", help, "\n");
        suffix_ = std::string_view(type) == "info" ? "_info" : "";
    }
    void add(const std::string& labels, double value) { samples_.emplace(labels, value); }
    void add(const std::string& labels, std::uint64_t value) { add(labels, static_cast<double>(value)); }
    std::string text() const {
        std::string text = samples_.empty() ? "" : head_;
        for (const auto& [labels, value] : samples_) {
            text += concat(name_, suffix_, labels, " ", pdlcts::print(Json(value), JsonLayout::compact), "\n");
        }
        return text;
    }

private:
    std::string name_;
    std::string head_;
    std::string suffix_;
    std::map<std::string, double> samples_;
};

/// Seconds since 1970 of `2026-11-30T12:00:00Z`; nothing of a day or an hour that does not exist.
std::optional<double> seconds_since_1970(const std::string& time) {
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    unsigned hour = 0;
    unsigned minute = 0;
    unsigned second = 0;
    if (std::sscanf(time.c_str(), "%4d-%2u-%2uT%2u:%2u:%2uZ", &year, &month, &day, &hour, &minute, &second) != 6) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (!date.ok() || hour > 23 || minute > 59 || second > 60) {
        return std::nullopt;
    }
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + second;
}

} // namespace

std::string open_metrics(std::span<const JudgedResults> files, const Ledger& ledger) {
    Family run("pdlcts_run", "info", "A results file: where it ran, and the suite that wrote it.");
    Family started("pdlcts_run_started_seconds", "gauge", "When the run began, in seconds since 1970.", "seconds");
    Family duration("pdlcts_run_duration_seconds", "gauge", "How long the run took.", "seconds");
    Family cells("pdlcts_cells", "gauge", "Cells of the run by verdict; a cell is one case on one route.");
    Family statements("pdlcts_statements", "gauge", "Statements of the specification by verdict in the run.");
    Family verdicts("pdlcts_cell_verdict", "gauge", "1 for the verdict of a cell.");
    Family trials("pdlcts_cell_trials", "gauge", "Trials of a cell's program.");
    Family violations("pdlcts_cell_violations", "gauge",
                      "Trials that violate what must never be; of what may be, those that show it.");
    Family bounds("pdlcts_cell_violation_upper_bound_ratio", "gauge",
                  "Upper bound, with 95 % confidence, on the rate of violations in armed trials.", "ratio");
    for (std::size_t i = 0; i < files.size(); ++i) {
        const JudgedResults& file = files[i];
        const std::string number = std::to_string(i + 1);
        const std::string labels = print(Labels{{"run", number}});
        run.add(print(Labels{{"run", number},
                             {"gpu", file.environment.gpu},
                             {"driver", file.environment.driver_version},
                             {"toolkit", toolkit_version(file.environment.runtime_version)},
                             {"compute_capability", std::to_string(file.environment.compute_capability)},
                             {"fault", file.environment.fault.value_or("")},
                             {"suite_version", file.suite.version},
                             {"suite_git_hash", file.suite.git_hash},
                             {"every_case", file.every_case ? "true" : "false"}}),
                std::uint64_t{1});
        if (const std::optional<double> time = seconds_since_1970(file.started)) {
            started.add(labels, *time);
        }
        duration.add(labels, file.seconds);

        std::map<Verdict, std::uint64_t> of_cells;
        std::map<std::string, const JudgedCell*> worst_cells; // of one name: the verdict that comes first
        for (const JudgedCell& cell : file.cells) {
            ++of_cells[cell.judgement.verdict];
            const JudgedCell*& known = worst_cells[print(Labels{{"run", number},
                                                                {"statement", std::string(cell.statement)},
                                                                {"case", std::string(cell.case_id)},
                                                                {"route", std::string(cell.route)}})];
            if (known == nullptr || cell.judgement.verdict < known->judgement.verdict) {
                known = &cell;
            }
        }
        for (const auto& [verdict, count] : of_cells) {
            cells.add(print(Labels{{"run", number}, {"verdict", std::string(name(verdict))}}), count);
        }
        for (const auto& [cell_labels, cell] : worst_cells) {
            const std::string verdict = concat(cell_labels.substr(0, cell_labels.size() - 1), ",verdict=\"",
                                               name(cell->judgement.verdict), "\"}");
            verdicts.add(verdict, std::uint64_t{1});
            if (cell->route != "native") {
                trials.add(cell_labels, cell->judgement.trials);
                violations.add(cell_labels, cell->judgement.violations);
                bounds.add(cell_labels, cell->judgement.upper_bound);
            }
        }
        std::map<Verdict, std::uint64_t> of_statements;
        for (const auto& [statement, verdict] : statement_verdicts(file)) {
            if (find_statement(ledger, statement) != nullptr) {
                ++of_statements[verdict.verdict];
            }
        }
        for (const auto& [verdict, count] : of_statements) {
            statements.add(print(Labels{{"run", number}, {"verdict", std::string(name(verdict))}}), count);
        }
    }
    std::string text;
    for (const Family* family :
         {&run, &started, &duration, &cells, &statements, &verdicts, &trials, &violations, &bounds}) {
        text += family->text();
    }
    return text + "# EOF\n";
}

} // namespace pdlcts
