// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace pdlcts {
namespace {

constexpr std::size_t block_bytes = 64;
using State = std::array<std::uint32_t, 8>;

/// Fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void absorb(State& state, const std::uint8_t* block) {
    std::array<std::uint32_t, 64> schedule{};
    for (std::size_t i = 0; i < 16; ++i) {
        schedule[i] = std::uint32_t{block[4 * i]} << 24 | std::uint32_t{block[4 * i + 1]} << 16 |
                      std::uint32_t{block[4 * i + 2]} << 8 | std::uint32_t{block[4 * i + 3]};
    }
    for (std::size_t i = 16; i < 64; ++i) {
        const std::uint32_t early = schedule[i - 15];
        const std::uint32_t late = schedule[i - 2];
        schedule[i] = schedule[i - 16] + (std::rotr(early, 7) ^ std::rotr(early, 18) ^ (early >> 3)) + schedule[i - 7] +
                      (std::rotr(late, 17) ^ std::rotr(late, 19) ^ (late >> 10));
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (std::size_t i = 0; i < 64; ++i) {
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        const std::uint32_t first =
            h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + choice + round_constants[i] + schedule[i];
        const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + second;
    }
    const State sum = {a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] += sum[i];
    }
}

#if defined(__x86_64__)

/// The processor's own rounds, four at a time: ten times as fast, and large files are hashed whole.
__attribute__((target("sha,sse4.1,ssse3"))) void absorb_by_instructions(State& state, const std::uint8_t* data,
                                                                        std::size_t blocks) {
    const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    // The instructions have the state as ABEF and CDGH.
    const __m128i cdab = _mm_shuffle_epi32(load(&state[0]), 0xb1);
    const __m128i efgh = _mm_shuffle_epi32(load(&state[4]), 0x1b);
    __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
    __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
    for (; blocks > 0; --blocks, data += block_bytes) {
        const __m128i abef_before = abef;
        const __m128i cdgh_before = cdgh;
        __m128i words[4];
        for (std::size_t i = 0; i < 4; ++i) {
            words[i] = _mm_shuffle_epi8(load(data + 16 * i), big_endian);
        }
        for (std::size_t round = 0; round < 16; ++round) {
            const __m128i schedule = words[round % 4];
            const __m128i sum = _mm_add_epi32(schedule, load(&round_constants[4 * round]));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
            // The words of the round after the next three.
            const __m128i latest = words[(round + 3) % 4];
            const __m128i next = _mm_add_epi32(_mm_sha256msg1_epu32(schedule, words[(round + 1) % 4]),
                                               _mm_alignr_epi8(latest, words[(round + 2) % 4], 4));
            words[round % 4] = _mm_sha256msg2_epu32(next, latest);
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
    const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[0]), _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}

bool has_instructions() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    constexpr unsigned sha = 1U << 29;
    constexpr unsigned sse4_1 = 1U << 19;
    const bool rounds = __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
    return rounds && __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & sse4_1) != 0;
}

#endif

using Absorb = void (*)(State& state, const std::uint8_t* data, std::size_t blocks);

void absorb_on_any_processor(State& state, const std::uint8_t* data, std::size_t blocks) {
    for (; blocks > 0; --blocks, data += block_bytes) {
        absorb(state, data);
    }
}

std::string digest(std::string_view bytes, Absorb absorb) {
    State state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
    const std::size_t whole = bytes.size() / block_bytes * block_bytes;
    absorb(state, data, whole / block_bytes);

    // The rest, a 1 bit, zeros, and the length in bits: one block, or two where the length no longer fits.
    std::array<std::uint8_t, 2 * block_bytes> last{};
    const std::size_t rest = bytes.size() - whole;
    for (std::size_t i = 0; i < rest; ++i) {
        last[i] = data[whole + i];
    }
    last[rest] = 0x80;
    const std::size_t padded = rest + 9 <= block_bytes ? block_bytes : 2 * block_bytes;
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (std::size_t i = 0; i < 8; ++i) {
        last[padded - 1 - i] = static_cast<std::uint8_t>(bits >> (8 * i));
    }
    absorb(state, last.data(), padded / block_bytes);

    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::uint32_t word : state) {
        for (int shift = 28; shift >= 0; shift -= 4) {
            text += digits[(word >> shift) & 0xf];
        }
    }
    return text;
}

} // namespace

std::string sha256(std::string_view bytes) {
#if defined(__x86_64__)
    static const bool by_instructions = has_instructions();
    if (by_instructions) {
        return digest(bytes, absorb_by_instructions);
    }
#endif
    return digest(bytes, absorb_on_any_processor);
}

std::string sha256_on_any_processor(std::string_view bytes) {
    return digest(bytes, absorb_on_any_processor);
}

} // namespace pdlcts
