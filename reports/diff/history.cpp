// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/history.hpp"

#include "conformance/support/concat.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"

#include <algorithm>
#include <tuple>

namespace pdlcts {
namespace {

std::string_view take_part(std::string_view& version) {
    const std::size_t dot = std::min(version.find('.'), version.size());
    const std::string_view part = version.substr(0, dot);
    version.remove_prefix(std::min(dot + 1, version.size()));
    return part;
}

bool is_number(std::string_view part) {
    return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Of any length: leading zeros are nothing, and then the longer one is the larger.
std::weak_ordering compare_numbers(std::string_view left, std::string_view right) {
    left.remove_prefix(std::min(left.find_first_not_of('0'), left.size()));
    right.remove_prefix(std::min(right.find_first_not_of('0'), right.size()));
    return left.size() != right.size() ? left.size() <=> right.size() : std::weak_ordering(left <=> right);
}

std::string machine_of(const DatedReport& report) {
    const std::string nvrtc = plain_text(report.nvrtc_version, 40);
    std::string toolkit = concat(report.runtime_version / 1000, ".", report.runtime_version % 1000 / 10);
    toolkit += nvrtc.empty() || nvrtc == toolkit ? "" : ", NVRTC " + nvrtc;
    return concat(plain_text(report.gpu, 60), report.runtime_version == 0 ? "" : ", toolkit " + toolkit);
}

bool is_asked_for(const CellSummary& cell, std::string_view statement_pattern, std::string_view case_pattern) {
    Case named;
    named.id = cell.key.case_id;
    return (statement_pattern.empty() || matches_glob(statement_pattern, cell.statement)) &&
           (case_pattern.empty() || is_selected(named, case_pattern));
}

Comparability comparability(const DatedReport& before_report, const CellSummary& before,
                            const DatedReport& after_report, const CellSummary& after) {
    if (before.digest == after.digest) {
        return Comparability::same_code;
    }
    return before_report.cases_digest == after_report.cases_digest ? Comparability::same_case : Comparability::stale;
}

/// The reports of one machine, in order.
void add_machine(const std::string& machine, const std::vector<const DatedReport*>& reports, History& history) {
    std::string order;
    std::map<CellKey, std::vector<const DatedReport*>> having;
    for (const DatedReport* report : reports) {
        order +=
            concat(order.empty() ? "" : ", ", plain_text(report->driver.empty() ? "no driver" : report->driver, 40),
                   " (", plain_text(report->file, 200), ")");
        for (const auto& [key, cell] : report->cells) {
            having[key].push_back(report);
        }
    }
    history.machines.emplace_back(machine, order);
    for (const auto& [key, with] : having) {
        ++(with.size() > 1 ? history.cells : history.single);
        std::optional<FirstChange> first;
        for (std::size_t i = 1; i < with.size(); ++i) {
            const CellSummary& before = with[i - 1]->cells.at(key);
            const CellSummary& after = with[i]->cells.at(key);
            if (before.judgement.verdict == after.judgement.verdict) {
                continue;
            }
            if (first) {
                ++first->later;
            } else {
                first = FirstChange{.machine = machine,
                                    .key = key,
                                    .statement = after.statement,
                                    .before_file = with[i - 1]->file,
                                    .before_driver = with[i - 1]->driver,
                                    .before = before,
                                    .after_file = with[i]->file,
                                    .after_driver = with[i]->driver,
                                    .after = after,
                                    .comparability = comparability(*with[i - 1], before, *with[i], after),
                                    .later = 0};
            }
        }
        if (first) {
            history.changes.push_back(*std::move(first));
        }
    }
}

/// What a change may be due to, other than the driver.
std::string remark_on(const FirstChange& change) {
    if (change.comparability == Comparability::stale) {
        return "the case is another one in the two reports, so that this is no news of the driver";
    }
    if (change.before_driver == change.after_driver) {
        return "the driver is the same in both reports, so that this is something that shows in some runs only";
    }
    return change.comparability == Comparability::same_case ? "the same case, compiled to other code" : "";
}

} // namespace

std::weak_ordering compare_versions(std::string_view left, std::string_view right) {
    while (!left.empty() && !right.empty()) {
        const std::string_view first = take_part(left);
        const std::string_view second = take_part(right);
        const std::weak_ordering order = is_number(first) && is_number(second) ? compare_numbers(first, second)
                                                                               : std::weak_ordering(first <=> second);
        if (order != 0) {
            return order;
        }
    }
    return left.size() <=> right.size();
}

DatedReport report_of(const Results& results, std::string file, std::string_view statement_pattern,
                      std::string_view case_pattern) {
    DatedReport report{.file = std::move(file),
                       .gpu = results.environment.gpu,
                       .runtime_version = results.environment.runtime_version,
                       .nvrtc_version = results.environment.nvrtc_version,
                       .driver = results.environment.driver_version,
                       .started = results.started,
                       .cases_digest = results.suite.cases_digest,
                       .cells = summarise(results)};
    std::erase_if(report.cells,
                  [&](const auto& entry) { return !is_asked_for(entry.second, statement_pattern, case_pattern); });
    return report;
}

History history(std::vector<DatedReport> reports) {
    std::sort(reports.begin(), reports.end(), [](const DatedReport& left, const DatedReport& right) {
        const auto order = compare_versions(left.driver, right.driver);
        return order != 0 ? order < 0 : std::tie(left.started, left.file) < std::tie(right.started, right.file);
    });
    std::map<std::string, std::vector<const DatedReport*>> machines;
    for (const DatedReport& report : reports) {
        if (!report.cells.empty()) {
            machines[machine_of(report)].push_back(&report);
        }
    }
    History result;
    for (const auto& [machine, of_machine] : machines) {
        add_machine(machine, of_machine, result);
    }
    return result;
}

std::string history_text(const History& history) {
    std::string text;
    for (const auto& [machine, order] : history.machines) {
        text += concat(machine, ": ", order, "\n");
    }
    for (const FirstChange& change : history.changes) {
        text += concat("\n", plain_text(print(change.key)), ", ", change.machine, "\n  ",
                       plain_text(change.before_driver, 40), " (", plain_text(change.before_file, 200),
                       "): ", print_evidence(change.before), "\n  ", plain_text(change.after_driver, 40), " (",
                       plain_text(change.after_file, 200), "): ", print_evidence(change.after), "\n");
        const std::string remark = remark_on(change);
        text += remark.empty() ? "" : concat("  ", remark, "\n");
        text += change.later == 0
                    ? ""
                    : concat("  and ", change.later, change.later == 1 ? " later change\n" : " later changes\n");
    }
    text += concat("\n", history.changes.size(), " of ", history.cells, " cells changed");
    return text + (history.single == 0 ? "\n" : concat("; ", history.single, " are in one report only\n"));
}

std::string history_json(const History& history) {
    Json::List machines;
    for (const auto& [machine, order] : history.machines) {
        machines.push_back(Json::Object{{"machine", machine}, {"reports", order}});
    }
    Json::List changes;
    for (const FirstChange& change : history.changes) {
        const auto side = [](const std::string& file, const std::string& driver, const CellSummary& cell) {
            return Json::Object{{"file", clean_text(file)},
                                {"driver", clean_text(driver)},
                                {"verdict", name(cell.judgement.verdict)},
                                {"evidence", print_evidence(cell)}};
        };
        changes.push_back(Json::Object{{"machine", change.machine},
                                       {"case", clean_text(change.key.case_id)},
                                       {"route", clean_text(change.key.route)},
                                       {"statement", clean_text(change.statement)},
                                       {"comparability", name(change.comparability)},
                                       {"before", side(change.before_file, change.before_driver, change.before)},
                                       {"after", side(change.after_file, change.after_driver, change.after)},
                                       {"remark", remark_on(change)},
                                       {"later", std::uint64_t{change.later}}});
    }
    const Json json = Json::Object{{"schema", 1},
                                   {"machines", std::move(machines)},
                                   {"changes", std::move(changes)},
                                   {"cells", std::uint64_t{history.cells}},
                                   {"single", std::uint64_t{history.single}}};
    return print(json, JsonLayout::indented) + "\n";
}

} // namespace pdlcts
