// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/pictures.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/pictures/aligned.hpp"

#include <set>

namespace pdlcts {
namespace {

using Rows = std::vector<std::vector<std::string>>;

/// `primary -> memset y -> secondary`
std::string grids_of(const Latency& latency) {
    std::string text = plain_text(latency.primary);
    for (const std::string& node : latency.between) {
        text += " -> " + plain_text(node);
    }
    return text + " -> " + plain_text(latency.secondary);
}

void add_figures(std::vector<std::string>& row, const std::optional<LatencyFigures>& figures) {
    for (const auto figure : {&LatencyFigures::p5_ns, &LatencyFigures::median_ns, &LatencyFigures::p95_ns}) {
        row.push_back(figures ? std::to_string((*figures).*figure) : "");
    }
}

/// A row for each pair of grids, without a head.
Rows rows_of(const Results& results) {
    Rows rows;
    for (const Cell& cell : results.cells) {
        for (const Latency& latency : cell.latency) {
            auto& row = rows.emplace_back();
            row = {plain_text(cell.case_id), std::string(name(cell.form.route)), grids_of(latency),
                   plain_text(latency.dependency)};
            add_figures(row, latency.begin);
            add_figures(row, latency.wait_return);
            row.push_back(std::to_string(latency.begin.trials));
        }
    }
    return rows;
}

/// The steps of the clocks that the times were read from.
std::string resolution_of(const Results& results) {
    std::set<std::uint64_t> steps;
    for (const Cell& cell : results.cells) {
        if (cell.pictures && cell.pictures->resolution_ns > 0) {
            steps.insert(cell.pictures->resolution_ns);
        }
    }
    return steps.empty() ? "" : concat(", to ", *steps.begin(), " ns");
}

std::string title_of(const Results& results) {
    const std::string driver = plain_text(results.environment.driver_version);
    return plain_text(results.environment.gpu) + (driver.empty() ? "" : ", driver " + driver);
}

constexpr const char* explanation =
    "From the last instruction of a grid to the first of the next one (negative: they overlap), and to the return of "
    "its wait. Quantiles over n stamped trials, which count for no verdict.";

std::string nothing(const Results& results) {
    return title_of(results) + ": no latencies; `pdlcts run` takes them on a GPU, without --quick and --no-pictures.\n";
}

} // namespace

std::string latency_text(const Results& results) {
    Rows rows = rows_of(results);
    if (rows.empty()) {
        return nothing(results);
    }
    rows.insert(rows.begin(),
                {{"", "", "", "", "", "begin", "", "", "wait"},
                 {"case", "route", "grids", "dependency", "5 %", "median", "95 %", "5 %", "median", "95 %", "n"}});
    std::string text = concat("Latencies on ", title_of(results), ", nanoseconds", resolution_of(results), ".\n");
    for (const std::string& line : wrap(explanation, 100)) {
        text += line + "\n";
    }
    return text + "\n" + aligned(rows, 4);
}

std::string latency_markdown(const Results& results) {
    const Rows rows = rows_of(results);
    if (rows.empty()) {
        return escape_markdown(nothing(results));
    }
    std::string text = concat("Latencies on ", escape_markdown(title_of(results)), ", nanoseconds",
                              resolution_of(results), ". ", explanation, "\n\n",
                              "| case | route | grids | dependency | begin 5 % | median | 95 % | wait 5 % | median | "
                              "95 % | n |\n|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n");
    for (const auto& row : rows) {
        text += "|";
        for (const std::string& entry : row) {
            text += " " + escape_markdown(entry) + " |";
        }
        text += "\n";
    }
    return text;
}

} // namespace pdlcts
