// SPDX-License-Identifier: Apache-2.0
#include "harness/export/words.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

const LocationEncoding* encoding_of(const Layout& layout, const std::string& location) {
    const auto found = layout.encoding.locations.find(location);
    return found == layout.encoding.locations.end() ? nullptr : &found->second;
}

/// `trial.salt`, or what of it an element of 8 or 16 bits carries.
std::string salt_of(const Layout& layout, const std::string& location) {
    const unsigned shift = layout.encoding.shift(location);
    return shift == 0 ? "trial.salt" : concat("(trial.salt >> ", shift, ")");
}

std::string initial_word(const Layout& layout, const std::string& location, Value value) {
    if (layout.encoding.is_raw(location, value)) {
        return concat(value, "u");
    }
    return concat(salt_of(layout, location), " + ", value, "u");
}

/// The words of a location before a trial.
void write_initial(CppText& out, const Layout& layout, const PlacedLocation& location) {
    const std::string record = location.memory == Memory::device ? "trial.copy" : "trial.host_record";
    const char* type = location.width == Width::u32 ? "word" : location.width == Width::u16 ? "half_word" : "byte";
    const bool narrow = location.width != Width::u32;
    const std::string array = narrow ? concat("reinterpret_cast<", type, "*>(", record, " + ", location.word, ")")
                                     : concat("(", record, " + ", location.word, ")");
    const auto assign = [&](const std::string& element, Value value) {
        const std::string word = initial_word(layout, location.name, value);
        return concat(array, "[", element, "] = ", narrow ? concat("static_cast<", type, ">(", word, ")") : word, ";");
    };
    const bool uniform = std::all_of(location.initial.begin(), location.initial.end(),
                                     [&](Value value) { return value == location.initial.front(); });
    out.line(1, concat("// ", location.name));
    if (location.initial.size() > 1 && uniform) {
        out.line(1, concat("for (int element = 0; element < ", location.initial.size(), "; ++element) {"));
        out.line(2, assign("element", location.initial.front()));
        out.line(1, "}");
        return;
    }
    if (location.initial.size() == 1 && !narrow) {
        out.line(1, concat(record, "[", location.word,
                           "] = ", initial_word(layout, location.name, location.initial.front()), ";"));
        return;
    }
    for (std::size_t element = 0; element < location.initial.size(); ++element) {
        out.line(1, assign(std::to_string(element), location.initial[element]));
    }
}

std::string hexadecimal(std::uint32_t word) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (int shift = 28; shift >= 0; shift -= 4) {
        const char digit = digits[word >> shift & 15];
        text += text.empty() && digit == '0' && shift > 0 ? "" : std::string(1, digit);
    }
    return "0x" + text + "u";
}

void write_prepare(CppText& out, const Layout& layout) {
    const std::string poison = hexadecimal(layout.encoding.poison);
    out.line(1, "// Poison: where it still is after the trial, nothing was written.");
    out.line(1, concat("std::fill_n(trial.copy, ", layout.words, ", ", poison, ");"));
    out.line(1, "trial.copy[0] = trial.salt;");
    if (layout.host_words > 0) {
        out.line(1, concat("std::fill_n(trial.host_record, ", layout.host_words, ", ", poison, ");"));
        out.line(1, "trial.host_record[0] = trial.salt;");
    }
    for (const Timing& timing : layout.timings) {
        if (timing.kind != TimingKind::start) { // no late start is asked for
            out.line(1, comment_line(timing.key + ", in nanoseconds"));
            out.line(1, concat("trial.copy[", timing.word, "] = ", timing.nanoseconds, "u;"));
        }
    }
    for (const PlacedLocation& location : layout.locations) {
        write_initial(out, layout, location);
    }
}

/// The expression that gives the value of `read`, a word of the register.
std::string value_of(const Layout& layout, const RegisterSlots& slots, const std::string& read) {
    const LocationEncoding* own = encoding_of(layout, slots.location);
    if (own == nullptr || own->width == Width::u32) {
        std::string value = concat("salted(", read, ", trial.salt, ", layout.encoding.largest, "u)");
        if (own != nullptr) {
            for (const RawRange& range : own->raw) {
                value = concat("or_plain(", value, ", ", read, ", ", hexadecimal(range.low), ", ",
                               hexadecimal(range.high), ")");
            }
        }
        return value;
    }
    if (!own->salted) {
        return concat("or_plain(other, ", read, ", 0u, ", own->largest, "u)");
    }
    return concat("salted_part(", read, ", ", salt_of(layout, slots.location), ", ",
                  hexadecimal(static_cast<std::uint32_t>(largest_value_of(own->width))), ", ", own->largest, "u)");
}

void write_outcome(CppText& out, const Layout& layout) {
    out.line(1, "Outcome outcome;");
    if (layout.registers.empty()) {
        out.line(1, "(void)trial;");
    }
    for (const RegisterSlots& slots : layout.registers) {
        const std::string place = slots.memory == Memory::device ? "trial.copy" : "trial.host_record";
        const bool many = slots.slots > 1;
        if (many) {
            out.line(1, concat("for (size_t thread = 0; thread < ", slots.slots, "; ++thread) {"));
        }
        const std::string read = concat(place, "[", slots.first_word, many ? " + thread]" : "]");
        out.line(many ? 2 : 1, concat("note(outcome, ", string_literal(slots.name), ", ", read, ", ",
                                      hexadecimal(layout.encoding.poison), ", ", value_of(layout, slots, read), ");"));
        if (many) {
            out.line(1, "}");
        }
    }
    out.line(1, "return outcome;");
}

std::string words_of(const Side& side) {
    CppText text;
    write_prepare(text, *side.layout);
    write_outcome(text, *side.layout);
    return text.text;
}

std::vector<const Encoding*> encodings(const Reproduced& reproduced) {
    std::vector<const Encoding*> all;
    for (const Side* side : reproduced.roles()) {
        all.push_back(&side->layout->encoding);
    }
    return all;
}

/// The blocks of words that no trial may have: those of poison and of words that carry no salt, and the first, in which
/// values would look unsalted.
std::vector<RawRange> reserved_blocks(const Reproduced& reproduced) {
    std::vector<RawRange> blocks{{0, 0}};
    const auto add = [&](std::uint32_t low, std::uint32_t high) {
        const bool known = std::any_of(blocks.begin(), blocks.end(),
                                       [&](const RawRange& block) { return block.low <= low && high <= block.high; });
        if (!known) {
            blocks.push_back({low, high});
        }
    };
    for (const Encoding* encoding : encodings(reproduced)) {
        add(encoding->poison >> encoding->value_bits, encoding->poison >> encoding->value_bits);
        for (const auto& [location, own] : encoding->locations) {
            for (const RawRange& range : own.raw) {
                add(range.low >> encoding->value_bits, range.high >> encoding->value_bits);
            }
        }
    }
    return blocks;
}

constexpr const char* outcome_support = R"(
typedef long long Value;
static const Value other = -1; // a word that no instruction of the program, in this trial, can have written

// The registers after a trial, each with the values that its threads read.
struct Outcome {
    std::map<std::string, std::set<Value>> registers;
    bool unwritten = false; // a register was never written: then something is wrong with this file, not with the device

    // `overlapped=1 seen=0`
    std::string in_words() const {
        std::string words;
        for (const auto& entry : registers) {
            for (const Value value : entry.second) {
                words += (words.empty() ? "" : " ") + entry.first + "=" +
                         (value == other ? "other" : std::to_string(value));
            }
        }
        return words.empty() ? "-" : words;
    }
};

// Notes the value that a thread has read; poison is what its word held before the trial.
static void note(Outcome& outcome, const char* name, word read, word poison, Value value) {
    outcome.unwritten |= read == poison;
    outcome.registers[name].insert(value);
}
)";

constexpr const char* salted = R"(
// The value of a word: v where it is salt + v, and v no larger than what the program can make.
static Value salted(word read, word salt, word largest) { return read - salt <= largest ? Value(read - salt) : other; }
)";

constexpr const char* or_plain = R"(
// The same for words that a memset sets and that therefore carry no salt.
static Value or_plain(Value value, word read, word low, word high) {
    return value != other ? value : read >= low && read <= high ? Value(read) : other;
}
)";

constexpr const char* salted_part = R"(
// The same for bytes and half-words, which have room for a part of the salt above their value.
static Value salted_part(word read, word salt, word mask, word largest) {
    const word value = (read - salt) & mask;
    return (read & ~mask) == 0 && value <= largest ? Value(value) : other;
}
)";

} // namespace

std::uint64_t most_trials(const Reproduced& reproduced) {
    const std::vector<const Encoding*> all = encodings(reproduced);
    return SaltSequence(all, 1).capacity() / reproduced.sides().size();
}

void write_word_support(CppText& out, const Reproduced& reproduced) {
    const unsigned value_bits = reproduced.layout.program.encoding.value_bits;
    std::string reserved;
    for (const RawRange& block : reserved_blocks(reproduced)) {
        reserved += reserved.empty() ? "" : " || ";
        reserved += block.low == block.high
                        ? concat("block == ", hexadecimal(block.low))
                        : concat("(block >= ", hexadecimal(block.low), " && block <= ", hexadecimal(block.high), ")");
    }
    for (const auto& [width, type] :
         {std::pair{Width::u8, "typedef unsigned char byte;"}, {Width::u16, "typedef unsigned short half_word;"}}) {
        const auto is_so_wide = [width = width](const PlacedLocation& location) { return location.width == width; };
        const std::vector<const Side*> roles = reproduced.roles();
        if (std::any_of(roles.begin(), roles.end(), [&](const Side* side) {
                return std::any_of(side->layout->locations.begin(), side->layout->locations.end(), is_so_wide);
            })) {
            out.line(0, type);
        }
    }
    out.comment(0,
                concat("The salt of the next trial. Its low ", value_bits,
                       " bits are 0, which leaves room for every value, and no two trials share the bits above them. "
                       "Some salts are left out, with which a value would look like a word that carries none."));
    out.line(0, "static word next_salt() {");
    out.line(1, "static word drawn = 0;");
    out.line(1, "while (true) {");
    out.line(2, concat("const word block = (++drawn * 2654435761u) & ", hexadecimal(0xffffffffU >> value_bits),
                       "; // an odd factor permutes the blocks"));
    out.line(2, concat("if (!(", reserved, ")) return block << ", value_bits, ";"));
    out.line(1, "}");
    out.line(0, "}");
    out.blank();
    out.block(outcome_support);
    std::string used;
    for (const Side* side : reproduced.roles()) {
        for (const RegisterSlots& slots : side->layout->registers) {
            used += value_of(*side->layout, slots, "");
        }
    }
    for (const auto& [function, text] :
         {std::pair{"salted(", salted}, {"or_plain(", or_plain}, {"salted_part(", salted_part}}) {
        if (used.find(function) != std::string::npos) {
            out.blank();
            out.block(text);
        }
    }
}

std::string words_name(const Reproduced& reproduced, const Side& side) {
    const std::vector<const Side*> roles = reproduced.roles();
    return words_of(*roles.front()) == words_of(*roles.back()) ? "trial" : role_name(side);
}

void write_words(CppText& out, const Reproduced& reproduced) {
    std::string written;
    for (const Side* side : reproduced.roles()) {
        const std::string name = words_name(reproduced, *side);
        if (name == written) {
            continue;
        }
        written = name;
        const std::string whose = name == "trial" ? "a trial" : "a trial of the " + name;
        out.blank();
        out.line(0, concat("// The records that ", whose, " starts from."));
        out.line(0, concat("static void prepare_", name, "(Trial& trial) {"));
        write_prepare(out, *side->layout);
        out.line(0, "}");
        out.blank();
        out.line(0, concat("// The outcome that ", whose, " has left in its records."));
        out.line(0, concat("static Outcome outcome_of_", name, "(const Trial& trial) {"));
        write_outcome(out, *side->layout);
        out.line(0, "}");
    }
}

} // namespace pdlcts
