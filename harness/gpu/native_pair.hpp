// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/native_hand_shake.hpp"
#include "harness/gpu/native_source.hpp"

#include <optional>
#include <string>
#include <vector>

/// What a secondary reads while its primary runs, for checks about code that no litmus program can say: what a compiler
/// makes of C++, code for other targets, other paths to memory.
namespace pdlcts {

/// The words that the two kernels share, each on a cache line of its own; kernels take the address of the first.
inline constexpr unsigned pair_line = 32; ///< words
inline constexpr const char* pair_words = R"(
constexpr u32 started = 0, data = 32, overlapped = 64, old = 96;
// Triggers, lets the secondary begin, and stores only then.
__device__ __forceinline__ void late_store(u32* words) {
    trigger();
    const u32 seen = poll(words + started, 20000);
    pause(1000);
    store(words + data, 1);
    add(words + overlapped, seen);
}
)";

/// Zeroes the first of these lines, in the order of the stream.
void clear_lines(std::uint32_t* words, std::size_t lines, cudaStream_t stream);
/// Waits for the stream, and gives the first word of each line. `after` names what is waited for.
std::vector<std::uint32_t> read_lines(const NativeDevice& device, const std::uint32_t* words, std::size_t lines,
                                      cudaStream_t stream, const std::string& after);

/// What trials of a pair showed.
struct PairCounts {
    std::string refused; ///< what a launch returned, where it was refused
    unsigned trials = 0;
    unsigned overlapped = 0; ///< trials in which the primary saw the secondary
    unsigned old = 0;        ///< values from before the primary's store that secondaries read

    /// `old values`, `new values only`, or what a launch returned.
    std::string values() const;
    /// `overlap in 100 of 100 trials, 100 old values`.
    std::string counts() const;
};

class NativePair {
public:
    /// Kernels `primary` and `secondary` of CUDA C++ behind native_prelude and pair_words. Both are launched once to
    /// warm them up, the secondary in the way that is given: one that takes more arguments needs its own.
    NativePair(const NativeDevice& device, const std::string& kernels,
               const HandShakeFunction& warm_up = HandShake::with_pss(1));
    /// The two of different images; without the second, both of one.
    NativePair(const NativeDevice& device, KernelLibrary of_primary, std::optional<KernelLibrary> of_secondary,
               const HandShakeFunction& warm_up = HandShake::with_pss(1));

    /// Launches pairs, each behind everything before, with `started` and `data` zeroed.
    PairCounts run(const HandShakeFunction& primary, const HandShakeFunction& secondary, unsigned trials = 100) const;
    /// A plain primary, and a secondary with pss.
    PairCounts run() const { return run(HandShake::plain(), HandShake::with_pss(1)); }

    std::uint32_t* words() const { return words_.get(); }
    cudaStream_t stream() const { return stream_.get(); }
    Kernel primary() const { return primary_; }
    Kernel secondary() const { return secondary_; }

private:
    const NativeDevice& device_;
    KernelLibrary of_primary_;
    std::optional<KernelLibrary> of_secondary_; ///< none: both kernels are of one image
    Kernel primary_;
    Kernel secondary_;
    Stream stream_;
    DeviceWords words_;
};

/// native_prelude and pair_words in front of kernels.
std::string pair_source(const std::string& kernels);

} // namespace pdlcts
