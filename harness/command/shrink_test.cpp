// SPDX-License-Identifier: Apache-2.0
#include "harness/command/shrink.hpp"

#include <doctest/doctest.h>

#include <numeric>
#include <random>

using namespace pdlcts;

TEST_CASE("what is left of a list fails, and fails no more without any of its elements") {
    std::mt19937 random(3);
    for (int round = 0; round < 100; ++round) {
        std::vector<int> list(1 + random() % 40);
        std::iota(list.begin(), list.end(), 0);
        std::vector<int> guilty;
        for (const int each : list) {
            if (random() % 8 == 0) {
                guilty.push_back(each);
            }
        }
        std::size_t asked = 0;
        const std::vector<int> least = shrink(list, [&](const std::vector<int>& part) {
            ++asked;
            return std::optional(std::includes(part.begin(), part.end(), guilty.begin(), guilty.end()));
        });
        CHECK(least == (guilty.empty() ? std::vector<int>{} : guilty));
        CHECK(asked <= 8 * list.size() + 8);
    }
}

TEST_CASE("who may not ask any more keeps what was found") {
    int left = 2;
    const std::vector<int> least = shrink(std::vector<int>{1, 2, 3, 4}, [&](const std::vector<int>& part) {
        return left-- == 0 ? std::nullopt : std::optional(std::find(part.begin(), part.end(), 4) != part.end());
    });
    CHECK(least == std::vector<int>{3, 4});
}
