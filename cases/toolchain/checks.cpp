// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

#include <array>

/// What a compiler makes of C++ around the wait, as it shows at run time, and code that was compiled for older targets.
namespace pdlcts {
namespace {

// -- Loads around the wait, by the form in which a programmer writes them.

constexpr const char* primary = R"(
extern "C" __global__ void primary(u32* words) { late_store(words); }
)";

/// `load` reads `x`, a pointer of type `Pointer` to the data. The wait stands behind a flag that is raised when the
/// secondary has begun, so that the primary stores only then: a load that was moved above the wait reads an old value.
struct Form {
    const char* name;
    const char* pointer;
    const char* load;
};
constexpr Form plain{"a plain pointer", "u32*", "*x"};
constexpr std::array<Form, 5> forms{
    plain,
    Form{"a volatile pointer", "volatile u32*", "*x"},
    Form{"a relaxed load", "u32*", "look(x)"},
    Form{"const __restrict__", "const u32* __restrict__", "*x"},
    Form{"__ldg", "const u32*", "__ldg(x)"},
};

struct Place {
    const char* name;
    const char* body; ///< with LOAD for the load
    unsigned threads;
};
constexpr std::array<Place, 3> places{
    Place{"behind the wait", "raise(flag); wait(); sum += LOAD;", 1},
    // Invariant but for the wait: a compiler that takes the data for constant may load it once, in front of the loop.
    Place{"in a loop with the wait", "raise(flag); for (u32 turn = 0; turn < turns; ++turn) { wait(); sum += LOAD; }",
          1},
    Place{"behind another thread's wait and a barrier",
          "if (threadIdx.x == 0) { raise(flag); wait(); } __syncthreads(); sum += LOAD;", 64},
};

/// The pointer is a parameter of the kernel: only there does `__restrict__` say anything.
std::string secondary_of(const Form& form, const Place& place) {
    std::string body = place.body;
    const std::size_t load = body.find("LOAD");
    body.replace(load, 4, form.load);
    return concat("extern \"C\" __global__ void secondary(u32* words, u32 turns, ", form.pointer, " x) {\n",
                  "    u32* const flag = words + started;\n    u32 sum = 0;\n    ", body,
                  "\n    add(words + old, sum == 0);\n}\n");
}

HandShakeFunction secondary_with(unsigned threads) {
    return [threads](const HandShakeLaunch& each) {
        cudaLaunchAttribute pss = pss_attribute(1);
        void* words = each.arguments.record;
        std::uint32_t turns = 1;
        void* x = static_cast<std::uint32_t*>(words) + pair_line;
        std::array<void*, 3> pointers = {&words, &turns, &x};
        try {
            launch_with(each.kernel, {1, threads, 0}, each.stream, pointers, std::span(&pss, 1));
        } catch (const CudaError& error) {
            return error.status;
        }
        return cudaSuccess;
    };
}

std::string kernels_of(const Form& form, const Place& place) {
    return primary + secondary_of(form, place);
}

void loads_around_the_wait(const NativeDevice& device, Probes& probes) {
    std::vector<std::string> sources;
    for (const Form& form : forms) {
        for (const Place& place : places) {
            sources.push_back(pair_source(kernels_of(form, place)));
        }
    }
    device.compile_ahead(std::move(sources), device.target());
    const std::vector<std::string> hazard = {"old values"};
    for (const Form& form : forms) {
        for (const Place& place : places) {
            const HandShakeFunction secondary = secondary_with(place.threads);
            const NativePair pair(device, kernels_of(form, place), secondary);
            const PairCounts counts = pair.run(HandShake::plain(), secondary);
            const std::string what = concat(form.name, " ", place.name);
            const bool is_coherent = &form - forms.data() < 3;
            if (is_coherent) {
                probes.differs(what, hazard, counts.values());
            } else {
                probes.holds(what, hazard, counts.values());
            }
        }
    }
}

// -- Code for targets without trigger and wait.

constexpr const char* guarded_secondary = R"(
extern "C" __global__ void secondary(u32* words) {
    raise(words + started);
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    add(words + old, load(words + data) == 0);
}
)";

/// For the reader only, so that a runtime that cannot say leaves the check what it is.
std::string code_of(Kernel kernel) try {
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, runtime_function(kernel)), "reading a kernel's attributes");
    return concat("PTX ", attributes.ptxVersion, ", binary ", attributes.binaryVersion);
} catch (const NativeUnsupported& unsupported) {
    return concat("not asked: ", unsupported.what());
}

void code_for_older_targets(const NativeDevice& device, Probes& probes) {
    const std::string of_secondary = pair_source(guarded_secondary);
    const auto pair_of = [&](const Target& target) {
        return NativePair(device, device.compile(pair_source(primary)), device.load(of_secondary, target));
    };
    const std::vector<std::string> hazard = {"old values"};
    const NativePair older = pair_of({false, 80});
    const PairCounts of_older = older.run();
    probes.holds("what a secondary reads whose wait was left out by a guard, as PTX of compute_80", hazard,
                 of_older.values());
    const NativePair newer = pair_of(device.target());
    const PairCounts of_newer = newer.run();
    probes.differs("the same source, compiled for the GPU", hazard, of_newer.values());
    const NativePair translated = pair_of({false, 90});
    probes.differs("the same source, as PTX of compute_90", hazard, translated.run().values());
    probes.noted("trials, PTX of compute_80", of_older.counts());
    probes.noted("trials, compiled for the GPU", of_newer.counts());
    probes.noted("cudaFuncGetAttributes, PTX of compute_80", code_of(older.secondary()));
    probes.noted("cudaFuncGetAttributes, compiled for the GPU", code_of(newer.secondary()));
}

} // namespace

std::vector<NativeCheck> toolchain_checks() {
    return {
        {"toolchain/loads-around-the-wait", loads_around_the_wait},
        {"toolchain/code-for-older-targets", code_for_older_targets},
    };
}

} // namespace pdlcts
