// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/driver_functions.hpp"
#include "harness/gpu/native_graph.hpp"

#include <type_traits>

namespace pdlcts {
namespace {

constexpr Target sm_80{true, 80};
constexpr Target compute_80{false, 80};

std::vector<char> ptx(const std::string& version, const std::string& target, const std::string& instruction) {
    const std::string text = concat(".version ", version, "\n.target ", target, "\n.address_size 64\n",
                                    ".visible .entry nothing() {\n", instruction, "\nret;\n}\n");
    std::vector<char> code(text.begin(), text.end());
    code.push_back('\0');
    return code;
}

/// What loading PTX for the driver to compile returned, up to its kernel.
std::string loaded(const std::vector<char>& code) {
    try {
        const KernelLibrary library(code);
        static_cast<void>(library.kernel("nothing"));
    } catch (const CudaError& error) {
        return returned(error.status);
    }
    return "cudaSuccess";
}

std::string compiled(const NativeDevice& device, const std::string& source, const Target& target,
                     std::span<const std::string> options = {}) {
    return compile_source(device.nvrtc(), source, target, options) ? "cudaSuccess" : "an error of the compiler";
}

void ptx_isa_and_target(const NativeDevice& device, Probes& probes) {
    const NativeGraph before(device);
    const Stream stream = create_stream();
    const auto launched = [&] { return returned(launch_of(before.kernel(), stream.get(), {}, {})); };
    // What the functions that load code document for PTX that does not compile.
    const std::vector<std::string> documented = {"cudaErrorInvalidPtx", "cudaErrorUnsupportedPtxVersion"};
    const std::string still = launched();
    for (const char* const instruction : {"griddepcontrol.wait;", "griddepcontrol.launch_dependents;"}) {
        for (const auto& [version, target] :
             {std::pair("7.7", "sm_80"), std::pair("7.8", "sm_80"), std::pair("7.8", "sm_89")}) {
            probes.illegal(concat("loading ", instruction, " in PTX ISA ", version, " for ", target), documented,
                           loaded(ptx(version, target, instruction)));
            probes.legal(concat("loading PTX ISA ", version, " for ", target, " without it"),
                         loaded(ptx(version, target, "")));
        }
        probes.legal(concat("loading ", instruction, " in PTX ISA 7.8 for sm_90"),
                     loaded(ptx("7.8", "sm_90", instruction)));
    }
    probes.kept("launching a kernel that was loaded before", still, launched());
    device.wait(stream.get(), "kernels loaded before");
    // The compiler's own assembler, on the same target.
    const std::string source = "extern \"C\" __global__ void nothing() { asm volatile(\"griddepcontrol.wait;\"); }\n";
    probes.illegal("compiling griddepcontrol for sm_80", {"an error of the compiler"}, compiled(device, source, sm_80));
    probes.legal("compiling it for sm_90", compiled(device, source, Target{true, 90}));
}

void intrinsics_not_guarded(const NativeDevice& device, Probes& probes) {
    const std::vector<std::string> options = device.with_headers();
    const auto source = [](const std::string& body) {
        return concat("#include <cuda_device_runtime_api.h>\nextern \"C\" __global__ void nothing() {\n", body,
                      "\n}\n");
    };
    const std::vector<std::string> accepted = {"cudaSuccess"};
    const std::vector<std::string> refused = {"an error of the compiler"};
    for (const char* const call : {"cudaGridDependencySynchronize();", "cudaTriggerProgrammaticLaunchCompletion();"}) {
        probes.holds(concat("C++ that calls ", call, " to PTX of compute_80"), accepted,
                     compiled(device, source(call), compute_80, options));
        probes.holds(concat("C++ that calls ", call, " to SASS of sm_80"), refused,
                     compiled(device, source(call), sm_80, options));
        const std::string guarded = concat("#if __CUDA_ARCH__ >= 900\n", call, "\n#endif");
        probes.differs(concat("C++ that calls ", call, " behind a guard, to SASS of sm_80"), refused,
                       compiled(device, source(guarded), sm_80, options));
    }
}

void launch_completion_event(const NativeDevice& device, Probes& probes) {
    const Stream stream = create_stream();
    const auto launched = [&](const KernelLibrary& library, unsigned event_flags) {
        cudaEvent_t created = nullptr;
        check(cudaEventCreateWithFlags(&created, event_flags), "creating an event");
        const Event event(created);
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
        attribute.val.launchCompletionEvent.event = event.get();
        const std::string status =
            returned(launch_of(library.kernel("nothing"), stream.get(), {}, std::span(&attribute, 1)));
        if (status != "cudaSuccess") {
            return status;
        }
        wait_for(event.get(), device.deadline(), "a launch-completion event");
        device.wait(stream.get(), "a kernel with a launch-completion event");
        return std::string("the event fires");
    };
    const std::vector<std::string> fires = {"the event fires"};
    const KernelLibrary own = device.compile(empty_kernel);
    const KernelLibrary older = device.load(empty_kernel, compute_80);
    probes.holds(concat("a launch-completion event on compute capability ", device.compute_capability() / 10, ".",
                        device.compute_capability() % 10),
                 fires, launched(own, cudaEventDisableTiming));
    probes.holds("the same of a kernel built for compute_80, which knows no trigger", fires,
                 launched(older, cudaEventDisableTiming));
    probes.differs("the same with an event with timing", fires, launched(own, cudaEventDefault));
}

void edge_data_functions(const NativeDevice&, Probes& probes) {
    // The headers that this program was built with: the functions take edge data.
    static_assert(std::is_invocable_v<decltype(add_dependencies), cudaGraph_t, const cudaGraphNode_t*,
                                      const cudaGraphNode_t*, const cudaGraphEdgeData*, std::size_t>);
    using GetProcAddress = CUresult(const char*, void**, int, cuuint64_t, CUdriverProcAddressQueryResult*);
    auto* const get = require_driver_function<GetProcAddress>("cuGetProcAddress_v2");
    const auto address = [&](const char* name, int version) {
        void* function = nullptr;
        CUdriverProcAddressQueryResult result = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
        check(as_runtime_error(get(name, &function, version, CU_GET_PROC_ADDRESS_DEFAULT, &result)), name);
        return function;
    };
    const auto compared = [&](const char* name, int version, int with) {
        void* const newer = address(name, version);
        return newer == nullptr ? "none" : newer == address(name, with) ? "the same function" : "another function";
    };
    const std::vector<std::string> another = {"another function"};
    for (const char* const name : {"cuGraphGetEdges", "cuGraphNodeGetDependencies", "cuGraphNodeGetDependentNodes",
                                   "cuGraphAddDependencies", "cuGraphRemoveDependencies", "cuGraphAddNode",
                                   "cuStreamGetCaptureInfo", "cuStreamUpdateCaptureDependencies"}) {
        probes.holds(concat("the driver's ", name, " of CUDA 12.3, beside that of 12.2"), another,
                     compared(name, 12030, 12020));
        probes.differs(concat("the driver's ", name, " of CUDA 12.2, beside that of 12.2"), another,
                       compared(name, 12020, 12020));
    }
    probes.differs("the driver's cuGraphGetEdges of CUDA 12.2, beside that of 12.0", another,
                   compared("cuGraphGetEdges", 12020, 12000));
    for (const char* const name : {"cuGraphAddDependencies_v2", "cuStreamGetCaptureInfo_v3"}) {
        probes.holds(concat("the driver's exported function ", name), {"there"},
                     find_driver_function<void()>(name) != nullptr ? "there" : "missing");
    }
}

} // namespace

std::vector<NativeCheck> availability_checks() {
    return {
        {"availability/ptx-isa-and-target", ptx_isa_and_target},
        {"availability/intrinsics-not-guarded", intrinsics_not_guarded},
        {"availability/launch-completion-event", launch_completion_event},
        {"availability/edge-data-functions", edge_data_functions},
    };
}

} // namespace pdlcts
