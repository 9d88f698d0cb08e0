// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/support/result.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// How the values of a program become the words of one trial, so that a word left behind by anything else is noticed.
///
/// Value v of a trial is the word base + v. The low `value_bits` bits of a base are 0 and no value needs more bits, so
/// that every trial owns the block of words that share its base's upper bits, additions and comparisons included. Or
/// and xor with a value keep a base, and so does and with a value under ones.
///
/// A memset writes one byte four times, which no salt can change: on a location that the program sets so, the words
/// from the memset's own up to what the program can add to it stand for themselves (they are *raw*): memset, store,
/// load and await agree on them. Everywhere else, and for every other value, the salt applies.
///
/// An element of 8 or 16 bits has its value in the low bits, as few as the program's values for it need, and above them
/// as many of the block's low bits as fit. Those tell a trial from its neighbours in a run, and from 2^n - 1 of the
/// others in 2^n where n bits fit. Where a memset sets it, or no bit fits, such an element carries no salt at all.
///
/// Locations between which the program copies share one encoding: a copy moves words.
namespace pdlcts {

/// The words `low`..`high` of a location that stand for themselves.
struct RawRange {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    bool contains(std::uint64_t word) const { return low <= word && word <= high; }
};

/// What is the location's own.
struct LocationEncoding {
    Width width = Width::u32;
    std::vector<RawRange> raw; ///< of words; an element of 8 or 16 bits is raw as a whole, or not at all
    bool salted = true;
    unsigned value_bits = 0; ///< of a salted element of 8 or 16 bits
    Value largest = 0;       ///< that an instruction of the program can leave there
};

struct Encoding {
    unsigned value_bits = 8;
    /// The largest value that an instruction of the program can leave in a salted word.
    Value largest = 1;
    /// By location_key. What is not in here, such as the 0 or 1 of an await, is a salted word.
    std::map<std::string, LocationEncoding> locations;
    /// Fills the result slots before a trial: in no trial's block, and not raw.
    std::uint32_t poison = 0;

    Width width(const std::string& location) const;
    /// Whether a value of a location is written as it is.
    bool is_raw(const std::string& location, Value value) const;
    /// By how much a trial's base is shifted down for an element of 8 or 16 bits, before it is cut off at its width.
    unsigned shift(const std::string& location) const;
    /// What of a word is the salt's: ones where an operand of and must not clear it.
    std::uint32_t salt_mask() const { return ~std::uint32_t{0} << value_bits; }

    std::uint32_t encode(const std::string& location, Value value, std::uint32_t base) const;
    /// `other_value` for a word that no instruction of the program, in this trial, can have written.
    Value decode(const std::string& location, std::uint32_t word, std::uint32_t base) const;
};

/// The encoding of one program, its value_bits as narrow as the program allows.
Result<Encoding> encoding_of(const Program& program);

/// Gives every trial of a run a base of its own: a permutation of all blocks, drawn from the seed.
class SaltSequence {
public:
    /// The encodings share their value_bits. No base will be in the block of a poison or of a raw word, nor 0.
    SaltSequence(std::span<const Encoding* const> encodings, std::uint64_t seed);

    /// How many bases there are, at least.
    std::uint64_t capacity() const;
    /// The next base; none when every one has been given.
    std::optional<std::uint32_t> next();

private:
    bool is_reserved(std::uint32_t block) const;

    struct Blocks {
        std::uint32_t first;
        std::uint32_t last;
    };
    unsigned value_bits_;
    std::uint64_t blocks_;
    std::uint64_t multiplier_;
    std::uint64_t offset_;
    std::uint64_t drawn_ = 0;
    std::vector<Blocks> reserved_;
};

/// One step of the SplitMix64 generator: a well-mixed word for each state.
std::uint64_t mix(std::uint64_t state);

} // namespace pdlcts
