// SPDX-License-Identifier: Apache-2.0
// Trying again, and summing rounds, never makes more of a cell than its evidence.
#include "harness/judge/example_cells.hpp"
#include "harness/judge/judge.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

Cell sound() {
    Cell cell = examples::never_cell();
    REQUIRE(judge(cell).verdict == Verdict::pass);
    return cell;
}

/// As many trials, of whose control none was violated.
Cell vacuous() {
    Cell cell = sound();
    cell.form.control->tally = cell.form.program.tally;
    REQUIRE(judge(cell).verdict == Verdict::vacuous);
    return cell;
}

Cell failing() {
    Cell cell = sound();
    cell.form.program.tally.outcomes = cell.form.control->tally.outcomes;
    REQUIRE(judge(cell).verdict == Verdict::fail);
    return cell;
}

} // namespace

TEST_CASE("a cell that was VACUOUS before is judged by what it shows now, and says that it was tried again") {
    Cell cell = sound();
    cell.tries = {vacuous()};
    CHECK(judge(cell).verdict == Verdict::pass);
    CHECK(judge(cell).reason == "tried 2 times");
    Cell still = vacuous();
    still.tries = {vacuous(), vacuous()};
    CHECK(judge(still).verdict == Verdict::vacuous);
}

TEST_CASE("no later try takes a violation back, and only a VACUOUS cell may be tried again") {
    Cell cell = sound();
    cell.tries = {vacuous(), failing()};
    CHECK(judge(cell).verdict == Verdict::fail);
    CHECK(judge(cell).reason.starts_with("try 2 of 3: "));
    cell.tries = {failing(), vacuous()};
    CHECK(judge(cell).verdict == Verdict::fail);
    cell.tries = {sound()};
    CHECK(judge(cell).verdict == Verdict::harness_error);
    Cell crashed = vacuous();
    crashed.incident = Incident::crash;
    cell.tries = {crashed};
    CHECK(judge(cell).verdict == Verdict::harness_error);
    Cell other = vacuous();
    other.claim.never += " && 1 == 1";
    cell.tries = {other};
    CHECK(judge(cell).verdict != Verdict::pass);
    Cell nested = vacuous();
    nested.tries = {vacuous()};
    cell.tries = {nested};
    CHECK(judge(cell).verdict == Verdict::harness_error);
    Cell worst = failing();
    worst.tries = {sound()};
    CHECK(judge(worst).verdict == Verdict::fail);
}

TEST_CASE("what else was on the GPU explains a VACUOUS cell, and nothing else") {
    Cell cell = vacuous();
    const std::string reason = judge(cell).reason;
    cell.interference = "compute-sanitizer was attached";
    CHECK(judge(cell).reason == reason + "; compute-sanitizer was attached");
    Cell pass = sound();
    const Judgement before = judge(pass);
    pass.interference = cell.interference;
    CHECK(judge(pass) == before);
    Cell fail = failing();
    fail.interference = cell.interference;
    CHECK(judge(fail).verdict == Verdict::fail);
}
