// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/background_load.hpp"

#include "harness/gpu/encoding.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

unsigned most_blocks(const DeviceLimits& limits) {
    return std::max(limits.multiprocessors / 4, 1u);
}

} // namespace

BackgroundLoad background_load(std::uint64_t seed, std::uint64_t batch, const DeviceLimits& limits) {
    const std::uint64_t random = mix(mix(seed ^ mix(background_words)) + batch);
    BackgroundLoad load;
    load.blocks = 1 + static_cast<unsigned>((random >> 8) % most_blocks(limits));
    load.fills_shared_memory = (random & 1) != 0;
    load.streams_memory = (random & 2) != 0;
    return load;
}

BackgroundLoad memory_load(std::uint64_t seed, std::uint64_t batch, const DeviceLimits& limits) {
    BackgroundLoad load = background_load(seed, batch, limits);
    load.blocks = std::max(load.blocks, (most_blocks(limits) + 1) / 2);
    load.streams_memory = batch % 2 == 0;
    return load;
}

std::string background_source() {
    return R"(// Beside the trials of a batch: spins or streams memory until it is stopped, bounded by time and by rounds.
typedef unsigned int word;
typedef unsigned long long nanoseconds;

static __device__ __forceinline__ nanoseconds global_timer() {
    nanoseconds now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
    return now;
}

extern "C" __global__ void __launch_bounds__(512)
background(const word* stop, word* begun, word* memory, word words, word streams_memory, nanoseconds within) {
    __shared__ word over;
    const nanoseconds start = global_timer();
    const nanoseconds most_rounds = within / 128 + 1024;
    word place = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (threadIdx.x == 0) {
        asm volatile("st.relaxed.sys.global.u32 [%0], %1;" : : "l"(begun + blockIdx.x), "r"(1u) : "memory");
    }
    for (nanoseconds round = 0; round < most_rounds; ++round) {
        if (streams_memory != 0) {
            for (word step = 0; step < 16; ++step) {
                word value;
                asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(memory + place) : "memory");
                asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(memory + place), "r"(value + 1) : "memory");
                place = (place + gridDim.x * blockDim.x * 8) % words;
            }
        } else {
            asm volatile("nanosleep.u32 200;");
        }
        if (threadIdx.x == 0) {
            word stopped;
            asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(stopped) : "l"(stop) : "memory");
            over = stopped != 0 || global_timer() - start >= within ? 1 : 0;
        }
        __syncthreads();
        const bool is_over = over != 0;
        __syncthreads();
        if (is_over) return;
    }
}
)";
}

} // namespace pdlcts
