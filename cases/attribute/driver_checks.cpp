// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/driver_functions.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_hand_shake.hpp"

#include <functional>

/// The driver's extensible launch beside the runtime's.
namespace pdlcts {
namespace {

using LaunchKernelEx = CUresult(const CUlaunchConfig*, CUfunction, void**, void**);

/// Gives the attribute that is asked of one launch to the other interface: field by field, as a program would.
CUlaunchAttribute for_driver(const cudaLaunchAttribute& attribute) {
    CUlaunchAttribute translated{};
    switch (attribute.id) {
    case cudaLaunchAttributeProgrammaticStreamSerialization:
        translated.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
        translated.value.programmaticStreamSerializationAllowed = attribute.val.programmaticStreamSerializationAllowed;
        break;
    case cudaLaunchAttributeProgrammaticEvent:
        translated.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT;
        translated.value.programmaticEvent.event = attribute.val.programmaticEvent.event;
        translated.value.programmaticEvent.flags = attribute.val.programmaticEvent.flags;
        translated.value.programmaticEvent.triggerAtBlockStart = attribute.val.programmaticEvent.triggerAtBlockStart;
        break;
    case cudaLaunchAttributeLaunchCompletionEvent:
        translated.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
        translated.value.launchCompletionEvent.event = attribute.val.launchCompletionEvent.event;
        translated.value.launchCompletionEvent.flags = attribute.val.launchCompletionEvent.flags;
        break;
    default:
        throw HarnessFault("an attribute that the check does not know how to give to the driver");
    }
    return translated;
}

HandShakeFunction by_driver(const std::vector<cudaLaunchAttribute>& attributes) {
    auto* const launch_kernel = require_driver_function<LaunchKernelEx>("cuLaunchKernelEx");
    std::vector<CUlaunchAttribute> translated;
    for (const cudaLaunchAttribute& attribute : attributes) {
        translated.push_back(for_driver(attribute));
    }
    return [launch_kernel, translated](const HandShakeLaunch& each) mutable {
        CUlaunchConfig config{};
        config.gridDimX = config.gridDimY = config.gridDimZ = 1;
        config.blockDimX = config.blockDimY = config.blockDimZ = 1;
        config.hStream = each.stream;
        config.attrs = translated.data();
        config.numAttrs = static_cast<unsigned>(translated.size());
        KernelArguments arguments = each.arguments;
        auto pointers = pointers_to(arguments);
        return as_runtime_error(
            launch_kernel(&config, reinterpret_cast<CUfunction>(each.kernel), pointers.data(), nullptr));
    };
}

using Launcher = std::function<HandShakeFunction(const std::vector<cudaLaunchAttribute>&)>;

HandShakeFunction by_runtime(const std::vector<cudaLaunchAttribute>& attributes) {
    return HandShake::with(attributes);
}

/// The edge that a capture makes of a primary and a secondary, launched with these attributes, and of the event that
/// joins them, where there is one.
std::string captured(const NativeDevice& device, const Launcher& launcher,
                     const std::vector<cudaLaunchAttribute>& of_primary,
                     const std::vector<cudaLaunchAttribute>& of_secondary, cudaEvent_t event) {
    const NativeGraph kernels(device);
    const Stream main = create_stream();
    const Stream other = create_stream();
    const Event join = create_event();
    const auto launched = [&](cudaStream_t stream, const std::vector<cudaLaunchAttribute>& attributes) {
        check(launcher(attributes)({kernels.kernel(), {}, stream}), "launching a kernel of a capture");
    };
    check(cudaStreamBeginCapture(main.get(), cudaStreamCaptureModeThreadLocal), "beginning a capture");
    launched(main.get(), of_primary);
    if (event != nullptr) {
        check(cudaStreamWaitEvent(other.get(), event, 0), "waiting for an event of a launch");
    }
    launched(event != nullptr ? other.get() : main.get(), of_secondary);
    if (event != nullptr) {
        check(cudaEventRecord(join.get(), other.get()), "recording the join");
        check(cudaStreamWaitEvent(main.get(), join.get(), 0), "joining the streams");
    }
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(main.get(), &graph), "ending a capture");
    const Graph owned(graph);
    return only_edge(graph);
}

void runtime_and_driver(const NativeDevice& device, Probes& probes) {
    const Event event = create_event();
    cudaLaunchAttribute at_trigger{};
    at_trigger.id = cudaLaunchAttributeProgrammaticEvent;
    at_trigger.val.programmaticEvent.event = event.get();
    cudaLaunchAttribute at_start = at_trigger;
    at_start.val.programmaticEvent.triggerAtBlockStart = 1;
    cudaLaunchAttribute launch_completion{};
    launch_completion.id = cudaLaunchAttributeLaunchCompletionEvent;
    launch_completion.val.launchCompletionEvent.event = event.get();

    const HandShake hand_shake(device);
    const std::string enabled = hand_shake.run(HandShake::plain(), HandShake::with_pss(1));
    probes.holds("pss by cuLaunchKernelEx, as by cudaLaunchKernelExC", {enabled},
                 hand_shake.run(by_driver({}), by_driver({pss_attribute(1)})));
    probes.differs("pss = 0 by cuLaunchKernelEx", {enabled},
                   hand_shake.run(by_driver({}), by_driver({pss_attribute(0)})));
    struct Form {
        const char* name;
        std::vector<cudaLaunchAttribute> of_primary, of_secondary;
        cudaEvent_t event;
    };
    for (const Form& form :
         {Form{"pss", {}, {pss_attribute(1)}, nullptr}, Form{"a programmatic event", {at_trigger}, {}, event.get()},
          Form{"a programmatic event at block start", {at_start}, {}, event.get()},
          Form{"a launch-completion event", {launch_completion}, {}, event.get()}}) {
        probes.holds(concat("the captured edge of ", form.name, " by cuLaunchKernelEx, as by cudaLaunchKernelExC"),
                     {captured(device, by_runtime, form.of_primary, form.of_secondary, form.event)},
                     captured(device, by_driver, form.of_primary, form.of_secondary, form.event));
    }
    probes.differs("the captured edge of pss = 0 by cuLaunchKernelEx, as of pss = 1 by cudaLaunchKernelExC",
                   {captured(device, by_runtime, {}, {pss_attribute(1)}, nullptr)},
                   captured(device, by_driver, {}, {pss_attribute(0)}, nullptr));
}

} // namespace

std::vector<NativeCheck> attribute_driver_checks() {
    return {{"attribute/runtime-and-driver", runtime_and_driver}};
}

} // namespace pdlcts
