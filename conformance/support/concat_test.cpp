// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace pdlcts;

TEST_CASE("strings and whole numbers become one text") {
    CHECK(concat("a", std::string("b"), std::string_view("c"), 'd') == "abcd");
    CHECK(concat(3, " of ", std::uint64_t{2000}, " trials") == "3 of 2000 trials");
    CHECK(concat(-1, " ", std::uint64_t{18446744073709551615u}) == "-1 18446744073709551615");
}
