// SPDX-License-Identifier: Apache-2.0
#include "harness/export/archive.hpp"

#include <doctest/doctest.h>
#include <vector>

using namespace pdlcts;

TEST_CASE("an archive is as POSIX describes it: 512-byte blocks, octal fields, a checksum, two empty blocks") {
    const std::vector<PackedFile> files{{"a.txt", "hello\n"}, {"empty", ""}};
    const auto archive = tar("bundle", files);
    REQUIRE(archive);
    CHECK(archive->size() == 512 * (2 + 1 + 2)); // header and content, header, end
    CHECK(archive->substr(0, 13) == std::string("bundle/a.txt\0", 13));
    CHECK(archive->substr(124, 12) == std::string("00000000006\0", 12));
    CHECK(archive->substr(257, 8) == std::string("ustar\00000", 8));
    CHECK(archive->substr(512, 6) == "hello\n");
    // Summed up by hand, with the checksum field as blanks.
    std::size_t sum = 8 * ' ';
    for (std::size_t at = 0; at < 512; ++at) {
        sum += at >= 148 && at < 156 ? 0 : static_cast<unsigned char>((*archive)[at]);
    }
    CHECK(std::stoul(archive->substr(148, 6), nullptr, 8) == sum);
    CHECK((*archive)[154] == '\0');
    CHECK((*archive)[155] == ' ');
}

TEST_CASE("no name leads out of the folder, and no two files have one") {
    for (const char* name : {"", "..", ".hidden", "a/b", "/etc/passwd", "a b", "a\n", "\xc3\xa4"}) {
        CHECK(!tar("bundle", std::vector<PackedFile>{{name, ""}}));
        CHECK(!tar(name, std::vector<PackedFile>{{"a", ""}}));
    }
    CHECK(!tar("bundle", std::vector<PackedFile>{{"a", ""}, {"a", ""}}));
    CHECK(!tar("bundle", std::vector<PackedFile>{{std::string(81, 'a'), ""}}));
    CHECK(!tar("bundle", std::vector<PackedFile>{{"a", std::string(largest_archive + 1, 'x')}}));
}
