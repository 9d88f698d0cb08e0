// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/unwritten.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>
#include <set>
#include <vector>

namespace pdlcts {
namespace {

/// The blocks of which a thread has not written the register.
std::set<unsigned> unwritten_blocks(const TrialRecords& records, const RegisterSlots& result, std::uint32_t poison) {
    std::set<unsigned> blocks;
    const std::span<const std::uint32_t> words = records.of(result.memory).subspan(result.first_word, result.slots);
    for (std::size_t slot = 0; slot < words.size(); ++slot) {
        if (words[slot] == poison) {
            blocks.insert(result.blocks.first + static_cast<unsigned>(slot / result.threads.size()));
        }
    }
    return blocks;
}

/// `block 7`, `blocks 0, 3..5`.
std::string print(const std::set<unsigned>& blocks) {
    std::string text;
    for (auto block = blocks.begin(); block != blocks.end();) {
        const unsigned first = *block;
        unsigned last = first;
        for (++block; block != blocks.end() && *block == last + 1; ++block) {
            ++last;
        }
        text +=
            concat(text.empty() ? "" : ", ", first, last > first ? concat(last > first + 1 ? ".." : ", ", last) : "");
    }
    return concat(blocks.size() > 1 ? "blocks " : "block ", text);
}

} // namespace

std::string unwritten(const TrialRecords& records, const Layout& layout) {
    struct Lacking {
        const RegisterSlots* result = nullptr;
        std::set<unsigned> blocks;
    };
    std::vector<Lacking> grids; // each with the register that its first block lacks
    for (const RegisterSlots& result : layout.registers) {
        std::set<unsigned> blocks = unwritten_blocks(records, result, layout.encoding.poison);
        if (blocks.empty()) {
            continue;
        }
        auto grid = std::find_if(grids.begin(), grids.end(),
                                 [&](const Lacking& each) { return each.result->grid == result.grid; });
        if (grid == grids.end()) {
            grid = grids.insert(grids.end(), Lacking{&result, {}});
        }
        grid->blocks.merge(blocks);
    }
    std::string text;
    for (const Lacking& lacking : grids) {
        const bool is_host = lacking.result->grid.empty();
        const std::string who = is_host ? "the host has"
                                        : concat(lacking.result->grid, ": ", print(lacking.blocks),
                                                 lacking.blocks.size() > 1 ? " have" : " has");
        text += concat(text.empty() ? "" : "; ", who, " not written ", lacking.result->name);
    }
    return text;
}

} // namespace pdlcts
