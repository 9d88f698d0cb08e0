// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

/// Choices for random programs; for tests only.
namespace pdlcts {

class Chooser {
public:
    explicit Chooser(std::mt19937& random) : random_(random) {}

    std::mt19937& engine() { return random_; }
    unsigned below(std::size_t size) {
        return std::uniform_int_distribution<unsigned>(0, static_cast<unsigned>(size) - 1)(random_);
    }
    bool chance(unsigned percent) { return below(100) < percent; }

    template <typename T>
    const T& pick(const std::vector<T>& choices) {
        return choices[below(choices.size())];
    }
    template <typename T>
    T pick(std::initializer_list<T> choices) {
        return *(choices.begin() + below(choices.size()));
    }

private:
    std::mt19937& random_;
};

} // namespace pdlcts
