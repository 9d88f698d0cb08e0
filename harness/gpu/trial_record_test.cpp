// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trial_record.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

// Blocks 2..4 and threads 1..2: six instances, in three rows of two.
constexpr const char* text = R"(memory x = 5, y = 0
grid first <<<8, 64>>>
  blocks 2..4 threads 1..2:
      ld.weak x -> r
  block 0 thread 0:
-     await y == 1 -> ready within 1us
+     ld.weak y -> ready
grid second <<<1, 1>>>
  thread 0:
      st.weak y, 1
never ready == 9
)";

Litmus litmus_of(const std::string& source) {
    auto litmus = parse_litmus(source, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *litmus;
}

constexpr std::uint32_t base = 0x12345600;

} // namespace

TEST_CASE("salt, locations and registers stand on lines of their own") {
    const auto layout = lay_out(litmus_of(text));
    REQUIRE(layout);
    const Layout& program = layout->program;
    CHECK(program.location("x").word == 32);
    CHECK(program.location("y").word == 64);
    CHECK(program.result("r").first_word == 96);
    CHECK(program.result("r").slots == 6);
    CHECK(program.result("ready").first_word == 128);
    CHECK(program.words == 160);
    REQUIRE(layout->control);
    CHECK(layout->control->encoding.value_bits == program.encoding.value_bits);
}

TEST_CASE("a record starts salted, with poisoned results") {
    const auto layout = lay_out(litmus_of(text));
    REQUIRE(layout);
    std::vector<std::uint32_t> record(layout->program.words);
    prepare(record, layout->program, base);
    CHECK(record[0] == base);
    CHECK(record[32] == base + 5);
    CHECK(record[64] == base);
    for (std::size_t word = 96; word < 102; ++word) {
        CHECK(record[word] == layout->program.encoding.poison);
    }
    CHECK_FALSE(outcome_of(record, layout->program, base)); // nothing has been written
}

TEST_CASE("a record reads as an outcome: sets for classes, `other` for foreign words, nothing for poison") {
    const auto layout = lay_out(litmus_of(text));
    REQUIRE(layout);
    std::vector<std::uint32_t> record(layout->program.words);
    prepare(record, layout->program, base);
    std::fill_n(record.begin() + 96, 6, base + 5);
    record[128] = base + 1;
    CHECK(outcome_of(record, layout->program, base) == Outcome{{"r", {5}}, {"ready", {1}}});
    record[98] = base + 0x100; // a value of the next trial's block
    record[99] = base;
    CHECK(outcome_of(record, layout->program, base) == Outcome{{"r", {other_value, 0, 5}}, {"ready", {1}}});
    record[101] = layout->program.encoding.poison;
    CHECK_FALSE(outcome_of(record, layout->program, base));
}

TEST_CASE("a program without registers has the empty outcome") {
    const auto layout = lay_out(litmus_of("grid g <<<1, 1>>>\n  thread 0:\n      trigger\nends\n"));
    REQUIRE(layout);
    std::vector<std::uint32_t> record(layout->program.words);
    prepare(record, layout->program, base);
    CHECK(outcome_of(record, layout->program, base) == Outcome{});
}

TEST_CASE("a class with too many result slots is refused") {
    const auto layout =
        lay_out(litmus_of("memory x = 0\ngrid g <<<2048, 1024>>>\n  threads 0..1023:\n      ld.weak x -> r\nends\n"));
    REQUIRE_FALSE(layout);
    CHECK(layout.error().message.find("1048576") != std::string::npos);
}
