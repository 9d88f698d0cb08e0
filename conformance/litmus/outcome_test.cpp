// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/outcome.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

bool holds(std::string_view condition, std::string_view outcome) {
    const auto parsed_condition = parse_condition(condition);
    const auto parsed_outcome = parse_outcome(outcome);
    REQUIRE(parsed_condition);
    REQUIRE(parsed_outcome);
    return matches(*parsed_condition, *parsed_outcome);
}

std::string error_of(std::string_view outcome) {
    const auto parsed = parse_outcome(outcome);
    REQUIRE_FALSE(parsed);
    return parsed.error().message;
}

} // namespace

TEST_CASE("an outcome is printed in the order of its registers and their values") {
    CHECK(print(Outcome{{"seen", {0}}, {"overlapped", {1}}}) == "overlapped=1 seen=0");
    CHECK(print(Outcome{{"got", {1, 0}}}) == "got=0 got=1");
    CHECK(print(Outcome{{"seen", {other_value, 3}}}) == "seen=other seen=3");
    CHECK(print(Outcome{{"seen", {4294967295}}}) == "seen=4294967295");
    CHECK(print(Outcome{}) == "-");
}

TEST_CASE("what print wrote is read back") {
    const Outcome outcomes[] = {
        {}, {{"seen", {0}}}, {{"a", {0, 1, 4294967295}}, {"b_2", {other_value}}}, {{"other", {other_value, 0}}}};
    for (const Outcome& outcome : outcomes) {
        CAPTURE(print(outcome));
        const auto again = parse_outcome(print(outcome));
        REQUIRE(again);
        CHECK(*again == outcome);
        CHECK(is_printed_outcome(print(outcome)));
    }
    CHECK(*parse_outcome("  seen=1   got=0 ") == Outcome{{"got", {0}}, {"seen", {1}}});
}

TEST_CASE("a text that is no outcome is refused, with its place") {
    CHECK(error_of("") == "outcome:1:1: missing name; expected a name for a register, found the end of the line");
    CHECK(error_of("seen") == "outcome:1:5: missing value; expected '=', found the end of the line");
    CHECK(error_of("seen=x") == "outcome:1:6: the value is not a number; expected 0 to 4294967295, found 'x'");
    CHECK(error_of("a=0 seen=4294967296") ==
          "outcome:1:10: the value is out of range; expected 0 to 4294967295, found '4294967296'");
    CHECK(error_of("seen=-1") == "outcome:1:6: the value is not a number; expected 0 to 4294967295, found '-'");
    CHECK(error_of("seen=1 seen=1") ==
          "outcome:1:8: a value is given twice; expected each value of a register once, found 'seen'");
    CHECK(error_of("- seen=1") ==
          "outcome:1:3: more than an outcome without registers takes; expected the end of the line, found 'seen'");
    CHECK_FALSE(parse_outcome("wait=1"));
    CHECK_FALSE(parse_outcome("seen==1"));
}

TEST_CASE("what print does not write is told from what it writes") {
    for (const char* text : {"",
                             "seen",
                             "seen=",
                             "seen=x",
                             "seen=-1",
                             "seen=01",
                             "seen=+1",
                             "seen=4294967296",
                             "seen=99999999999999999999",
                             "seen=1 ",
                             " seen=1",
                             "seen=1  b=1",
                             "seen=1 a=1",
                             "seen=1 seen=0",
                             "seen=1 seen=1",
                             "seen=0 seen=other",
                             "wait=1",
                             "1=1",
                             "- seen=1",
                             "- ",
                             "=1",
                             "seen==1",
                             "seen=1\tzeen=1"}) {
        CAPTURE(text);
        CHECK_FALSE(is_printed_outcome(text));
    }
}

TEST_CASE("a comparison with a register of one thread") {
    CHECK(holds("seen == 1", "seen=1"));
    CHECK_FALSE(holds("seen == 1", "seen=0"));
    CHECK(holds("seen != 1", "seen=0"));
    CHECK_FALSE(holds("seen != 1", "seen=1"));
}

TEST_CASE("a comparison with an absent register does not hold") {
    for (const char* condition : {"seen == 1", "seen != 1", "any seen == 1", "all seen == 1", "all seen != 1"}) {
        CAPTURE(condition);
        CHECK_FALSE(holds(condition, "-"));
        CHECK_FALSE(matches(*parse_condition(condition), Outcome{{"seen", {}}}));
    }
}

TEST_CASE("any asks for one value, all for every value, and a bare name reads as any") {
    CHECK(holds("any got == 1", "got=0 got=1"));
    CHECK(holds("got == 1", "got=0 got=1"));
    CHECK_FALSE(holds("all got == 1", "got=0 got=1"));
    CHECK(holds("all got == 1", "got=1"));
    CHECK(holds("any got != 1", "got=0 got=1"));
    CHECK_FALSE(holds("all got != 1", "got=0 got=1"));
    CHECK(holds("all got != 1", "got=0 got=2"));
    CHECK_FALSE(holds("any got == 2", "got=0 got=1"));
}

TEST_CASE("a word that nothing can have written equals nothing") {
    CHECK_FALSE(holds("seen == 0", "seen=other"));
    CHECK(holds("seen != 0", "seen=other"));
    CHECK(holds("seen != 4294967295", "seen=other"));
    CHECK_FALSE(holds("all seen == 1", "seen=1 seen=other"));
    const Condition compared_with_other{
        Condition::Kind::comparison, {Quantifier::single, "seen", true, other_value}, {}};
    CHECK_FALSE(matches(compared_with_other, Outcome{{"seen", {other_value}}}));
}

TEST_CASE("conjunctions, disjunctions and parentheses") {
    CHECK(holds("got == 1 && seen == 0", "got=1 seen=0"));
    CHECK_FALSE(holds("got == 1 && seen == 0", "got=1 seen=1"));
    CHECK(holds("got == 1 || seen == 0", "got=1 seen=1"));
    CHECK_FALSE(holds("got == 1 || seen == 0", "got=0 seen=1"));
    SUBCASE("&& binds tighter than ||") {
        CHECK(holds("a == 1 || b == 1 && c == 1", "a=1 b=0 c=0"));
        CHECK_FALSE(holds("(a == 1 || b == 1) && c == 1", "a=1 b=0 c=0"));
        CHECK(holds("a == 1 && b == 1 || c == 1", "a=0 b=0 c=1"));
        CHECK_FALSE(holds("a == 1 && (b == 1 || c == 1)", "a=0 b=0 c=1"));
    }
}
