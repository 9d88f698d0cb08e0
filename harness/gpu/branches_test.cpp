// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/branches.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

/// An H200 says this of itself.
DeviceLimits h200() {
    DeviceLimits limits;
    limits.multiprocessors = 132;
    limits.blocks_a_multiprocessor = 32;
    limits.threads_a_multiprocessor = 2048;
    limits.shared_memory_a_multiprocessor = 228 * 1024;
    return limits;
}

unsigned branches_of(const std::string& text) {
    const auto litmus = parse_litmus("memory x = 0\n" + text + "ends\n", "t.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return branches_for(*litmus, h200());
}

} // namespace

TEST_CASE("small grids have all the branches there are, large ones fewer, and what fills the GPU one") {
    CHECK(branches_of("grid a <<<1, 32>>>\ngrid b <<<1, 32>>> pss\n") == most_branches);
    CHECK(branches_of("grid a <<<64, 32>>>\n") == 16); // 64 of 4,224 blocks: 16.5 times a quarter
    CHECK(branches_of("grid a <<<66, 32>>>\n") == 16);
    CHECK(branches_of("grid a <<<67, 32>>>\n") == 15);
    CHECK(branches_of("grid a <<<66, 32>>>\ngrid b <<<66, 32>>>\n") == 8);
    CHECK(branches_of("grid a <<<33, 1024>>>\n") == 2); // 264 such blocks fit
    CHECK(branches_of("grid a <<<33, 993>>>\n") == 2);  // in whole warps
    CHECK(branches_of("grid a <<<5000, 32>>>\n") == 1);
    CHECK(branches_of("grid a <<<132, 32>>> shared_memory 100000\n") == 1);
    CHECK(branches_of("grid a <<<16, 32>>> shared_memory 100000\n") == 4); // 2 a multiprocessor
}

TEST_CASE("the control counts like the program") {
    CHECK(branches_of("+ grid a <<<5000, 32>>>\ngrid b <<<1, 32>>>\n") == 1);
}

TEST_CASE("what all grids of a GPU share is not shared out among branches") {
    CHECK(branches_of("grid a <<<2, 32>>> cluster 2\n") == 1);
    CHECK(branches_of("grid a <<<1, 32>>> priority -1\n") == 1);
    CHECK(branches_of("grid a <<<1, 32>>> domain remote\n") == 1);
    CHECK(branches_of("grid a <<<1, 32>>>\nhost f\n") == 1);
    CHECK(branches_of("host_memory h = 0\ngrid a <<<1, 32>>>\n") == 1);
    CHECK(branches_of("grid a <<<1, 32>>>\nsync device\n") == 1);
    CHECK(branches_of("memset x, 7\ngrid a <<<1, 32>>>\nmemset x, 8\n") == most_branches);
}
