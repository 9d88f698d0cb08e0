// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/diff.hpp"
#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

const CellDifference* find(const ResultsDifference& difference, std::string_view case_id) {
    for (const CellDifference& cell : difference.cells) {
        if (cell.key.case_id == case_id) {
            return &cell;
        }
    }
    return nullptr;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

constexpr const char* never_id = "visibility.after-wait/post-trigger";

} // namespace

TEST_CASE("a file differs from itself in nothing, in whatever order its cells stand") {
    const Results results = one_of_each();
    Results shuffled = results;
    std::shuffle(shuffled.cells.begin(), shuffled.cells.end(), std::mt19937(5));
    for (const Results& other : {results, shuffled}) {
        const ResultsDifference same = difference(results, other);
        CHECK(same.cells.empty());
        CHECK(same.suite.empty());
        CHECK(same.environment.empty());
        CHECK(same.compared == 6);
        CHECK(contains(difference_text(same), "6 cells in both files: no cell differs"));
    }
}

TEST_CASE("what changed between two drivers is named: verdicts, cells, facts") {
    const Results before = one_of_each();
    Results after = before;
    after.environment.driver_version = "590.10";
    after.environment.variables["CUDA_LAUNCH_BLOCKING"] = "1";
    after.cells[0].form.program.tally.outcomes["overlapped=1 seen=0"] = 3; // breaks never
    after.cells.erase(after.cells.begin() + 1);                            // gone
    after.cells.push_back(named(never_cell(), "wait/new", "wait.new"));    // appeared
    after.native[0].probes[1].found = "cudaErrorInvalidValue";             // another answer, another verdict?
    const ResultsDifference changed = difference(before, after);
    CHECK(changed.environment == std::vector<FactDifference>{{"driver_version", "580.159.04", "590.10"},
                                                             {"variables.CUDA_LAUNCH_BLOCKING", "", "1"}});
    CHECK(changed.suite.empty());
    const CellDifference* worse = find(changed, never_id);
    REQUIRE(worse != nullptr);
    CHECK(worse->verdict_changed());
    CHECK(worse->direction == Direction::worse);
    CHECK(worse->before->judgement.verdict == Verdict::pass);
    CHECK(worse->after->judgement.verdict == Verdict::fail);
    CHECK(worse->rates.empty()); // three of two thousand are no more than noise, and a FAIL all the same
    const CellDifference* gone = find(changed, "trigger.allows-overlap/hand-shake");
    REQUIRE(gone != nullptr);
    CHECK(gone->gone());
    const CellDifference* appeared = find(changed, "wait/new");
    REQUIRE(appeared != nullptr);
    CHECK(appeared->appeared());
    const CellDifference* native = find(changed, "graph-query/get-edges-lossy");
    REQUIRE(native != nullptr);
    CHECK(native->answers ==
          std::vector<AnswerChange>{{"differs: edges, none annotated", "cudaSuccess", "cudaErrorInvalidValue"}});
    CHECK(changed.cells.size() == 4);

    const std::string text = difference_text(changed);
    CHECK(contains(text, "environment driver_version: 580.159.04, now 590.10"));
    CHECK(contains(text, "5 cells in both files, 1 worse, 1 gone, 1 appeared, 1 of other evidence"));
    CHECK(contains(text,
                   "before: PASS (0 of 2000 trials match the claim, 2000 armed; in the control 1990 of 2000 armed"));
    CHECK(contains(difference_markdown(changed), "### Verdict worse"));
    const Json json = *parse_json(difference_json(changed), "diff");
    CHECK(json.find("cells")->as<Json::List>()->size() == 4);
}

TEST_CASE("a cell of another case is stale, and its verdict no news of the device") {
    const Results before = one_of_each();
    Results after = before;
    after.cells[0].digest = std::string(64, 'd');
    after.cells[0].form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
    // The lists of cases are equal: the same case, compiled to other code.
    const ResultsDifference other_code = difference(before, after);
    REQUIRE(other_code.cells.size() == 1);
    CHECK(other_code.cells[0].comparability == Comparability::same_case);
    CHECK_FALSE(other_code.cells[0].stale());
    CHECK(other_code.other_code == 1);
    after.suite.cases_digest = std::string(64, 'e');
    const ResultsDifference stale = difference(before, after);
    REQUIRE(stale.cells.size() == 1);
    CHECK(stale.cells[0].stale());
    CHECK(stale.stale == 1);
    CHECK(contains(difference_text(stale), "Not comparable"));
    CHECK_FALSE(contains(difference_text(stale), "Verdict worse"));
}

TEST_CASE("the same verdict by other evidence is noticed beyond noise, and not within") {
    const Results before = one_of_each();
    Results after = before;
    after.cells[1].form.program.tally.outcomes = {{"seen=0", 1500}, {"seen=1", 500}}; // 2 % to 25 %
    const ResultsDifference changed = difference(before, after);
    REQUIRE(changed.cells.size() == 1);
    CHECK(changed.cells[0].rates == std::vector<RateChange>{{"violations", {40, 2000}, {500, 2000}}});
    after.cells[1].form.program.tally.outcomes = {{"seen=0", 1900}, {"seen=1", 100}}; // to 5 %
    CHECK(difference(before, after).cells.empty());

    CHECK(beyond_noise({0, 100}, {50, 100}));
    CHECK_FALSE(beyond_noise({0, 10}, {5, 10}));   // too few to tell
    CHECK_FALSE(beyond_noise({0, 0}, {100, 100})); // nothing to compare with
    CHECK_FALSE(beyond_noise({0, 100000}, {19000, 100000}));
    CHECK(beyond_noise({0, 100000}, {21000, 100000}));
    CHECK_FALSE(beyond_noise({100, 100}, {100, 100}));
}

TEST_CASE("an answer that is only noted may differ in numbers by a fifth; what is judged, and words, may not") {
    Results before = one_of_each();
    before.native[0].probes = {{ProbeKind::noted, "gap", {}, "median 1000 ns of 100 trials"},
                               {ProbeKind::holds, "count", {"100"}, "100"}};
    const auto answers = [&](const char* noted, const char* held) {
        Results after = before;
        after.native[0].probes[0].found = noted;
        after.native[0].probes[1].found = held;
        const ResultsDifference changed = difference(before, after);
        return changed.cells.empty() ? std::size_t{0} : changed.cells[0].answers.size();
    };
    CHECK(answers("median 1190 ns of 99 trials", "100") == 0);
    CHECK(answers("median 1300 ns of 100 trials", "100") == 1);
    CHECK(answers("median 1000 us of 100 trials", "100") == 1);
    CHECK(answers("median 1000 ns of 100 trials, 0 old", "100") == 1);
    CHECK(answers("median -1000 ns of 100 trials", "100") == 1);
    CHECK(answers("median 1000 ns of 100 trials", "99") == 1);
}

TEST_CASE("of two cells of one name neither order hides a FAIL") {
    Results results = one_of_each();
    Cell failing = results.cells[0];
    failing.form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
    results.cells.push_back(failing);
    CHECK(summarise(results).at({never_id, "stream"}).judgement.verdict == Verdict::fail);
    std::reverse(results.cells.begin(), results.cells.end());
    CHECK(summarise(results).at({never_id, "stream"}).judgement.verdict == Verdict::fail);
}

TEST_CASE("better and worse are about what is shown, and nothing shown is no better than a FAIL") {
    CHECK(direction(Verdict::pass, Verdict::fail) == Direction::worse);
    CHECK(direction(Verdict::pass, Verdict::vacuous) == Direction::worse);
    CHECK(direction(Verdict::observed, Verdict::not_observed) == Direction::worse);
    CHECK(direction(Verdict::vacuous, Verdict::crash) == Direction::worse);
    CHECK(direction(Verdict::fail, Verdict::pass) == Direction::better);
    CHECK(direction(Verdict::missing, Verdict::recorded) == Direction::better);
    CHECK(direction(Verdict::fail, Verdict::vacuous) == Direction::neither);
    CHECK(direction(Verdict::fail, Verdict::not_supported) == Direction::neither);
    CHECK(direction(Verdict::fail, Verdict::timeout) == Direction::neither);
}

TEST_CASE("strings of a stranger's file steer neither terminal nor page nor JSON") {
    Results before = one_of_each();
    Results after = before;
    after.cells[0].case_id = "<script>|\x1b[2J\nx\xff";
    after.environment.gpu = "A | <b>\x07";
    const ResultsDifference changed = difference(before, after);
    CHECK_FALSE(contains(difference_text(changed), "\x1b"));
    CHECK_FALSE(contains(difference_markdown(changed), "<script>"));
    CHECK_FALSE(contains(difference_markdown(changed), "<b>"));
    CHECK(parse_json(difference_json(changed), "diff"));
}
