// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/judge_rows.hpp"

using namespace pdlcts;
using namespace pdlcts::examples;

TEST_CASE("counts") {
    Cell cell = never_cell();
    cell.form.program.tally.outcomes = {{"overlapped=1 seen=1", 5},
                                        {"overlapped=0 seen=1", 7},
                                        {"overlapped=1 seen=0", 11},
                                        {"overlapped=0 seen=0", 13}};
    cell.form.program.tally.unwritten = 17;
    cell.form.control->tally.outcomes = {{"overlapped=1 seen=0", 19}, {"overlapped=0 seen=0", 23}};
    const Judgement judgement = judge(cell);
    CHECK(judgement.trials == 53);
    CHECK(judgement.armed == 16);
    CHECK(judgement.violations == 24);
    CHECK(judgement.control_trials == 42);
    CHECK(judgement.control_armed == 19);
    CHECK(judgement.control_violations == 42);
    CHECK(judgement.control_armed_violations == 19);
    CHECK(count(cell.form.program.tally, cell.claim) == Counts{53, 16, 24, 11});
    cell.claim.armed.clear();
    CHECK(judge(cell).armed == 36);
}

TEST_CASE("the upper bound on the rate of violations") {
    const auto bound = [](std::uint64_t armed) {
        Cell cell = never_cell();
        cell.form.program.tally.outcomes = {{"overlapped=1 seen=1", armed}, {"overlapped=0 seen=1", 50}};
        return judge(cell).upper_bound;
    };
    // The rule of three: about 3 / n. Exact values by hand: 1 - 0.05 = 0.95; 1 - sqrt(0.05) = 0.776393...
    CHECK(bound(0) == 1);
    CHECK(bound(1) == doctest::Approx(0.95));
    CHECK(bound(2) == doctest::Approx(0.7763932));
    CHECK(bound(1000) == doctest::Approx(0.00299125).epsilon(1e-5));
    CHECK(bound(1'000'000'000'000) == doctest::Approx(2.99573e-12).epsilon(1e-5));

    Cell violated = never_cell();
    violate(violated);
    CHECK(judge(violated).upper_bound == 1);
    CHECK(judge(sometimes_cell()).upper_bound == 1);
}

TEST_CASE("a reason stays a sentence") {
    Cell cell = never_cell();
    cell.incident = Incident::crash;
    for (int i = 0; i < 1000; ++i) {
        cell.incident_detail += "\xc3\xa9"; // two bytes, not to be cut apart
    }
    const std::string reason = judge(cell).reason;
    CHECK(reason.size() == 1000);
    CHECK(reason.substr(reason.size() - 6) == "\xc3\xa9 ...");
}

TEST_CASE("a statement shows the first of its verdicts in the published order") {
    const auto shows = [](std::vector<Verdict> verdicts, Verdict verdict, std::size_t sharing) {
        const StatementVerdict statement = worst(verdicts);
        CHECK(name(statement.verdict) == name(verdict));
        CHECK(statement.sharing == sharing);
        CHECK(statement.of == verdicts.size());
    };
    shows({}, Verdict::missing, 0);
    shows({Verdict::pass, Verdict::vacuous, Verdict::pass}, Verdict::pass, 2);
    shows({Verdict::pass, Verdict::fail, Verdict::pass}, Verdict::fail, 1);
    shows({Verdict::harness_error, Verdict::pass}, Verdict::harness_error, 1);
    shows({Verdict::unexplained, Verdict::fail}, Verdict::fail, 1);
    shows({Verdict::not_supported, Verdict::missing}, Verdict::not_supported, 1);
    shows({Verdict::recorded, Verdict::observed}, Verdict::observed, 1);
}

TEST_CASE("names") {
    const char* const names[] = {"FAIL",          "UNEXPLAINED", "REFUTED",       "TIMEOUT", "CRASH",    "DEVICE ERROR",
                                 "HARNESS ERROR", "PASS",        "OBSERVED",      "PROVED",  "RECORDED", "VACUOUS",
                                 "NOT OBSERVED",  "NOT DECIDED", "NOT SUPPORTED", "MISSING"};
    for (int i = 0; i < 16; ++i) {
        CHECK(name(static_cast<Verdict>(i)) == names[i]);
    }
    CHECK(name(Incident::device_error) == "device_error");
}
