// SPDX-License-Identifier: Apache-2.0
#include "reports/results/gzip.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("what is compressed comes back, and the same text gives the same bytes") {
    for (const std::string& text : {std::string(), std::string("{}\n"), std::string(300'000, 'x') + "end"}) {
        const std::string bytes = gzip(text);
        CHECK(is_gzip(bytes));
        CHECK(*gunzip(bytes, "r.json.gz", text.size()) == text);
        CHECK(gzip(text) == bytes);
    }
    CHECK(*gunzip(gzip("one, ") + gzip("two"), "r.json.gz", 8) == "one, two");
    CHECK_FALSE(is_gzip("{}"));
    // Written by gzip itself: `printf hello | gzip -n`.
    const std::string hello(
        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xcb\x48\xcd\xc9\xc9\x07\x00\x86\xa6\x10\x36\x05\x00\x00\x00", 25);
    CHECK(*gunzip(hello, "r.json.gz", 5) == "hello");
}

TEST_CASE("a small file that stands for a huge one is not unpacked") {
    const std::string bomb = gzip(std::string(20'000'000, '\0'));
    CHECK(bomb.size() < 30'000);
    CHECK(gunzip(bomb, "r.json.gz", 1'000'000).error().message ==
          "r.json.gz: unpacked it is larger than 1000000 bytes, which is the most");
    std::string many;
    for (int i = 0; i < 100; ++i) {
        many += gzip(std::string(20'000, ' '));
    }
    CHECK(gunzip(many, "r.json.gz", 1'000'000).error().message ==
          "r.json.gz: unpacked it is larger than 1000000 bytes, which is the most");
    CHECK(gunzip(gzip("123456"), "r.json.gz", 5).error().message ==
          "r.json.gz: unpacked it is larger than 5 bytes, which is the most");
}

TEST_CASE("what is cut short or damaged is refused") {
    const std::string bytes = gzip("results of a run, " + std::string(5000, 'x'));
    int refused = 0;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        const auto cut = gunzip(bytes.substr(0, length), "r.json.gz", 10'000);
        refused += cut ? 0 : 1;
        std::string damaged = bytes;
        damaged[length] = static_cast<char>(damaged[length] ^ 0x55);
        const auto read = gunzip(damaged, "r.json.gz", 10'000);
        // The time and the kind of system in the head are nobody's business; all else is under the check sum.
        CHECK((!read || (length >= 3 && length < 10)));
    }
    CHECK(refused == static_cast<int>(bytes.size()));
    CHECK(gunzip(bytes + "x", "r.json.gz", 10'000).error().message == "r.json.gz: compressed data that ends too early");
    CHECK(gunzip(bytes + "not gzip at all", "r.json.gz", 10'000).error().message ==
          "r.json.gz: compressed data that is damaged, or no gzip");
}
