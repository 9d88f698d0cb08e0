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

/// Both records of a trial.
struct Words {
    std::vector<std::uint32_t> device;
    std::vector<std::uint32_t> host;
    explicit Words(const Layout& layout) : device(layout.words), host(layout.host_words) {}
    TrialRecords records() { return {device, host}; }
};

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
    Words words(layout->program);
    std::vector<std::uint32_t>& record = words.device;
    prepare(words.records(), layout->program, base);
    CHECK(record[0] == base);
    CHECK(record[32] == base + 5);
    CHECK(record[64] == base);
    for (std::size_t word = 96; word < 102; ++word) {
        CHECK(record[word] == layout->program.encoding.poison);
    }
    CHECK_FALSE(outcome_of(words.records(), layout->program, base)); // nothing has been written
}

TEST_CASE("a record reads as an outcome: sets for classes, `other` for foreign words, nothing for poison") {
    const auto layout = lay_out(litmus_of(text));
    REQUIRE(layout);
    Words words(layout->program);
    std::vector<std::uint32_t>& record = words.device;
    prepare(words.records(), layout->program, base);
    std::fill_n(record.begin() + 96, 6, base + 5);
    record[128] = base + 1;
    CHECK(outcome_of(words.records(), layout->program, base) == Outcome{{"r", {5}}, {"ready", {1}}});
    record[98] = base + 0x100; // a value of the next trial's block
    record[99] = base;
    CHECK(outcome_of(words.records(), layout->program, base) == Outcome{{"r", {other_value, 0, 5}}, {"ready", {1}}});
    record[101] = layout->program.encoding.poison;
    CHECK_FALSE(outcome_of(words.records(), layout->program, base));
}

TEST_CASE("a program without registers has the empty outcome") {
    const auto layout = lay_out(litmus_of("grid g <<<1, 1>>>\n  thread 0:\n      trigger\nends\n"));
    REQUIRE(layout);
    Words words(layout->program);
    prepare(words.records(), layout->program, base);
    CHECK(words.host.empty());
    CHECK(outcome_of(words.records(), layout->program, base) == Outcome{});
}

TEST_CASE("a class with too many result slots is refused") {
    const auto layout =
        lay_out(litmus_of("memory x = 0\ngrid g <<<2048, 1024>>>\n  threads 0..1023:\n      ld.weak x -> r\nends\n"));
    REQUIRE_FALSE(layout);
    CHECK(layout.error().message.find("1048576") != std::string::npos);
}

TEST_CASE("arrays take whole lines, and elements stand one behind the other, the low byte first") {
    const auto layout = lay_out(litmus_of(R"(memory big[64] = 3, halves[3]:u16 = {1, 2, 3}, bytes[5]:u8 = 1, x = 4
grid g <<<1, 1>>>
  thread 0:
      ld.weak halves[2] -> r
ends
)"));
    REQUIRE(layout);
    const Layout& program = layout->program;
    CHECK(program.location("big").word == 32);
    CHECK(program.location("halves").word == 96);
    CHECK(program.location("bytes").word == 128);
    CHECK(program.location("x").word == 160);
    CHECK(program.result("r").first_word == 192);
    CHECK(program.location("halves").bytes() == 6);
    Words words(program);
    prepare(words.records(), program, base);
    CHECK(words.device[32] == base + 3);
    CHECK(words.device[32 + 63] == base + 3);
    // Values up to 3 need two bits of a half; the block 0x123456 fills the other 14, of a byte up to 1 the other 7.
    const std::uint32_t half = 0x123456u << 2 & 0xffff;
    const std::uint32_t byte = 0x123456u << 1 & 0xff;
    CHECK(words.device[96] == ((half + 1) | (half + 2) << 16));
    CHECK((words.device[97] & 0xffff) == half + 3);
    CHECK(words.device[128] == (byte + 1) * 0x01010101);
    CHECK((words.device[129] & 0xff) == byte + 1);
    words.device[192] = half + 2;
    CHECK(outcome_of(words.records(), program, base) == Outcome{{"r", {2}}});
    words.device[192] = half + 4;
    CHECK(outcome_of(words.records(), program, base) == Outcome{{"r", {other_value}}});
    words.device[192] = half + 2 + 0x10000; // no half
    CHECK(outcome_of(words.records(), program, base) == Outcome{{"r", {other_value}}});
}

TEST_CASE("host memory, and what the host reads, is in a record of its own") {
    const auto layout = lay_out(litmus_of(R"(memory x = 1
host_memory h[2] = {5, 6}, i = 7
grid g <<<1, 1>>>
  thread 0:
      ld.weak h[1] -> by_device
host f
    read h[0] -> by_host
never by_host == 9
)"));
    REQUIRE(layout);
    const Layout& program = layout->program;
    CHECK(program.location("h").memory == Memory::host);
    CHECK(program.location("h").word == 32);
    CHECK(program.location("i").word == 64);
    CHECK(program.result("by_host").first_word == 96);
    CHECK(program.host_words == 128);
    CHECK(program.result("by_device").memory == Memory::device);
    Words words(program);
    prepare(words.records(), program, base);
    CHECK(words.host[0] == base);
    CHECK(words.host[33] == base + 6);
    CHECK(words.host[64] == base + 7);
    words.device[program.result("by_device").first_word] = base + 6;
    CHECK_FALSE(outcome_of(words.records(), program, base)); // the host has not read
    words.host[96] = base + 5;
    CHECK(outcome_of(words.records(), program, base) == Outcome{{"by_device", {6}}, {"by_host", {5}}});
}
