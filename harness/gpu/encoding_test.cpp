// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/encoding.hpp"

#include "conformance/litmus/parser.hpp"

#include <array>
#include <doctest/doctest.h>
#include <unordered_set>

using namespace pdlcts;

namespace {

Program program_of(const std::string& memory, const std::string& instructions, const std::string& before = "") {
    const std::string text = "memory " + memory + "\n" + before + "grid g <<<4, 2>>>\n  blocks 0..3 threads 0..1:\n" +
                             instructions + "ends\n";
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return litmus->program;
}

Encoding encoding_for(const Program& program) {
    auto encoding = encoding_of(program);
    REQUIRE_MESSAGE(encoding, encoding.error().message);
    return *encoding;
}

SaltSequence sequence(const Encoding& encoding, std::uint64_t seed) {
    const std::array<const Encoding*, 1> encodings{&encoding};
    return SaltSequence(encodings, seed);
}

} // namespace

TEST_CASE("every value survives encoding and decoding, and nothing else is taken for a value") {
    const Encoding encoding = encoding_for(program_of("x = 3", "st.weak x, 200\nld.weak x -> r\n"));
    CHECK(encoding.value_bits == 8);
    SaltSequence salts = sequence(encoding, 7);
    std::uint32_t previous = *salts.next();
    for (int trial = 0; trial < 100; ++trial) {
        const std::uint32_t base = *salts.next();
        for (Value value = 0; value <= 200; ++value) {
            CHECK(encoding.decode("x", encoding.encode("x", value, base), base) == value);
            CHECK(encoding.decode("x", static_cast<std::uint32_t>(value), base) == other_value);
            CHECK(encoding.decode("x", encoding.encode("x", value, previous), base) == other_value);
        }
        CHECK(encoding.decode("x", base + 201, base) == other_value);
        CHECK(encoding.decode("x", base - 1, base) == other_value);
        CHECK(encoding.decode("x", encoding.poison, base) == other_value);
        previous = base;
    }
}

TEST_CASE("additions of a whole class stay inside the block of a trial") {
    // 8 threads add 100 to a word that can be 250: at most 1050, which takes 11 bits.
    const Encoding encoding = encoding_for(program_of("x = 250", "red.relaxed.gpu.add x, 100\nld.weak x -> r\n"));
    CHECK(encoding.largest == 1050);
    CHECK(encoding.value_bits == 11);
    const std::uint32_t base = *sequence(encoding, 1).next();
    CHECK(encoding.decode("x", encoding.encode("x", 250, base) + 800, base) == 1050);
    CHECK((base >> 11) == ((base + 1050) >> 11));
}

TEST_CASE("a memset word, and what is added to it, stands for itself") {
    const Encoding encoding = encoding_for(
        program_of("x = 0, y = 0", "red.relaxed.gpu.add x, 1\nld.weak x -> r\nld.weak y -> s\n", "memset x, 7\n"));
    const std::uint32_t base = *sequence(encoding, 1).next();
    CHECK(encoding.encode("x", 0x07070707, base) == 0x07070707);
    CHECK(encoding.decode("x", 0x07070707, base) == 0x07070707);
    CHECK(encoding.decode("x", 0x07070707 + 8, base) == 0x07070707 + 8); // all 8 threads
    CHECK(encoding.decode("x", 0x07070707 + 9, base) == other_value);
    CHECK(encoding.decode("x", 0x07070706, base) == other_value);
    CHECK(encoding.decode("y", 0x07070707, base) == other_value); // not the location of the memset
    CHECK(encoding.encode("x", 0, base) == base);                 // the initial value still carries the salt
    CHECK(encoding.value_bits == 8);                              // a raw word needs no room
}

TEST_CASE("a memset to 0 makes the values that additions reach from it raw, awaited and stored ones too") {
    const Encoding encoding = encoding_for(
        program_of("x = 0", "red.relaxed.gpu.add x, 1\nst.weak x, 5\nawait x == 2 -> r within 1us\n", "memset x, 0\n"));
    const std::uint32_t base = *sequence(encoding, 1).next();
    for (const Value value : {0, 2, 5, 8, 13}) { // 5 is raw, and 8 can be added to it
        CHECK(encoding.encode("x", value, base) == static_cast<std::uint32_t>(value));
        CHECK(encoding.decode("x", static_cast<std::uint32_t>(value), base) == value);
    }
    CHECK(encoding.decode("x", 14, base) == other_value);
}

TEST_CASE("what a salt would change, or leave no room for, is refused") {
    const auto compared = encoding_of(program_of("x = 0", "red.relaxed.gpu.max x, 1\n", "memset x, 1\n"));
    REQUIRE_FALSE(compared);
    CHECK(compared.error().message.find("location x") != std::string::npos);
    const auto wide = encoding_of(program_of("x = 4294967295", "ld.weak x -> r\n"));
    REQUIRE_FALSE(wide);
    CHECK(wide.error().message.find("4294967295") != std::string::npos);
}

TEST_CASE("a class that adds more than any word can hold is refused") {
    const auto litmus = parse_litmus("memory x = 0\ngrid g <<<2147483647, 1024>>>\n  threads 0..1023:\n"
                                     "      red.relaxed.gpu.add x, 4294967295\nends\n",
                                     "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    const auto encoding = encoding_of(litmus->program);
    REQUIRE_FALSE(encoding);
    CHECK(encoding.error().message.find("too few bits") != std::string::npos);
}

TEST_CASE("no two of a hundred thousand trials share a base, for any seed") {
    const Encoding encoding = encoding_for(program_of("x = 0", "st.weak x, 1\nld.weak x -> r\n", "memset x, 255\n"));
    for (const std::uint64_t seed : {0, 1, 2, 12345}) {
        SaltSequence salts = sequence(encoding, seed);
        std::unordered_set<std::uint32_t> seen;
        for (int trial = 0; trial < 100'000; ++trial) {
            const auto base = salts.next();
            REQUIRE(base.has_value());
            const std::uint32_t block = *base >> 8;
            REQUIRE(*base % 256 == 0);
            REQUIRE(block != 0);
            REQUIRE(block != encoding.poison >> 8);
            REQUIRE(block != 0xffffffffu >> 8);
            REQUIRE(seen.insert(*base).second);
        }
    }
}

TEST_CASE("a seed decides the bases, and the sequence ends instead of repeating") {
    Encoding encoding = encoding_for(program_of("x = 0", "st.weak x, 1\nld.weak x -> r\n"));
    CHECK(*sequence(encoding, 1).next() == *sequence(encoding, 1).next());
    CHECK(*sequence(encoding, 1).next() != *sequence(encoding, 2).next());
    encoding.value_bits = 20;
    SaltSequence salts = sequence(encoding, 3);
    std::uint64_t count = 0;
    while (salts.next()) {
        ++count;
    }
    CHECK(count == 4096 - 2); // without block 0 and that of the poison
    CHECK(salts.capacity() == count);
}

namespace {

Encoding encoding_of_text(const std::string& text) {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return encoding_for(litmus->program);
}

} // namespace

TEST_CASE("bitwise operations on salted words are what they are on plain ones") {
    const Encoding encoding = encoding_for(program_of(
        "x = 9", "atom.relaxed.gpu.or x, 12 -> a\natom.relaxed.gpu.xor x, 5 -> b\natom.relaxed.gpu.and x, 300 -> c\n"));
    // 8 threads with or 12 and xor 5 leave 9 + 8 * 12 + 8 * 5 at most; and leaves no more than there was.
    CHECK(encoding.largest == 145);
    SaltSequence salts = sequence(encoding, 11);
    for (int trial = 0; trial < 50; ++trial) {
        const std::uint32_t base = *salts.next();
        for (std::uint32_t value = 0; value <= 145; ++value) {
            const std::uint32_t word = encoding.encode("x", value, base);
            for (std::uint32_t operand = 0; operand <= 63; ++operand) {
                CHECK(encoding.decode("x", word & (operand | encoding.salt_mask()), base) == (value & operand));
                CHECK((word | operand) == base + (value | operand));
                CHECK((word ^ operand) == base + (value ^ operand));
            }
        }
    }
}

TEST_CASE("both operands of a compare-and-swap are values") {
    const Encoding encoding = encoding_for(program_of("x = 1", "atom.relaxed.gpu.cas x, 700, 900 -> r\n"));
    CHECK(encoding.largest == 900);
    CHECK(encoding.value_bits == 10);
}

TEST_CASE("a part of a word has its value in the low bits, and above them what fits of the block") {
    const Encoding encoding = encoding_of_text(R"(memory b:u8 = 3, h:u16 = 0, full:u8 = 0
grid g <<<1, 1>>>
  thread 0:
      st.weak b, 5
      st.weak h, 1000
      st.weak full, 255
      ld.weak b -> r
ends
)");
    CHECK(encoding.value_bits == 10);
    SaltSequence salts = sequence(encoding, 5);
    std::uint32_t last = *salts.next();
    for (int trial = 0; trial < 300; ++trial) {
        const std::uint32_t base = *salts.next();
        const std::uint32_t block = base >> 10;
        for (Value value = 0; value <= 5; ++value) {
            const std::uint32_t byte = encoding.encode("b", value, base);
            CHECK(byte == ((block & 31) << 3) + static_cast<std::uint32_t>(value));
            CHECK(encoding.decode("b", byte, base) == value);
            CHECK(encoding.decode("b", byte + 256, base) == other_value);
            CHECK(encoding.decode("b", encoding.encode("b", value, last), base) == other_value);
        }
        CHECK(encoding.decode("b", ((block & 31) << 3) + 6, base) == other_value);
        CHECK(encoding.encode("h", 1000, base) == ((block & 63) << 10) + 1000);
        CHECK(encoding.decode("h", ((block & 63) << 10) + 1000, base) == 1000);
        CHECK(encoding.decode("h", ((block + 1) & 63) << 10, base) == other_value);
        CHECK(encoding.encode("full", 200, base) == 200); // no bit is left for a salt
        CHECK(encoding.decode("full", 200, base) == 200);
        last = base;
    }
}

TEST_CASE("a part of a word that a memset sets, or is copied from one, carries no salt") {
    const Encoding encoding = encoding_of_text(R"(memory b[4]:u8 = 1, c[4]:u8 = 0, d[4]:u8 = 1, h:u16 = 0
memset b, 7
memcpy c, b
memset h, 2
grid g <<<1, 1>>>
  thread 0:
      ld.weak c[0] -> r
ends
)");
    const std::uint32_t base = 0x12345600;
    for (const char* raw : {"b", "c"}) {
        CHECK(encoding.encode(raw, 1, base) == 1);
        CHECK(encoding.decode(raw, 7, base) == 7);
        CHECK(encoding.decode(raw, 8, base) == other_value);
    }
    CHECK(encoding.encode("d", 1, base) == (0x123456u << 1 & 0xff) + 1);
    CHECK(encoding.decode("h", 514, base) == 514);
    CHECK(encoding.decode("h", 515, base) == other_value);
}

TEST_CASE("locations that copies connect share one encoding, in whatever direction and memory") {
    const Encoding encoding = encoding_of_text(R"(memory x[4] = 0, y[4] = 0, z[4] = 1
host_memory h[4] = 0
memset x, 0
memcpy y, x
grid g <<<1, 32>>>
  shared  tile[4] = 0
  thread 0:
      cp.async.bulk.global.shared y, tile
      cp.async.bulk.commit_group
      cp.async.bulk.wait_group 0
      st.weak z[0], 9
memcpy h, y
ends
)");
    const std::uint32_t base = 0x12345600;
    for (const char* connected : {"x", "y", "g.tile", "h"}) {
        CAPTURE(connected);
        CHECK(encoding.encode(connected, 0, base) == 0);
    }
    CHECK(encoding.encode("z", 0, base) == base);
    const auto refused =
        encoding_of(parse_litmus("memory x[4] = 0, y[4] = 0\nmemset x, 0\nmemcpy y, x\ngrid g <<<1, 1>>>\n  thread 0:\n"
                                 "      red.relaxed.gpu.or y[1], 1\nends\n",
                                 "test.litmus")
                        ->program);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("copied from") != std::string::npos);
}

TEST_CASE("two grids may use one name in shared memory, each for its own") {
    const Encoding encoding = encoding_of_text(R"(grid g <<<1, 1>>>
  shared  s:u8 = 3
  thread 0:
      ld.weak s -> a
grid h <<<1, 1>>>
  shared  s = 700
  thread 0:
      ld.weak s -> b
ends
)");
    CHECK(encoding.width("g.s") == Width::u8);
    CHECK(encoding.width("h.s") == Width::u32);
    CHECK(encoding.value_bits == 10);
}
