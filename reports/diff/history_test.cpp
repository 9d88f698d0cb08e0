// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/history.hpp"

#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

constexpr const char* case_id = "visibility.after-wait/post-trigger";

/// A report of one driver, in which the first cell has this many violations.
DatedReport report(const char* file, const char* driver, std::uint64_t violations, const char* started = "2026") {
    Results results = one_of_each();
    results.environment.driver_version = driver;
    results.started = started;
    if (violations != 0) {
        results.cells[0].form.program.tally.outcomes["overlapped=1 seen=0"] = violations;
    }
    return report_of(results, file, "visibility.*", "");
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("versions are compared as numbers, part by part") {
    const char* const ascending[] = {"",           "9.1",        "580",    "580.9",  "580.82.07",
                                     "580.159.03", "580.159.04", "590.10", "1000.1", "20000000000000000000000.1"};
    for (std::size_t i = 0; i < std::size(ascending); ++i) {
        for (std::size_t j = 0; j < std::size(ascending); ++j) {
            CAPTURE(ascending[i]);
            CAPTURE(ascending[j]);
            CHECK((compare_versions(ascending[i], ascending[j]) <=> 0) == (i <=> j));
        }
    }
    CHECK(compare_versions("580.07", "580.7") == 0);
    CHECK(compare_versions("580.beta", "580.alpha") > 0);
}

TEST_CASE("the first report in which a cell changed is named, whatever order the files come in") {
    std::vector<DatedReport> reports = {report("c.json", "580.159.04", 0), report("a.json", "580.9", 0),
                                        report("d.json", "590.10", 3),     report("e.json", "1000.1", 0),
                                        report("b.json", "580.82", 0),     report("f.json", "1000.2", 5)};
    for (unsigned seed = 0; seed < 10; ++seed) {
        std::shuffle(reports.begin(), reports.end(), std::mt19937(seed));
        const History found = history(reports);
        CHECK(found.cells == 1);
        REQUIRE(found.changes.size() == 1);
        const FirstChange& change = found.changes[0];
        CHECK(change.key == CellKey{case_id, "stream"});
        CHECK(change.before_file == "c.json");
        CHECK(change.after_file == "d.json");
        CHECK(change.before.judgement.verdict == Verdict::pass);
        CHECK(change.after.judgement.verdict == Verdict::fail);
        CHECK(change.later == 2);
        const std::string text = history_text(found);
        CHECK(
            contains(text, "NVIDIA H200, toolkit 13.0: 580.9 (a.json), 580.82 (b.json), 580.159.04 (c.json), 590.10"));
        CHECK(contains(text, "  580.159.04 (c.json): PASS (0 of 2000 trials match the claim"));
        CHECK(contains(text, "  590.10 (d.json): FAIL (3 of 2003 trials match the claim"));
        CHECK(contains(text, "  and 2 later changes\n"));
        CHECK(contains(text, "\n1 of 1 cells changed\n"));
        CHECK(parse_json(history_json(found), "history.json"));
    }
}

TEST_CASE("GPUs and toolkits have histories of their own") {
    DatedReport other_gpu = report("b.json", "590.1", 3);
    other_gpu.gpu = "NVIDIA B200";
    DatedReport other_toolkit = report("c.json", "590.1", 3);
    other_toolkit.runtime_version = 12040;
    const History found = history({report("a.json", "580.1", 0), other_gpu, other_toolkit});
    CHECK(found.machines.size() == 3);
    CHECK(found.changes.empty());
    CHECK(found.cells == 0);
    CHECK(found.single == 3);
}

TEST_CASE("a change that is not the driver's is said to be none") {
    const History same = history({report("b.json", "580.1", 3, "2026-02"), report("a.json", "580.1", 0, "2026-01")});
    REQUIRE(same.changes.size() == 1);
    CHECK(same.changes[0].after_file == "b.json");
    CHECK(contains(history_text(same), "the driver is the same in both reports"));
    DatedReport other_case = report("b.json", "590.1", 3);
    other_case.cases_digest = "other";
    other_case.cells.begin()->second.digest = "other";
    const History stale = history({report("a.json", "580.1", 0), other_case});
    REQUIRE(stale.changes.size() == 1);
    CHECK(stale.changes[0].comparability == Comparability::stale);
    CHECK(contains(history_text(stale), "no news of the driver"));
}

TEST_CASE("a statement, a case or both select the cells; a report without them is passed over") {
    const Results results = one_of_each();
    CHECK(report_of(results, "a", "", "").cells.size() == 6);
    CHECK(report_of(results, "a", "visibility.after-wait", "").cells.size() == 1);
    CHECK(report_of(results, "a", "", "post-*").cells.size() == 1);
    CHECK(report_of(results, "a", "trigger.*", "post-*").cells.empty());
    const History found =
        history({report("a.json", "580.1", 0), report_of(results, "b", "no", ""), report("c.json", "590.1", 1)});
    REQUIRE(found.changes.size() == 1);
    CHECK(found.changes[0].after_file == "c.json");
}
