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
/// that every trial owns the block of words that share its base's upper bits, additions and comparisons included.
///
/// A memset writes one byte four times, which no salt can change: on a location that the program sets so, the words
/// from the memset's own up to what the program can add to it stand for themselves (they are *raw*): memset, store,
/// load and await agree on them. Everywhere else, and for every other value, the salt applies.
namespace pdlcts {

/// The words `low`..`high` of a location that stand for themselves.
struct RawRange {
    std::uint32_t low = 0;
    std::uint32_t high = 0;
    bool contains(std::uint64_t word) const { return low <= word && word <= high; }
};

struct Encoding {
    unsigned value_bits = 8;
    /// The largest value that an instruction of the program can leave in a salted word.
    Value largest = 1;
    std::map<std::string, std::vector<RawRange>> raw; ///< by location
    /// Fills the result slots before a trial: in no trial's block, and not raw.
    std::uint32_t poison = 0;

    /// Whether a value of a location is written as it is.
    bool is_raw(const std::string& location, Value value) const;
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
