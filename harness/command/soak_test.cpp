// SPDX-License-Identifier: Apache-2.0
#include "harness/command/soak.hpp"

#include "harness/judge/example_cells.hpp"
#include "harness/judge/judge.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("rounds add up: the sums are judged, and a violation in any of them is one") {
    const Cell first = examples::never_cell();
    Cell cell = first;
    add_round(cell, first);
    CHECK(cell.rounds == 2u);
    CHECK(judge(cell).verdict == Verdict::pass);
    CHECK(judge(cell).armed == 2 * judge(first).armed);
    CHECK(judge(cell).control_armed_violations == 2 * judge(first).control_armed_violations);
    CHECK(judge(cell).upper_bound < judge(first).upper_bound);

    Cell violated = first;
    violated.form.program.tally = first.form.control->tally;
    add_round(cell, violated);
    CHECK(judge(cell).verdict == Verdict::fail);
    add_round(cell, first);
    CHECK(judge(cell).verdict == Verdict::fail);
}

TEST_CASE("a round of something else, and one that went wrong, stay with the cell") {
    const Cell first = examples::never_cell();
    const auto after = [&](auto change) {
        Cell round = first;
        change(round);
        Cell cell = first;
        add_round(cell, round);
        return judge(cell).verdict;
    };
    CHECK(after([](Cell&) {}) == Verdict::pass);
    CHECK(after([](Cell& c) { c.digest = "other"; }) == Verdict::harness_error);
    CHECK(after([](Cell& c) { c.image = "ptx compute_90"; }) == Verdict::harness_error);
    CHECK(after([](Cell& c) { c.form.program.allowed.clear(); }) == Verdict::harness_error);
    CHECK(after([](Cell& c) { c.form.control->structure.built = {"other"}; }) == Verdict::harness_error);
    CHECK(after([](Cell& c) { c.form.control.reset(); }) == Verdict::harness_error);
    CHECK(after([](Cell& c) { c.incident = Incident::crash; }) == Verdict::crash);
    CHECK(after([](Cell& c) {
              c.incident = Incident::timeout;
              c.form.program.tally = c.form.control->tally;
          }) == Verdict::fail);
}

TEST_CASE("the weakest evidence gets the next round, and what more trials cannot change gets none") {
    Cell strong = examples::never_cell();
    Cell weak = strong;
    add_round(strong, weak);
    CHECK(weakest(std::vector{strong, weak}) == 1u);
    Cell failing = weak;
    failing.form.program.tally = weak.form.control->tally;
    Cell lost = weak;
    lost.incident = Incident::timeout;
    CHECK(weakest(std::vector{failing, lost}) == std::nullopt);
    CHECK(weakest(std::vector{failing, strong, lost}) == 1u);
    for (auto& [outcome, count] : strong.form.program.tally.outcomes) {
        count = 2 * enough_trials;
    }
    CHECK(weakest(std::vector{strong}) == std::nullopt);
}
