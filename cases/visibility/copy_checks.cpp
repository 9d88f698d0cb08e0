// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

/// Asynchronous copies into shared memory behind the wait, and bulk reductions in flight when the primary ends: forms
/// that the litmus language does not have.
namespace pdlcts {
namespace {

/// The second parameter chooses the form, and says in bit 8 whether the secondary waits. Form 0 and 1: cp.async of 4
/// and 16 bytes; 2 and 3: a bulk copy behind a proxy fence and without; 4: an ordinary load behind a bulk reduction.
constexpr const char* source = R"(
__device__ __forceinline__ u32 at(const void* shared) { return static_cast<u32>(__cvta_generic_to_shared(shared)); }
extern "C" __global__ void primary(u32* words, u32 form) {
    __shared__ alignas(128) u32 tile[4];
    trigger();
    const u32 seen = poll(words + started, 20000);
    pause(1000);
    if ((form & 255) == 4) {
        for (u32 word = 0; word < 4; ++word) {
            tile[word] = 1;
        }
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0], [%1], 16;"
                     :: "l"(words + data), "r"(at(tile)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    } else {
        for (u32 word = 0; word < 4; ++word) {
            store(words + data + word, 1);
        }
    }
    add(words + overlapped, seen);
}
extern "C" __global__ void secondary(u32* words, u32 form) {
    __shared__ alignas(128) u32 tile[4];
    __shared__ alignas(8) u64 full;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(&full)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    raise(words + started);
    if (form & 256) {
        wait();
    }
    const u32 way = form & 255;
    if (way == 0) {
        for (u32 word = 0; word < 4; ++word) {
            asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"(at(tile + word)), "l"(words + data + word)
                         : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
    } else if (way == 1) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(at(tile)), "l"(words + data) : "memory");
        asm volatile("cp.async.wait_all;" ::: "memory");
    } else if (way == 2 || way == 3) {
        if (way == 2) {
            asm volatile("fence.proxy.async;" ::: "memory");
        }
        u64 state;
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 16;"
                     : "=l"(state) : "r"(at(&full)) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];"
                     :: "r"(at(tile)), "l"(words + data), "r"(at(&full)) : "memory");
        u32 done = 0;
        for (u32 step = 0; step < 1000000 && done == 0; ++step) {
            asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                         : "=r"(done) : "r"(at(&full)) : "memory");
        }
    } else {
        for (u32 word = 0; word < 4; ++word) {
            tile[word] = load(words + data + word);
        }
    }
    u32 old_words = 0;
    for (u32 word = 0; word < 4; ++word) {
        old_words += static_cast<volatile u32*>(tile)[word] == 0;
    }
    add(words + old, old_words);
}
)";

HandShakeFunction with_form(std::uint32_t form, bool pss) {
    return [form, pss](const HandShakeLaunch& each) {
        cudaLaunchAttribute attribute = pss_attribute(1);
        KernelArguments arguments = each.arguments;
        arguments.blocks_before = form;
        return launch_of(each.kernel, each.stream, arguments, std::span(&attribute, pss ? 1 : 0));
    };
}

void asynchronous_copies(const NativeDevice& device, Probes& probes) {
    const NativePair pair(device, source);
    const auto counts = [&](std::uint32_t form, bool waits) {
        const std::uint32_t parameter = form + (waits ? 256 : 0);
        return pair.run(with_form(parameter, false), with_form(parameter, true));
    };
    static_cast<void>(counts(0, true));
    const std::vector<std::string> fresh = {"new values only"};
    struct Form {
        std::uint32_t number;
        const char* name;
    };
    for (const Form& form :
         {Form{0, "cp.async of 4 bytes"}, Form{1, "cp.async of 16 bytes"}, Form{2, "a bulk copy behind a proxy fence"},
          Form{4, "loads of what a bulk reduction of the primary left behind"}}) {
        probes.holds(concat(form.name, ", behind the wait"), fresh, counts(form.number, true).values());
        probes.differs(concat(form.name, ", without the wait"), fresh, counts(form.number, false).values());
    }
    // Whether the wait speaks for the other proxy, no document says.
    probes.noted("a bulk copy without a proxy fence, behind the wait", counts(3, true).counts());
    probes.noted("a bulk copy without a proxy fence, without the wait", counts(3, false).counts());
}

} // namespace

std::vector<NativeCheck> copy_checks() {
    return {{"visibility/asynchronous-copies", asynchronous_copies}};
}

} // namespace pdlcts
