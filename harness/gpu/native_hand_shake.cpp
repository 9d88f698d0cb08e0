// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_hand_shake.hpp"

#include <array>

namespace pdlcts {
namespace {

constexpr int trials = 100;

/// Word 0 is the flag, word 1 counts the trials in which the primary saw it. Inline PTX, as in every case: a compiler
/// may move a C++ access, and NVRTC knows the intrinsics only with the toolkit's headers.
constexpr const char* source = R"(
extern "C" __global__ void primary(unsigned* words) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    unsigned seen = 0;
    for (int look = 0; look < 100000 && seen == 0; ++look) {
        asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(words) : "memory");
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        if (now - begin > 20000) {
            break;
        }
    }
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" :: "l"(words + 1), "r"(seen) : "memory");
}
extern "C" __global__ void secondary(unsigned* words) {
    asm volatile("st.relaxed.sys.global.u32 [%0], 1;" :: "l"(words) : "memory");
}
)";

} // namespace

cudaLaunchAttribute pss_attribute(int value) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = value;
    return attribute;
}

HandShake::HandShake(const NativeDevice& device)
    : device_(device), library_(device.compile(source)), primary_(library_.kernel("primary")),
      secondary_(library_.kernel("secondary")), stream_(create_stream()), words_(allocate_device_words(2)) {
    // The first launch of a kernel does not overlap.
    static_cast<void>(run(plain(), with_pss(1)));
}

HandShakeFunction HandShake::with(std::vector<cudaLaunchAttribute> attributes) {
    return [attributes](const HandShakeLaunch& each) mutable {
        return launch_of(each.kernel, each.stream, each.arguments, attributes);
    };
}

HandShakeFunction HandShake::with_pss(int value) {
    return with({pss_attribute(value)});
}

std::string HandShake::run(const HandShakeFunction& primary, const HandShakeFunction& secondary) const {
    KernelArguments arguments;
    arguments.record = words_.get();
    check(cudaMemsetAsync(words_.get(), 0, 2 * sizeof(std::uint32_t), stream_.get()), "clearing a hand-shake");
    for (int trial = 0; trial < trials; ++trial) {
        // Behind a memset pss changes nothing, so that each pair begins when all before it has ended.
        check(cudaMemsetAsync(words_.get(), 0, sizeof(std::uint32_t), stream_.get()), "separating two hand-shakes");
        for (const auto& [function, kernel] : {std::pair(&primary, primary_), std::pair(&secondary, secondary_)}) {
            if (const cudaError_t status = (*function)({kernel, arguments, stream_.get()}); status != cudaSuccess) {
                device_.wait(stream_.get(), "a hand-shake before a launch that was refused");
                return returned(status);
            }
        }
    }
    std::array<std::uint32_t, 2> words{};
    check(cudaMemcpyAsync(words.data(), words_.get(), sizeof words, cudaMemcpyDeviceToHost, stream_.get()),
          "reading a hand-shake");
    device_.wait(stream_.get(), "hand-shakes");
    return words[1] > 0 ? "overlap" : "serial";
}

} // namespace pdlcts
