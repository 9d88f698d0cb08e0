// SPDX-License-Identifier: Apache-2.0
#pragma once

/// What kernels of native checks are written with: CUDA C++ without headers, in front of the check's own kernels. The
/// shared accesses are inline PTX, as in every case: a compiler may move a C++ access, and NVRTC knows the intrinsics
/// only with the toolkit's headers. Every poll is bounded, in time and in steps.
namespace pdlcts {

inline constexpr const char* native_prelude = R"(
using u32 = unsigned;
using u64 = unsigned long long;
__device__ __forceinline__ void trigger() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
__device__ __forceinline__ void wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ __forceinline__ u64 now() {
    u64 time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
__device__ __forceinline__ u32 load(const u32* word) {
    u32 value;
    asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}
__device__ __forceinline__ void store(u32* word, u32 value) {
    asm volatile("st.weak.global.u32 [%0], %1;" :: "l"(word), "r"(value) : "memory");
}
__device__ __forceinline__ u32 look(const u32* word) {
    u32 value;
    asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
    return value;
}
__device__ __forceinline__ void raise(u32* word) {
    asm volatile("st.relaxed.sys.global.u32 [%0], 1;" :: "l"(word) : "memory");
}
__device__ __forceinline__ void add(u32* word, u32 value) {
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" :: "l"(word), "r"(value) : "memory");
}
__device__ __forceinline__ void pause(u32 nanoseconds) {
    const u64 begin = now();
    for (u32 step = 0; step < 1000000 && now() - begin < nanoseconds; ++step) {
    }
}
__device__ __forceinline__ u32 poll(const u32* word, u32 nanoseconds) {
    const u64 begin = now();
    for (u32 step = 0; step < 1000000; ++step) {
        if (look(word) != 0) {
            return 1;
        }
        if (now() - begin > nanoseconds) {
            break;
        }
    }
    return look(word);
}
)";

} // namespace pdlcts
