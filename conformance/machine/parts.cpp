// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/parts.hpp"

#include "conformance/machine/ahead.hpp"
#include "conformance/machine/alike.hpp"
#include "conformance/machine/coherence.hpp"
#include "conformance/machine/gates.hpp"
#include "conformance/machine/pack.hpp"
#include "conformance/machine/pending.hpp"
#include "conformance/machine/prospects.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace pdlcts::machine {
namespace {

constexpr std::size_t bits = 64;

std::uint64_t bit(std::size_t index) {
    return std::uint64_t{1} << index;
}

std::uint64_t cells_of(const Code& code, const View& view) {
    std::uint64_t cells = 0;
    for (const Entry& entry : view) {
        cells |= bit(entry.key % code.cells.size());
    }
    return cells;
}

/// All, where it is about no cell.
std::uint64_t cells_of(const Code& code, const Prospect& prospect) {
    if (prospect.is_ahead) {
        return prospect.ahead ? bit(*prospect.ahead) : ~std::uint64_t{0};
    }
    std::uint64_t cells = 0;
    const BlockClass& block_class = code.classes[prospect.block_class];
    const auto add = [&](const Operation& operation) {
        cells |= operation.reads ? bit(operation.kind == Kind::copy ? operation.source : operation.cell) : 0;
        cells |= operation.writes ? bit(operation.cell) : 0;
    };
    const Thread thread = stand_in(prospect);
    all_pending_operations(block_class.roles[prospect.role], &thread, [&](const Operation& operation) {
        add(operation);
        if (operation.kind == Kind::bulk_issue) {
            for (const Operation& copied : block_class.roles[operation.copies.front()].operations) {
                add(copied);
            }
        }
        return true;
    });
    return cells;
}

std::uint64_t known_cells(const Code& code, const Block& block) {
    std::uint64_t cells = 0;
    Counted<Block> alone{{block, 1}};
    for_each_view(alone, [&](const View& view) { cells |= cells_of(code, view); });
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

Messages unwritten() {
    return {Message{}};
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

Parts::Parts(const Code& code) : code_(code) {
    for (std::size_t cell = 0; cell < code.cells.size(); ++cell) {
        every_cell_ |= bit(cell);
    }
    for (const Prospect& prospect : code.prospects) {
        cells_of_prospects_.push_back(cells_of(code, prospect));
    }
    pack(unwritten(), bytes_);
    cell_numbers_.add(bytes_);
    cells_.push_back({unwritten(), 0});
}

Number Parts::number_of_key() {
    const char* const bytes = reinterpret_cast<const char*>(key_.data());
    const StateTable::Added added = shared_numbers_.add({bytes, key_.size() * sizeof(Number)});
    if (added.is_new) {
        const bool has_mentions =
            std::any_of(key_.begin() + 1, key_.end(), [&](Number cell) { return cells_[cell].mentions != 0; });
        shared_.push_back({key_.front(), has_mentions});
    }
    return added.number;
}

void Parts::read_key(Number shared) {
    const std::string_view packed = shared_numbers_[shared];
    key_.resize(packed.size() / sizeof(Number));
    std::memcpy(key_.data(), packed.data(), packed.size());
}

Number Parts::number_of(Shared&& shared) {
    std::vector<Messages> memory = std::move(shared.memory);
    shared.memory.clear();
    pack(shared, bytes_);
    const StateTable::Added rest = rest_numbers_.add(bytes_);
    if (rest.is_new) {
        RestPart part{std::move(shared), false, {}, 0};
        part.is_final = machine::is_final(code_, part.shared);
        for (std::size_t node = 0; node < part.shared.nodes.size(); ++node) {
            if (!part.shared.nodes[node].begun) {
                part.not_begun.push_back(static_cast<std::uint16_t>(node));
            }
        }
        for_each_view(part.shared, [&](const View& view) { part.mentions |= cells_of(code_, view); });
        rests_.push_back(std::move(part));
    }
    key_.assign(1, rest.number);
    for (Messages& writes : memory) {
        pack(writes, bytes_);
        const StateTable::Added cell = cell_numbers_.add(bytes_);
        if (cell.is_new) {
            CellPart part{std::move(writes), 0};
            for (const Message& message : part.writes) {
                for (const Release& release : message.releases) {
                    part.mentions |= cells_of(code_, release.view);
                }
            }
            cells_.push_back(std::move(part));
        }
        key_.push_back(cell.number);
    }
    return number_of_key();
}

Shared Parts::in_full(Number shared) {
    read_key(shared);
    Shared full = rests_[key_.front()].shared;
    full.memory.reserve(key_.size() - 1);
    for (std::size_t cell = 1; cell < key_.size(); ++cell) {
        full.memory.push_back(cells_[key_[cell]].writes);
    }
    return full;
}

std::uint64_t Parts::with_mentions(Number shared, std::uint64_t cells) {
    read_key(shared);
    for (bool grows = true; grows;) {
        grows = false;
        for (std::size_t cell = 0; cell + 1 < key_.size(); ++cell) {
            const std::uint64_t together = bit(cell) | cells_[key_[cell + 1]].mentions;
            if ((together & cells) != 0 && (together & ~cells) != 0) {
                cells |= together;
                grows = true;
            }
        }
    }
    return cells;
}

std::uint64_t Parts::about(std::uint64_t prospects, std::uint64_t cells) const {
    std::uint64_t kept = 0;
    for (std::uint64_t left = prospects; left != 0; left &= left - 1) {
        const auto prospect = static_cast<std::size_t>(std::countr_zero(left));
        kept |= (cells_of_prospects_[prospect] & cells) != 0 ? bit(prospect) : 0;
    }
    return kept;
}

Number Parts::reduced(Number shared, std::uint64_t cells) {
    const auto [number, is_new] =
        reductions_.add({shared, static_cast<Number>(cells), static_cast<Number>(cells >> 32)});
    if (is_new) {
        read_key(shared);
        for (std::size_t cell = 0; cell + 1 < key_.size(); ++cell) {
            key_[cell + 1] = (cells & bit(cell)) != 0 ? key_[cell + 1] : 0;
        }
        reduced_.push_back(number_of_key());
    }
    return reduced_[number];
}

Number Parts::replaced(Number shared, std::uint64_t cells, Number by) {
    const auto [number, is_new] =
        replacements_.add({shared, static_cast<Number>(cells), static_cast<Number>(cells >> 32), by});
    if (is_new) {
        read_key(shared);
        const std::vector<Number> kept = key_;
        read_key(by);
        for (std::size_t cell = 0; cell + 1 < key_.size(); ++cell) {
            key_[cell + 1] = (cells & bit(cell)) != 0 ? key_[cell + 1] : kept[cell + 1];
        }
        replaced_.push_back(number_of_key());
    }
    return replaced_[number];
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
        const std::uint64_t prospects = prospects_of(code_, block);
        const std::uint64_t known = known_cells(code_, block);
        // As long as something is ahead, counts are not forgotten (forget_counts): of any cell, once it is not.
        const bool is_ahead = !code_.prospects.empty() && (prospects & bit(code_.ahead_prospects)) != 0;
        std::uint64_t own = is_ahead ? every_cell_ : known;
        for (std::size_t prospect = 0; prospect < code_.ahead_prospects; ++prospect) {
            own |= (prospects & bit(prospect)) != 0 ? cells_of_prospects_[prospect] : 0;
        }
        blocks_.push_back(
            {count, kind.number, block.block_class, prospects, known, own, node, block.triggered ? 0 : node});
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

Number Parts::effect(Number before, Number after, Elsewhere&& elsewhere, std::uint64_t cells) {
    Effect made{std::move(elsewhere.changes), std::move(elsewhere.dead_cells), 0};
    for (const Change& change : made.changes) {
        made.cells |= bit(change.cell);
    }
    read_key(before);
    const std::vector<Number> old = key_;
    read_key(after);
    for (std::size_t cell = 0; cell < code_.cells.size(); ++cell) {
        const bool is_seen = (cells & bit(cell)) != 0;
        if (is_seen && old[cell + 1] != key_[cell + 1] &&
            reads_otherwise(cells_[old[cell + 1]].writes, cells_[key_[cell + 1]].writes)) {
            made.cells |= bit(cell);
        }
        // Elsewhere it looks dead because nobody was asked.
        made.dead_cells[cell] = made.dead_cells[cell] && is_seen;
    }
    if (made.cells == 0) {
        return none;
    }
    effects_.push_back(std::move(made));
    return static_cast<Number>(effects_.size() - 1);
}

Number Parts::behind(Number effect, Number shared, Number blocks) {
    const auto [number, is_new] = followed_.add({effect, shared, blocks});
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
        normalise_blocks(code_, in_full(shared), followed.dead_cells, changed);
        behind_.push_back(number_of(changed.front().first, changed.front().second));
    }
    return behind_[number];
}

void Parts::forget() {
    effects_.clear();
    followed_ = {};
    behind_.clear();
    reductions_ = {};
    reduced_.clear();
    replacements_ = {};
    replaced_.clear();
}

} // namespace pdlcts::machine
