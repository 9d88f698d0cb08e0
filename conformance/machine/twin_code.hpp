// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A program and its plan spelled out for the twin: what does not change during an execution.
namespace pdlcts::twin {

/// A set of events. The initial writes are the first events, one for each location; then come the instructions.
using Events = std::uint64_t;

inline Events only(std::size_t event) {
    return Events{1} << event;
}

template <typename Function>
void for_each(Events events, const Function& function) {
    for (; events != 0; events &= events - 1) {
        function(static_cast<std::size_t>(std::countr_zero(events)));
    }
}

constexpr std::size_t no_block = ~std::size_t{0};

struct Instance {
    Instruction instruction = Delay{};
    std::size_t block = no_block;
    std::size_t location = 0;
    Events earlier = 0; ///< the instructions before it in its thread
    Events after = 0;   ///< those of them that have to be performed first
    // What the instruction is, told of every kind alike.
    bool reads = false;
    bool writes = false;
    bool strong = false;
    bool acquires = false;
    bool releases = false;
    bool is_fence = false;
    bool is_control = false;
    bool wide = true; ///< of a scope wider than a block
    std::optional<std::string> result;
    bool accesses() const { return reads || writes; }
};

struct Block {
    std::size_t node = 0;
    std::vector<Events> threads;
    Events events() const {
        Events all = 0;
        for (const Events thread : threads) {
            all |= thread;
        }
        return all;
    }
};

struct Code {
    const Program& program;
    const Plan& plan;
    std::vector<Instance> events;
    std::vector<Block> blocks;
};

/// The events of every block and thread. More than 64 do not fit into Events.
Code spell_out(const Program& program, const Plan& plan);

} // namespace pdlcts::twin
