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
