// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/gate/gate.hpp"
#include "reports/results/example_results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <vector>

/// Gates for tests.
namespace pdlcts::examples {

inline constexpr const char* never_id = "visibility.after-wait/post-trigger";
inline constexpr const char* sometimes_id = "trigger.allows-overlap/hand-shake";

inline const Date a_day{std::chrono::year(2026), std::chrono::month(11), std::chrono::day(30)};

inline Cell vacuous(Cell cell) {
    cell.form.control->tally.outcomes = {{"overlapped=1 seen=1", 2000}};
    return cell;
}
inline Cell failing(Cell cell) {
    cell.form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
    return cell;
}
inline Cell with(Incident incident, Cell cell) {
    const Route route = cell.form.route;
    cell.form = {};
    cell.form.route = route;
    cell.other_form.reset();
    cell.incident = incident;
    cell.incident_detail = "the last line";
    return cell;
}

/// A run that passes: PASS, OBSERVED, PASS of an equivalence, PASS of a native check.
inline Results passing() {
    Results results = one_of_each();
    std::erase_if(results.cells, [](const Cell& cell) { return cell.machine || cell.incident != Incident::none; });
    return results;
}

/// For the first cell of `passing`, where it is FAIL.
inline Waiver waiver() {
    Waiver waiver;
    waiver.case_pattern = never_id;
    waiver.gpu = "NVIDIA H200";
    waiver.driver = "580.*";
    waiver.verdict = Verdict::fail;
    waiver.reason = "known";
    waiver.link = "https://bugs.example/1";
    waiver.expires = Date(std::chrono::year(2027), std::chrono::month(5), std::chrono::day(31));
    waiver.line = 3;
    return waiver;
}

inline GateReport gate_of(const Results& results, const Results* baseline = nullptr,
                          const std::vector<Waiver>& waivers = {}, GateAllowances allow = {}) {
    GateInput input{.file = {results, {}},
                    .other_suite = false,
                    .baseline = {},
                    .waivers = waivers,
                    .today = a_day,
                    .allow = allow};
    if (baseline != nullptr) {
        input.baseline.emplace(GateFile{*baseline, {}});
    }
    return gate(input);
}

inline std::vector<GateProblemRule> rules(const GateReport& report) {
    std::vector<GateProblemRule> rules;
    for (const GateProblem& problem : report.problems) {
        rules.push_back(problem.rule);
    }
    return rules;
}

inline const CellDecision& decision_on(const GateReport& report, std::string_view case_id) {
    const auto found = std::find_if(report.cells.begin(), report.cells.end(),
                                    [&](const CellDecision& cell) { return cell.cell.key.case_id == case_id; });
    REQUIRE(found != report.cells.end());
    return *found;
}

} // namespace pdlcts::examples
