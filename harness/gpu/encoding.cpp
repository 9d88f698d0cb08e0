// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/encoding.hpp"

#include "harness/gpu/location_key.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace pdlcts {
namespace {

constexpr unsigned fewest_value_bits = 8;
constexpr unsigned most_value_bits = 20; // leaves 4096 bases, the trials of a default run
constexpr std::uint32_t first_poison = 0xbad51075;

/// What the program does to a location, and to those that it is copied to or from, as far as values go.
struct Uses {
    Width width = Width::u32;
    std::set<Value> constants; ///< initial, stored, exchanged, compared, awaited, and operands of min and max
    Value added = 0;           ///< at most, by all threads together
    bool combined = false;     ///< by an operation that would tell a raw word from a salted one
    std::set<Value> memsets;
};

/// The uses of all locations, of which those that copies connect share one.
class AllUses {
public:
    void declare(const std::string& location, const Location& declared) {
        Uses& uses = of(location);
        uses.width = declared.width;
        uses.constants.insert(declared.initial.begin(), declared.initial.end());
    }

    void connect(const std::string& one, const std::string& other) {
        const std::string from = representative(one);
        const std::string to = representative(other);
        if (from != to) {
            connected_[from] = to;
        }
    }

    /// To be asked for only when all copies are known.
    Uses& of(const std::string& location) {
        names_.insert(location);
        return uses_[representative(location)];
    }

    const std::set<std::string>& names() const { return names_; }

private:
    std::string representative(std::string location) const {
        for (auto next = connected_.find(location); next != connected_.end(); next = connected_.find(location)) {
            location = next->second;
        }
        return location;
    }

    std::map<std::string, std::string> connected_;
    std::map<std::string, Uses> uses_;
    std::set<std::string> names_;
};

Value threads_of(const Agent& agent) {
    return Value{agent.blocks.size()} * agent.threads.size();
}

/// What is added in all, as far as a word can hold it: a class of threads can add more than a Value can.
void add(Value operand, Value threads, Uses& uses) {
    constexpr Value enough = largest_value + 1;
    uses.added = operand != 0 && threads > enough / operand ? enough : std::min(uses.added + operand * threads, enough);
}

void note(const Atomic& atomic, Value threads, Uses& uses) {
    switch (atomic.operation) {
    case AtomicOperation::add:
        add(atomic.operand, threads, uses);
        return;
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
        // v | o and v ^ o are at most v + o.
        add(atomic.operand, threads, uses);
        uses.combined = true;
        return;
    case AtomicOperation::bit_and:
        uses.combined = true;
        return;
    case AtomicOperation::min:
    case AtomicOperation::max:
        uses.constants.insert(atomic.operand);
        uses.combined = true;
        return;
    case AtomicOperation::cas:
        uses.constants.insert(atomic.compare);
        uses.constants.insert(atomic.operand);
        return;
    case AtomicOperation::exch:
        uses.constants.insert(atomic.operand);
        return;
    }
}

void note(const Grid& grid, const Agent& agent, const Instruction& instruction, AllUses& all) {
    const auto uses = [&](const Element& element) -> Uses& { return all.of(location_key(grid, element.location)); };
    std::visit(Overloaded{[&](const Store& store) {
                              uses(store.element).constants.insert(store.values.begin(), store.values.end());
                          },
                          [&](const Await& await) { uses(await.element).constants.insert(await.value); },
                          [&](const Atomic& atomic) { note(atomic, threads_of(agent), uses(atomic.element)); },
                          [](const auto&) {}},
               instruction);
}

void note(const HostInstruction& instruction, AllUses& all) {
    if (const auto* write = std::get_if<HostWrite>(&instruction)) {
        all.of(write->element.location).constants.insert(write->value);
    }
}

template <typename Visitor>
void visit_instructions(const Program& program, const Visitor& visitor) {
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            for (const Agent& agent : grid->agents) {
                for (const Instruction& instruction : agent.instructions) {
                    visitor(*grid, agent, instruction);
                }
            }
        }
    }
}

void connect_copies(const Program& program, AllUses& all) {
    for (const HostOperation& operation : program.operations) {
        if (const auto* copy = std::get_if<Memcpy>(&operation)) {
            all.connect(copy->destination, copy->source);
        }
    }
    visit_instructions(program, [&](const Grid& grid, const Agent&, const Instruction& instruction) {
        if (const auto* copy = std::get_if<BulkCopy>(&instruction)) {
            all.connect(location_key(grid, copy->destination), location_key(grid, copy->source));
        }
    });
}

void declare_locations(const Program& program, AllUses& all) {
    for (const std::vector<Location>* memory : {&program.memory, &program.host_memory}) {
        for (const Location& location : *memory) {
            all.declare(location.name, location);
        }
    }
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            for (const Location& location : grid->shared) {
                all.declare(location_key(*grid, location.name), location);
            }
        }
    }
}

AllUses uses_of(const Program& program) {
    AllUses all;
    connect_copies(program, all);
    declare_locations(program, all);
    for (const HostOperation& operation : program.operations) {
        std::visit(Overloaded{[&](const Memset& memset) {
                                  Uses& uses = all.of(memset.location);
                                  uses.memsets.insert(memset.element(uses.width));
                              },
                              [&](const HostFunction& function) {
                                  for (const HostInstruction& instruction : function.instructions) {
                                      note(instruction, all);
                                  }
                              },
                              [&](const HostWrite& write) { note(write, all); }, [](const auto&) {}},
                   operation);
    }
    visit_instructions(program, [&](const Grid& grid, const Agent& agent, const Instruction& instruction) {
        note(grid, agent, instruction, all);
    });
    return all;
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

unsigned bits_of(Value value) {
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(value)));
}

std::uint32_t cut_off(std::uint32_t word, Width width) {
    return word & static_cast<std::uint32_t>(largest_value_of(width));
}

LocationEncoding encode_words(const Uses& uses) {
    LocationEncoding encoding;
    for (const Value memset : uses.memsets) {
        encoding.raw.push_back(raw_from(memset, uses));
    }
    for (const Value constant : uses.constants) {
        const bool raw = std::any_of(encoding.raw.begin(), encoding.raw.end(), [=](const RawRange& range) {
            return range.contains(static_cast<std::uint64_t>(constant));
        });
        if (!raw) {
            encoding.largest = std::max(encoding.largest, constant + uses.added);
        }
    }
    return encoding;
}

/// Atomics are of words only, so that nothing is added here.
LocationEncoding encode_parts_of_words(const Uses& uses) {
    LocationEncoding encoding;
    encoding.width = uses.width;
    for (const std::set<Value>* values : {&uses.constants, &uses.memsets}) {
        encoding.largest = values->empty() ? encoding.largest : std::max(encoding.largest, *values->rbegin());
    }
    encoding.value_bits = bits_of(encoding.largest);
    encoding.salted = uses.memsets.empty() && encoding.value_bits < 8 * bytes_of(uses.width);
    return encoding;
}

} // namespace

Width Encoding::width(const std::string& location) const {
    const auto found = locations.find(location);
    return found == locations.end() ? Width::u32 : found->second.width;
}

bool Encoding::is_raw(const std::string& location, Value value) const {
    const auto found = locations.find(location);
    if (found == locations.end()) {
        return false;
    }
    const LocationEncoding& own = found->second;
    return !own.salted || std::any_of(own.raw.begin(), own.raw.end(), [&](const RawRange& range) {
        return range.contains(static_cast<std::uint64_t>(value));
    });
}

unsigned Encoding::shift(const std::string& location) const {
    const auto found = locations.find(location);
    return found == locations.end() || found->second.width == Width::u32 ? 0 : value_bits - found->second.value_bits;
}

std::uint32_t Encoding::encode(const std::string& location, Value value, std::uint32_t base) const {
    const auto word = static_cast<std::uint32_t>(value);
    return is_raw(location, value) ? word : cut_off((base >> shift(location)) + word, width(location));
}

Value Encoding::decode(const std::string& location, std::uint32_t word, std::uint32_t base) const {
    const Width width = this->width(location);
    if (width == Width::u32) {
        const std::uint32_t salted = word - base;
        if (salted <= largest) {
            return salted;
        }
        return is_raw(location, word) ? Value{word} : other_value;
    }
    const LocationEncoding& own = locations.at(location);
    const std::uint32_t value = own.salted ? cut_off(word - (base >> shift(location)), width) : word;
    return cut_off(word, width) == word && value <= own.largest ? Value{value} : other_value;
}

Result<Encoding> encoding_of(const Program& program) {
    Encoding encoding;
    unsigned bits_of_parts = 0;
    AllUses all = uses_of(program);
    for (const std::string& location : all.names()) {
        const Uses& uses = all.of(location);
        if (uses.combined && !uses.memsets.empty()) {
            return Error{"location " + location +
                         " is set by memset, or copied from one that is, and changed by min, max, and, or or xor: a "
                         "memset word carries no salt, so that the operation would mean something else; use another "
                         "location"};
        }
        LocationEncoding& own = encoding.locations[location];
        own = uses.width == Width::u32 ? encode_words(uses) : encode_parts_of_words(uses);
        if (own.width == Width::u32) {
            encoding.largest = std::max(encoding.largest, own.largest);
        } else if (own.salted) {
            bits_of_parts = std::max(bits_of_parts, own.value_bits);
        }
    }
    encoding.value_bits = std::max({bits_of(encoding.largest), bits_of_parts, fewest_value_bits});
    if (bits_of(encoding.largest) > most_value_bits) {
        return Error{"a value of the program can reach " + std::to_string(encoding.largest) +
                     ", which leaves too few bits of a word to tell trials apart; keep values below " +
                     std::to_string(1u << most_value_bits)};
    }
    const auto is_raw_anywhere = [&](std::uint32_t word) {
        return std::any_of(encoding.locations.begin(), encoding.locations.end(), [&](const auto& entry) {
            return entry.second.salted && encoding.is_raw(entry.first, word);
        });
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
        for (const auto& [location, own] : encoding->locations) {
            for (const RawRange& range : own.raw) {
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
