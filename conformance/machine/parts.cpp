// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/parts.hpp"

#include "conformance/machine/ahead.hpp"
#include "conformance/machine/alike.hpp"
#include "conformance/machine/coherence.hpp"
#include "conformance/machine/gates.hpp"
#include "conformance/machine/pack.hpp"
#include "conformance/machine/prospects.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

constexpr std::size_t bits = 64;

std::uint64_t bit(std::size_t index) {
    return std::uint64_t{1} << index;
}

std::uint64_t known_cells(const Code& code, const Block& block) {
    std::uint64_t cells = 0;
    Counted<Block> alone{{block, 1}};
    for_each_view(alone, [&](const View& view) {
        for (const Entry& entry : view) {
            cells |= bit(entry.key % code.cells.size());
        }
    });
    for (const Counted<Thread>& threads : block.roles) {
        for (const auto& [thread, count] : threads) {
            for (const Acquirable& acquirable : thread.acquirable) {
                cells |= bit(acquirable.cell);
            }
            for (const auto& [operation, entry] : thread.unfinished) {
                cells |= bit(entry.key % code.cells.size());
            }
        }
    }
    return cells;
}

/// Whether views have to be looked at again because of what became of a cell's writes: not where one was added behind.
bool reads_otherwise(const Messages& before, const Messages& after) {
    if (after.size() < before.size()) {
        return true;
    }
    return !std::equal(before.begin(), before.end(), after.begin(), [](const Message& one, const Message& other) {
        return one.unrelated == other.unrelated && one.ahead == other.ahead;
    });
}

} // namespace

bool has_parts(const Code& code) {
    return !counts_blocks(code.fault) && !code.reorders_sc_fences && code.cells.size() <= bits &&
           code.nodes.size() <= bits && code.prospects.size() <= bits;
}

Number Parts::number_of(const Shared& shared) {
    pack(shared, bytes_);
    const StateTable::Added added = shared_numbers_.add(bytes_);
    if (added.is_new) {
        SharedPart part{shared, machine::is_final(code_, shared), {}};
        for (std::size_t node = 0; node < shared.nodes.size(); ++node) {
            if (!shared.nodes[node].begun) {
                part.not_begun.push_back(static_cast<std::uint16_t>(node));
            }
        }
        shared_.push_back(std::move(part));
    }
    return added.number;
}

Number Parts::number_of(const Block& block, unsigned count) {
    pack(block, bytes_);
    const StateTable::Added kind = kinds_.add(bytes_);
    if (kind.is_new) {
        kinds_in_full_.push_back(block);
    }
    const auto [number, is_new] = blocks_numbers_.add({kind.number, count});
    if (is_new) {
        const std::uint64_t node = bit(code_.classes[block.block_class].node);
        blocks_.push_back({count, kind.number, block.block_class, prospects_of(code_, block), known_cells(code_, block),
                           node, block.triggered ? 0 : node});
    }
    return number;
}

Number Parts::counted(Number blocks, unsigned count) {
    const auto [number, is_new] = blocks_numbers_.add({blocks_[blocks].kind, count});
    if (is_new) {
        BlocksPart part = blocks_[blocks];
        part.count = count;
        blocks_.push_back(part);
    }
    return number;
}

Number Parts::effect(Number before, Number after, const Elsewhere& elsewhere) {
    Effect made{after, elsewhere.changes, elsewhere.dead_cells, 0};
    for (const Change& change : made.changes) {
        made.cells |= bit(change.cell);
    }
    for (std::size_t cell = 0; cell < code_.cells.size(); ++cell) {
        if (reads_otherwise(shared_[before].shared.memory[cell], shared_[after].shared.memory[cell])) {
            made.cells |= bit(cell);
        }
    }
    if (made.cells == 0) {
        return none;
    }
    effects_.push_back(std::move(made));
    return static_cast<Number>(effects_.size() - 1);
}

Number Parts::behind(Number effect, Number blocks) {
    const auto [number, is_new] = followed_.add({effect, blocks});
    if (is_new) {
        const Effect& followed = effects_[effect];
        Counted<Block> changed{{block(blocks), blocks_[blocks].count}};
        for (const Change& change : followed.changes) {
            switch (change.kind) {
            case Change::Kind::moved:
                follow_moved(code_, changed, change.cell, change.new_place);
                break;
            case Change::Kind::finished:
                follow_finished(changed, Entry{change.cell, change.place}, change.releases);
                break;
            case Change::Kind::forgotten:
                follow_forgotten(code_, changed, change.cell);
                break;
            }
        }
        normalise_blocks(code_, shared_[followed.shared].shared, followed.dead_cells, changed);
        behind_.push_back(number_of(changed.front().first, changed.front().second));
    }
    return behind_[number];
}

void Parts::forget_effects() {
    effects_.clear();
    followed_ = {};
    behind_.clear();
}

} // namespace pdlcts::machine
