// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/requirements.hpp"

#include <cstdint>
#include <string>

/// What runs beside the trials of some batches (background.hpp).
namespace pdlcts {

/// The CUDA C++ of the kernel, a translation unit of its own. Its parameters: a word that stops it, a word for each
/// block that it sets when it begins, memory to stream and its words, whether to, and for how long to run at most.
std::string background_source();

inline constexpr unsigned background_threads = 512;      ///< of a block
inline constexpr unsigned reserved_shared_memory = 1024; ///< of a block: what the kernel itself declares
inline constexpr std::uint32_t background_words = std::uint32_t{1} << 24; ///< 64 MiB, more than caches hold

/// What the kernel does beside one batch.
struct BackgroundLoad {
    unsigned blocks = 1;
    bool fills_shared_memory = false; ///< each block takes all that a multiprocessor gives one block
    bool streams_memory = false;      ///< else it spins
    bool operator==(const BackgroundLoad&) const = default;
};

/// Drawn from the seed, for each batch another: on at most a quarter of the multiprocessors, which leaves the trials
/// their room (branches.hpp).
BackgroundLoad background_load(std::uint64_t seed, std::uint64_t batch, const DeviceLimits& limits);

/// The same for a case that says `load memory`: in turn it streams memory and spins, which is to poll host memory as
/// fast as it goes, and never on few multiprocessors. On an H200 what polls is more in the way of a copy than what
/// streams, so a seed must not decide how often it does.
BackgroundLoad memory_load(std::uint64_t seed, std::uint64_t batch, const DeviceLimits& limits);

} // namespace pdlcts
