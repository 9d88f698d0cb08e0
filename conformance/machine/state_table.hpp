// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace pdlcts::machine {

/// The packed states that a search has met, numbered from 0 on. They lie one behind the other in large pieces, and the
/// table holds their numbers alone: a node-based hash table spends a fifth of a search on its chains.
class StateTable {
public:
    struct Added {
        std::uint32_t number = 0;
        bool is_new = false;
    };
    Added add(std::string_view packed);
    std::size_t size() const { return states_.size(); }
    std::string_view operator[](std::size_t number) const { return states_[number]; }

private:
    std::string_view keep(std::string_view packed);
    void grow();

    std::vector<std::unique_ptr<char[]>> pieces_;
    char* next_ = nullptr;
    std::size_t left_ = 0;
    std::vector<std::string_view> states_;
    std::vector<std::uint32_t> hashes_;
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024); ///< numbers from 1 on; 0 is empty
};

} // namespace pdlcts::machine
