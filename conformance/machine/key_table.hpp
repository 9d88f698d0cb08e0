// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pdlcts::machine {

/// Numbers short lists of numbers in the order in which they are added, from 0 on.
template <std::size_t length>
class KeyTable {
public:
    using Key = std::array<std::uint32_t, length>;

    struct Added {
        std::uint32_t number = 0;
        bool is_new = false;
    };

    Added add(const Key& key) {
        std::size_t slot = hash(key) & (slots_.size() - 1);
        for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
            if (keys_[slots_[slot] - 1] == key) {
                return {slots_[slot] - 1, false};
            }
        }
        keys_.push_back(key);
        slots_[slot] = static_cast<std::uint32_t>(keys_.size());
        if (keys_.size() * 2 > slots_.size()) {
            grow();
        }
        return {static_cast<std::uint32_t>(keys_.size() - 1), true};
    }

    std::size_t size() const { return keys_.size(); }

private:
    static std::size_t hash(const Key& key) {
        std::uint64_t mixed = 0;
        for (const std::uint32_t each : key) {
            mixed = (mixed ^ each) * 0x9e3779b97f4a7c15U;
            mixed ^= mixed >> 32;
        }
        return static_cast<std::size_t>(mixed);
    }

    void grow() {
        slots_.assign(slots_.size() * 2, 0);
        for (std::uint32_t number = 0; number < keys_.size(); ++number) {
            std::size_t slot = hash(keys_[number]) & (slots_.size() - 1);
            while (slots_[slot] != 0) {
                slot = (slot + 1) & (slots_.size() - 1);
            }
            slots_[slot] = number + 1;
        }
    }

    std::vector<Key> keys_;
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(64); ///< numbers from 1 on; 0 is empty
};

} // namespace pdlcts::machine
