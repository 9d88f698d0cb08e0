// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

#include <array>

/// Trigger and wait in places of the code that the litmus language does not have: functions, loops, branches.
namespace pdlcts {
namespace {

/// The second parameter chooses the place; the kernels have 64 threads.
constexpr const char* source = R"(
__device__ __noinline__ void call_trigger() { trigger(); }
__device__ __noinline__ void call_wait() { wait(); }
__device__ __noinline__ void deep_wait(u32 depth) {
    if (depth == 0) {
        wait();
    } else {
        deep_wait(depth - 1);
    }
}
extern "C" __global__ void primary(u32* words, u32 place) {
    const u32 lane = threadIdx.x % 32;
    if (place == 1) {
        if (threadIdx.x == 0) {
            call_trigger();
        }
    } else if (place == 2) {
        for (u32 turn = 0; turn < 3 + place; ++turn) {
            trigger();
        }
    } else if (place == 3) {
        if (lane % 2 == 1) {
            trigger();
        }
    } else if (place == 4) {
        __syncthreads();
        if (threadIdx.x == 63) {
            trigger();
        }
        __syncthreads();
    } else if (place == 5) {
        if (threadIdx.x >= 32) {
            trigger();
            return;
        }
    }
    if (threadIdx.x == 0) {
        const u32 seen = poll(words + started, 20000);
        pause(1000);
        store(words + data, 1);
        add(words + overlapped, seen);
    }
}
extern "C" __global__ void secondary(u32* words, u32 place) {
    const u32 lane = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        raise(words + started);
    }
    if (place == 1) {
        call_wait();
    } else if (place == 2) {
        for (u32 turn = 0; turn < 3 + place; ++turn) {
            wait();
        }
    } else if (place == 3) {
        if (lane % 2 == 1) {
            wait();
        }
        __syncwarp();
    } else if (place == 4) {
        __syncthreads();
        if (threadIdx.x == 63) {
            wait();
        }
        __syncthreads();
    } else if (place == 5) {
        deep_wait(3);
    } else if (place == 6) {
        trigger();
        if (lane < 16) {
            wait();
        } else {
            wait();
        }
    }
    add(words + old, load(words + data) == 0);
}
)";

struct Place {
    std::uint32_t number;
    const char* name;
};

HandShakeFunction at(std::uint32_t place, bool pss) {
    return [place, pss](const HandShakeLaunch& each) {
        cudaLaunchAttribute attribute = pss_attribute(1);
        KernelArguments arguments = each.arguments;
        arguments.blocks_before = place;
        try {
            launch(each.kernel, {1, 64, 0}, each.stream, arguments, std::span(&attribute, pss ? 1 : 0));
        } catch (const CudaError& error) {
            return error.status;
        }
        return cudaSuccess;
    };
}

void places_of_the_trigger(const NativeDevice& device, Probes& probes) {
    const NativePair pair(device, source);
    const auto shown = [&](std::uint32_t place) {
        const PairCounts counts = pair.run(at(place, false), at(1, true));
        return counts.overlapped > 0 ? std::string("overlap") : counts.refused.empty() ? "serial" : counts.refused;
    };
    static_cast<void>(shown(1));
    for (const Place& place :
         {Place{1, "in a function that one thread calls"}, Place{2, "in a loop of all threads"},
          Place{3, "in a branch of every other lane"}, Place{4, "between two barriers, by the last thread"},
          Place{5, "in front of the return of a whole warp"}}) {
        probes.holds(concat("a primary that triggers ", place.name), {"overlap"}, shown(place.number));
    }
    probes.differs("a primary that does not trigger", {"overlap"}, shown(0));
}

void places_of_the_wait(const NativeDevice& device, Probes& probes) {
    const NativePair pair(device, source);
    const auto read = [&](std::uint32_t place) { return pair.run(at(1, false), at(place, true)).values(); };
    static_cast<void>(read(1));
    const std::vector<std::string> fresh = {"new values only"};
    for (const Place& place :
         {Place{1, "in a function"}, Place{2, "in a loop"}, Place{3, "by every other lane, and __syncwarp() behind it"},
          Place{4, "between two barriers, by the last thread"}, Place{5, "in a function that calls itself"},
          Place{6, "behind an own trigger, in both branches of a condition"}}) {
        probes.holds(concat("what all threads read behind a wait ", place.name), fresh, read(place.number));
    }
    probes.differs("what they read without a wait", fresh, read(0));
}

} // namespace

std::vector<NativeCheck> place_checks() {
    return {
        {"trigger/places-in-the-code", places_of_the_trigger},
        {"wait/places-in-the-code", places_of_the_wait},
    };
}

} // namespace pdlcts
