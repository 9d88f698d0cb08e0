// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/incident_checks.hpp"

#include "harness/gpu/native_device.hpp"

#include <array>

namespace pdlcts {
namespace {

constexpr unsigned blocks = 4;

/// Each block spins until the host sets the word, which it never does; a minute ends it all the same.
constexpr const char* hanging = R"(
extern "C" __global__ void hang(unsigned* word) {
    unsigned long long begin, now;
    unsigned seen = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(seen) : "l"(word) : "memory");
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (seen == 0 && now - begin < 60000000000ull);
}
)";

constexpr const char* faulting = R"(
extern "C" __global__ void fault(unsigned* word) {
    asm volatile("st.weak.global.u32 [%0], %1;" :: "l"(word), "r"(1u) : "memory");
}
)";

/// What is left behind on purpose: to free it would wait for the kernel.
struct Left {
    KernelLibrary library;
    Stream stream = create_stream();
    MappedWords word = allocate_mapped_words(1);
};

void hang(const NativeDevice& device, Probes& probes) {
    auto* const left = new Left{device.compile(hanging)};
    *left->word.words = 0;
    void* argument = left->word.on_device;
    std::array<void*, 1> arguments{&argument};
    launch_with(left->library.kernel("hang"), {blocks, 1, 0}, left->stream.get(), arguments, {});
    device.wait(left->stream.get(), "a kernel that spins on a word of the host");
    probes.noted("the kernel", "ended");
}

void fault(const NativeDevice& device, Probes& probes) {
    auto* const left = new Left{device.compile(faulting)};
    void* argument = nullptr;
    std::array<void*, 1> arguments{&argument};
    launch_with(left->library.kernel("fault"), {1, 1, 0}, left->stream.get(), arguments, {});
    device.wait(left->stream.get(), "a kernel that stores to no address");
    probes.noted("the kernel", "ended");
}

} // namespace

NativeFunction find_incident_check(std::string_view name) {
    return name == "hang" ? hang : name == "fault" ? fault : nullptr;
}

} // namespace pdlcts
