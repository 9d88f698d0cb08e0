// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/state_table.hpp"

#include <algorithm>
#include <functional>

namespace pdlcts::machine {

StateTable::Added StateTable::add(std::string_view packed) {
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(packed));
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
        const std::uint32_t number = slots_[slot] - 1;
        if (hashes_[number] == hash && states_[number] == packed) {
            return {number, false};
        }
    }
    states_.push_back(keep(packed));
    hashes_.push_back(hash);
    slots_[slot] = static_cast<std::uint32_t>(states_.size());
    if (states_.size() * 2 > slots_.size()) {
        grow();
    }
    return {static_cast<std::uint32_t>(states_.size() - 1), true};
}

std::string_view StateTable::keep(std::string_view packed) {
    // Most plans are small, and would spend more on a large piece than on all of their states.
    constexpr std::size_t smallest = std::size_t{1} << 12;
    constexpr std::size_t largest = std::size_t{1} << 20;
    if (packed.size() > left_) {
        left_ = std::max(std::min(smallest << pieces_.size(), largest), packed.size());
        pieces_.push_back(std::make_unique_for_overwrite<char[]>(left_));
        next_ = pieces_.back().get();
    }
    std::copy(packed.begin(), packed.end(), next_);
    const std::string_view kept(next_, packed.size());
    next_ += packed.size();
    left_ -= packed.size();
    return kept;
}

void StateTable::grow() {
    slots_.assign(slots_.size() * 2, 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t number = 0; number < states_.size(); ++number) {
        std::size_t slot = hashes_[number] & mask;
        while (slots_[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        slots_[slot] = number + 1;
    }
}

} // namespace pdlcts::machine
