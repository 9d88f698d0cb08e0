// SPDX-License-Identifier: Apache-2.0
// What holds of every gate, on random files, baselines and waivers.
#include "harness/catalogue/catalogue.hpp"
#include "reports/gate/gate_testing.hpp"

#include <random>
#include <set>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

using Random = std::mt19937;

std::size_t below(Random& random, std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}
bool chance(Random& random, std::size_t percent) {
    return below(random, 100) < percent;
}

constexpr const char* statements[] = {"visibility.after-wait", "trigger.allows-overlap", "wait.no-prerequisite"};

/// A sound cell, or one with something wrong.
Cell random_cell(Random& random, std::size_t index, std::size_t trouble) {
    Cell cell = named(chance(random, 30) ? sometimes_cell() : never_cell(), "", statements[index % 3]);
    cell.case_id = std::string(cell.statement) + "/case-" + std::to_string(index / 2);
    cell.form.route = index % 2 == 0 ? Route::stream : Route::captured;
    cell.digest = std::string(64, static_cast<char>('a' + below(random, 2)));
    if (!chance(random, trouble)) {
        return cell;
    }
    switch (below(random, 5)) {
    case 0:
        return failing(std::move(cell));
    case 1:
        return vacuous(std::move(cell));
    case 2:
        cell.basis = Basis::inferred;
        return cell;
    default:
        constexpr Incident incidents[] = {Incident::timeout, Incident::crash, Incident::device_error, Incident::missing,
                                          Incident::not_supported};
        return with(incidents[below(random, std::size(incidents))], std::move(cell));
    }
}

Results random_results(Random& random, std::size_t trouble) {
    Results results = passing();
    results.cells.clear();
    for (std::size_t i = 0; i < 8; ++i) {
        if (chance(random, 90)) {
            results.cells.push_back(random_cell(random, i, trouble));
        }
    }
    if (chance(random, 20)) {
        results.suite.cases_digest = std::string(64, 'd');
        results.suite.version = "0.2.0";
    }
    results.every_case = !chance(random, 10);
    results.environment.driver_version = chance(random, 80) ? "580.159.04" : "590.1";
    return results;
}

/// Some for cells of the file that need them, and others.
std::vector<Waiver> random_waivers(Random& random, const Results& results) {
    std::vector<Waiver> waivers;
    for (const Cell& cell : results.cells) {
        const Verdict verdict = judge(cell).verdict;
        if (can_be_waived(verdict) && chance(random, 40)) {
            waivers.push_back(waiver());
            waivers.back().case_pattern = cell.case_id;
            waivers.back().routes = {cell.form.route == Route::stream ? "stream" : "captured"};
            waivers.back().verdict = verdict;
        }
    }
    while (chance(random, 30)) {
        Waiver one = waiver();
        const std::string statement = statements[below(random, 3)];
        const std::string number = std::to_string(below(random, 4));
        const std::string patterns[] = {statement + "/case-" + number, statement + "/*", "*", "*/case-" + number};
        if (chance(random, 20)) {
            one.case_pattern = "";
            one.statement_pattern = statement;
        } else {
            one.case_pattern = patterns[below(random, std::size(patterns))];
        }
        if (chance(random, 50)) {
            one.routes = {chance(random, 50) ? "stream" : "captured"};
        }
        constexpr Verdict verdicts[] = {Verdict::fail, Verdict::vacuous, Verdict::crash, Verdict::missing};
        one.verdict = verdicts[below(random, std::size(verdicts))];
        one.driver = chance(random, 80) ? "580.*" : "*";
        one.expires =
            Date(std::chrono::year(chance(random, 85) ? 2027 : 2025), std::chrono::month(6), std::chrono::day(1));
        one.intermittent = chance(random, 20);
        waivers.push_back(one);
    }
    return waivers;
}

constexpr int rounds = 200;

} // namespace

TEST_CASE("a failure more never opens a gate") {
    Random random(1);
    int shut = 0;
    for (int i = 0; i < rounds; ++i) {
        Results results = random_results(random, 5);
        const Results baseline = random_results(random, 5);
        const auto waivers = random_waivers(random, results);
        const GateAllowances allow{chance(random, 50), chance(random, 50), chance(random, 50), chance(random, 50)};
        const bool open = gate_of(results, &baseline, waivers, allow).open();
        if (results.cells.empty()) {
            continue;
        }
        // One that no waiver of these is about, as an unused waiver may come to be used.
        Cell& cell = results.cells[below(random, results.cells.size())];
        cell.incident = Incident::timeout;
        cell.form.program.tally = {};
        const bool after = gate_of(results, &baseline, waivers, allow).open();
        CHECK_FALSE(after);
        shut += open ? 1 : 0;
    }
    CHECK(shut > rounds / 20); // gates that were open, and no longer are
}

TEST_CASE("a waiver hides no cell that it does not name, and no other verdict") {
    Random random(2);
    int waived = 0;
    for (int i = 0; i < rounds; ++i) {
        const Results results = random_results(random, 40);
        const Results baseline = random_results(random, 10);
        const auto waivers = random_waivers(random, results);
        const GateReport without = gate_of(results, &baseline);
        const GateReport report = gate_of(results, &baseline, waivers);
        REQUIRE(report.cells.size() == without.cells.size());
        for (std::size_t at = 0; at < report.cells.size(); ++at) {
            const CellDecision& cell = report.cells[at];
            CHECK(cell.verdict == without.cells[at].verdict);
            CHECK(cell.rule == without.cells[at].rule);
            if (cell.disposition != Disposition::waived) {
                CHECK(cell == without.cells[at]);
                continue;
            }
            ++waived;
            CHECK(without.cells[at].disposition == Disposition::fails);
            REQUIRE(cell.waiver);
            const Waiver& one = waivers[*cell.waiver];
            const bool is_named = one.case_pattern.empty() ? one.statement_pattern == cell.cell.statement
                                                           : matches_glob(one.case_pattern, cell.cell.key.case_id);
            CHECK(is_named);
            CHECK((one.routes.empty() || one.routes.front() == cell.cell.key.route));
            CHECK(one.verdict == cell.verdict);
            CHECK(one.expires >= a_day);
            CHECK(one.driver == "580.*");
            CHECK(results.environment.driver_version == "580.159.04");
        }
        // Waivers add complaints and take cells away; they open nothing else.
        CHECK(report.problems.size() >= without.problems.size());
    }
    CHECK(waived > rounds / 20);
}

TEST_CASE("against itself nothing has changed") {
    Random random(3);
    for (int i = 0; i < rounds; ++i) {
        const Results results = random_results(random, 40);
        for (const CellDecision& cell : gate_of(results, &results).cells) {
            CHECK(cell.rule != CellRule::lost_evidence);
            CHECK(cell.rule != CellRule::gone);
            CHECK(cell.rule != CellRule::no_evidence);
            CHECK_FALSE(cell.improved);
            CHECK_FALSE(cell.weaker);
            CHECK_FALSE(cell.stale);
            CHECK(cell.baseline == cell.verdict);
        }
    }
}

TEST_CASE("the order of cells changes nothing, in the file or in the baseline") {
    Random random(4);
    for (int i = 0; i < rounds; ++i) {
        Results results = random_results(random, 30);
        Results baseline = random_results(random, 30);
        if (chance(random, 30) && !results.cells.empty()) { // a second cell of one name, too
            results.cells.push_back(failing(results.cells[0]));
        }
        const auto waivers = random_waivers(random, results);
        const GateReport report = gate_of(results, &baseline, waivers);
        std::shuffle(results.cells.begin(), results.cells.end(), random);
        std::shuffle(baseline.cells.begin(), baseline.cells.end(), random);
        CHECK(gate_of(results, &baseline, waivers) == report);
    }
}

TEST_CASE("what a baseline lets pass that nothing else would, shows nothing in both") {
    Random random(5);
    int excused = 0;
    for (int i = 0; i < rounds; ++i) {
        const Results results = random_results(random, 40);
        Results baseline = random_results(random, 40);
        const GateReport without = gate_of(results);
        const GateReport report = gate_of(results, &baseline);
        for (const CellDecision& cell : report.cells) {
            const auto same = std::find_if(without.cells.begin(), without.cells.end(),
                                           [&](const CellDecision& other) { return other.cell.key == cell.cell.key; });
            if (same == without.cells.end() || same->disposition != Disposition::fails ||
                cell.disposition != Disposition::passes) {
                continue;
            }
            ++excused;
            CHECK((cell.verdict == Verdict::vacuous || cell.verdict == Verdict::missing));
            CHECK(cell.baseline == cell.verdict);
            CHECK_FALSE(cell.stale);
        }
    }
    CHECK(excused > 20);
}
