// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/check.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

/// Primary and secondary with one word; `wait` and `claim` are filled in.
Check checked(const std::string& wait, const std::string& claim, Route route = Route::stream) {
    const std::string text = "memory x = 0, f = 0\ngrid primary <<<1, 32>>>\n  thread 0:\n      trigger\n"
                             "      await f == 1 -> early within 1us\n      st.weak x, 1\n"
                             "grid secondary <<<1, 32>>> pss\n  thread 0:\n      st.relaxed.sys f, 1\n" +
                             wait + "\n      ld.weak x -> seen\n" + claim + "\n";
    const Result<Litmus> litmus = parse_litmus(text, "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    return check(*litmus, route);
}

bool says(const Check& check, const char* part) {
    return check.reason.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("never: proved of the program, with a control that shows the violation") {
    const Check proved = checked("-     wait", "never seen == 0\narmed early == 1");
    CHECK(proved.answer == Answer::proved);
    CHECK(!proved.trace.empty());

    const Check wrong = checked("+     wait", "never seen == 0");
    CHECK(wrong.answer == Answer::refuted);
    CHECK(says(wrong, "the specification allows `"));
    CHECK(wrong.trace.back() == "secondary thread 0: ld.weak x -> seen (reads 0)");

    const Check toothless = checked("-     delay 1us\n      wait", "never seen == 0");
    CHECK(toothless.answer == Answer::refuted);
    CHECK(says(toothless, "the control cannot show"));
}

TEST_CASE("never: a control that is only violated unarmed cannot give a PASS") {
    const Check unarmed = checked("-     wait", "never seen == 0\narmed early == 1 && seen == 1");
    CHECK(unarmed.answer == Answer::refuted);
    CHECK(says(unarmed, "only in executions that are not armed"));
}

TEST_CASE("sometimes: witnessed by the program, and by nothing in the control") {
    CHECK(checked("+     wait", "sometimes seen == 0").answer == Answer::proved);
    const Check elsewhere = checked("-     delay 1us", "sometimes seen == 0");
    CHECK(elsewhere.answer == Answer::refuted);
    CHECK(says(elsewhere, "another cause"));
    const Check absent = checked("      wait", "sometimes seen == 0");
    CHECK(absent.answer == Answer::refuted);
    CHECK(says(absent, "no execution shows"));
}

TEST_CASE("ends and armed") {
    CHECK(checked("      wait", "ends").answer == Answer::proved);
    CHECK(says(checked("      wait", "ends"), "there is no control"));
    const Check never_armed = checked("      wait", "never seen == 0\narmed early == 7");
    CHECK(never_armed.answer == Answer::refuted);
    CHECK(says(never_armed, "no execution is armed"));
}

TEST_CASE("a route that cannot express a program says so") {
    const Result<Litmus> litmus =
        parse_litmus("memory x = 0\ngrid a <<<1, 1>>> on s programmatic_event e\nwait_event e on t\nmemset x, 1 on t\n"
                     "ends\n",
                     "example.litmus");
    REQUIRE(litmus);
    CHECK(check(*litmus, Route::stream).answer == Answer::proved);
    const Check captured = check(*litmus, Route::captured);
    CHECK(captured.answer == Answer::not_expressible);
    CHECK(captured.reason.starts_with("program: "));
}

TEST_CASE("a limit leaves the claim undecided") {
    const Result<Litmus> litmus =
        parse_litmus("memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\nld.weak x -> r\nnever r == 1\n", "example.litmus");
    REQUIRE(litmus);
    Limits limits;
    limits.states = 1;
    const Check limited = check(*litmus, Route::stream, limits);
    CHECK(limited.answer == Answer::not_decided);
    CHECK(limited.reason == "program: more than 1 states");
    REQUIRE(limited.advice.size() == 1);
    CHECK(limited.advice[0].find("--states") != std::string::npos);
}

TEST_CASE("routes that make the same of a program have the same answer, explored once") {
    const Result<Litmus> litmus =
        parse_litmus("memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\ntrigger\nst.weak x, 1\ngrid b <<<1, 1>>> pss\n"
                     "grid c <<<1, 1>>>\nthread 0:\nld.weak x -> seen\nnever seen == 0\n",
                     "example.litmus");
    REQUIRE(litmus);
    const std::vector<Check> checks = check_routes(*litmus);
    REQUIRE(checks.size() == 3);
    CHECK(checks[0].answer == Answer::proved); // stream.plain-kernel-after-chain
    CHECK(!same_plans(checks[0], checks[1]));
    CHECK(same_plans(checks[1], checks[2]));
    for (const Check& each : checks) {
        const Check alone = check(*litmus, each.route);
        CHECK(each.answer == alone.answer);
        CHECK(each.trace == alone.trace);
        CHECK(each.program.outcomes == alone.program.outcomes);
        CHECK(each.program_plan == alone.program_plan);
    }
}
