// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/encoding.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace pdlcts {
namespace {

constexpr unsigned fewest_value_bits = 8;
constexpr unsigned most_value_bits = 20; // leaves 4096 bases, the trials of a default run
constexpr std::uint32_t first_poison = 0xbad51075;

/// What the program does to one location, as far as values go.
struct Uses {
    std::set<Value> constants; ///< initial, stored, exchanged, awaited, and operands of min and max
    Value added = 0;           ///< by all threads together
    bool compared = false;     ///< by min or max
    std::set<Value> memsets;
};

Value threads_of(const Agent& agent) {
    return Value{agent.blocks.size()} * agent.threads.size();
}

void note(const Agent& agent, const Instruction& instruction, std::map<std::string, Uses>& uses) {
    std::visit(Overloaded{[&](const Store& store) { uses[store.location].constants.insert(store.value); },
                          [&](const Await& await) { uses[await.location].constants.insert(await.value); },
                          [&](const Atomic& atomic) {
                              Uses& location = uses[atomic.location];
                              if (atomic.operation == AtomicOperation::add) {
                                  location.added += atomic.operand * threads_of(agent);
                                  return;
                              }
                              location.constants.insert(atomic.operand);
                              location.compared |= atomic.operation != AtomicOperation::exch;
                          },
                          [](const auto&) {}},
               instruction);
}

std::map<std::string, Uses> uses_of(const Program& program) {
    std::map<std::string, Uses> uses;
    for (const Location& location : program.memory) {
        uses[location.name].constants.insert(location.initial);
    }
    for (const HostOperation& operation : program.operations) {
        if (const auto* memset = std::get_if<Memset>(&operation)) {
            uses[memset->location].memsets.insert(memset->word());
        } else if (const auto* grid = std::get_if<Grid>(&operation)) {
            for (const Agent& agent : grid->agents) {
                for (const Instruction& instruction : agent.instructions) {
                    note(agent, instruction, uses);
                }
            }
        }
    }
    return uses;
}

/// A raw word stays raw when something is added to it, and a constant that is raw can be added to again.
RawRange raw_from(Value memset, const Uses& uses) {
    Value high = memset + uses.added;
    for (const Value constant : uses.constants) { // in ascending order, so one pass reaches the fixed point
        if (memset <= constant && constant <= high) {
            high = std::max(high, constant + uses.added);
        }
    }
    return {static_cast<std::uint32_t>(memset), static_cast<std::uint32_t>(std::min(high, largest_value))};
}

} // namespace

bool Encoding::is_raw(const std::string& location, Value value) const {
    const auto found = raw.find(location);
    return found != raw.end() && std::any_of(found->second.begin(), found->second.end(), [&](const RawRange& range) {
               return range.contains(static_cast<std::uint64_t>(value));
           });
}

std::uint32_t Encoding::encode(const std::string& location, Value value, std::uint32_t base) const {
    const auto word = static_cast<std::uint32_t>(value);
    return is_raw(location, value) ? word : base + word;
}

Value Encoding::decode(const std::string& location, std::uint32_t word, std::uint32_t base) const {
    const std::uint32_t salted = word - base;
    if (salted <= largest) {
        return salted;
    }
    return is_raw(location, word) ? Value{word} : other_value;
}

Result<Encoding> encoding_of(const Program& program) {
    Encoding encoding;
    for (const auto& [location, uses] : uses_of(program)) {
        if (uses.compared && !uses.memsets.empty()) {
            return Error{"location " + location +
                         " is set by memset and by min or max: a memset word carries no salt, so that the comparison "
                         "would be with a different value; use another location"};
        }
        for (const Value memset : uses.memsets) {
            encoding.raw[location].push_back(raw_from(memset, uses));
        }
        for (const Value constant : uses.constants) {
            if (!encoding.is_raw(location, constant)) {
                encoding.largest = std::max(encoding.largest, constant + uses.added);
            }
        }
    }
    const auto bits = static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(encoding.largest)));
    encoding.value_bits = std::max(bits, fewest_value_bits);
    if (bits > most_value_bits) {
        return Error{"a value of the program can reach " + std::to_string(encoding.largest) +
                     ", which leaves too few bits of a word to tell trials apart; keep values below " +
                     std::to_string(1u << most_value_bits)};
    }
    const auto is_raw_anywhere = [&](std::uint32_t word) {
        return std::any_of(encoding.raw.begin(), encoding.raw.end(),
                           [&](const auto& entry) { return encoding.is_raw(entry.first, word); });
    };
    encoding.poison = first_poison;
    while (is_raw_anywhere(encoding.poison)) {
        ++encoding.poison;
    }
    return encoding;
}

std::uint64_t mix(std::uint64_t state) {
    state += 0x9e3779b97f4a7c15;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
    state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
    return state ^ (state >> 31);
}

SaltSequence::SaltSequence(std::span<const Encoding* const> encodings, std::uint64_t seed)
    : value_bits_(encodings.front()->value_bits), blocks_(std::uint64_t{1} << (32 - value_bits_)),
      multiplier_(mix(seed) | 1), offset_(mix(mix(seed))) {
    reserved_.push_back({0, 0});
    for (const Encoding* encoding : encodings) {
        reserved_.push_back({encoding->poison >> value_bits_, encoding->poison >> value_bits_});
        for (const auto& [location, ranges] : encoding->raw) {
            for (const RawRange& range : ranges) {
                reserved_.push_back({range.low >> value_bits_, range.high >> value_bits_});
            }
        }
    }
}

bool SaltSequence::is_reserved(std::uint32_t block) const {
    return std::any_of(reserved_.begin(), reserved_.end(),
                       [=](const Blocks& blocks) { return blocks.first <= block && block <= blocks.last; });
}

std::uint64_t SaltSequence::capacity() const {
    std::uint64_t taken = 0;
    for (const Blocks& blocks : reserved_) {
        taken += std::uint64_t{blocks.last} - blocks.first + 1;
    }
    return taken < blocks_ ? blocks_ - taken : 0;
}

std::optional<std::uint32_t> SaltSequence::next() {
    while (drawn_ < blocks_) {
        // An odd factor and an offset permute the blocks: no base comes twice.
        const auto block = static_cast<std::uint32_t>((drawn_++ * multiplier_ + offset_) & (blocks_ - 1));
        if (!is_reserved(block)) {
            return block << value_bits_;
        }
    }
    return std::nullopt;
}

} // namespace pdlcts
