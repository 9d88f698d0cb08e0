// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_hand_shake.hpp"

#include <cuda_runtime.h>
#include <limits>

namespace pdlcts {
namespace {

/// What a pair with pss shows on this device, today: where a tool serialises everything, nothing differs from it, and a
/// check that compares with it is VACUOUS instead of wrong.
std::string reference(const HandShake& hand_shake) {
    return hand_shake.run(HandShake::plain(), HandShake::with_pss(1));
}

void nonzero_enables(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string enabled = reference(hand_shake);
    for (const int value : {2, -1, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
        probes.holds(concat("pss = ", value, ", as pss = 1"), {enabled},
                     hand_shake.run(HandShake::plain(), HandShake::with_pss(value)));
    }
    probes.differs("pss = 0", {enabled}, hand_shake.run(HandShake::plain(), HandShake::with_pss(0)));
}

void zero_is_default(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string without = hand_shake.run(HandShake::plain(), HandShake::plain());
    probes.holds("pss = 0, as no attribute", {without}, hand_shake.run(HandShake::plain(), HandShake::with_pss(0)));
    probes.differs("pss = 1", {without}, reference(hand_shake));
}

void ignore_entry(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string enabled = reference(hand_shake);
    const cudaLaunchAttribute ignore{}; // cudaLaunchAttributeIgnore is 0
    const cudaLaunchAttribute pss = pss_attribute(1);
    static_assert(cudaLaunchAttributeIgnore == 0);
    for (const auto& attributes :
         {std::vector{ignore, pss}, std::vector{pss, ignore}, std::vector{ignore, pss, ignore}}) {
        std::string names;
        for (const cudaLaunchAttribute& attribute : attributes) {
            names += concat(names.empty() ? "" : ", ", attribute.id == cudaLaunchAttributeIgnore ? "Ignore" : "pss");
        }
        probes.holds(concat("attributes ", names, ", as pss alone"), {enabled},
                     hand_shake.run(HandShake::plain(), HandShake::with(attributes)));
    }
    probes.differs("attribute Ignore alone", {enabled}, hand_shake.run(HandShake::plain(), HandShake::with({ignore})));
}

/// pss in the array, and as many attributes as the count says.
HandShakeFunction counted(unsigned count) {
    return [count](const HandShakeLaunch& each) {
        cudaLaunchAttribute attribute = pss_attribute(1);
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(1);
        config.stream = each.stream;
        config.attrs = &attribute;
        config.numAttrs = count;
        KernelArguments arguments = each.arguments;
        void* pointers[] = {&arguments.record};
        return cudaLaunchKernelExC(&config, runtime_function(each.kernel), pointers);
    };
}

void numattrs_zero(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string without = hand_shake.run(HandShake::plain(), HandShake::plain());
    probes.holds("pss in attrs and numAttrs 0, as no attribute", {without},
                 hand_shake.run(HandShake::plain(), counted(0)));
    probes.differs("pss in attrs and numAttrs 1", {without}, hand_shake.run(HandShake::plain(), counted(1)));
}

HandShakeFunction by_template(int value) {
    return [value](const HandShakeLaunch& each) {
        cudaLaunchAttribute attribute = pss_attribute(value);
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(1);
        config.blockDim = dim3(1);
        config.stream = each.stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        using Function = void (*)(void*);
        return cudaLaunchKernelEx(&config, reinterpret_cast<Function>(runtime_function(each.kernel)),
                                  each.arguments.record);
    };
}

void template_and_c(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string enabled = reference(hand_shake);
    probes.holds("pss by cudaLaunchKernelEx, as by cudaLaunchKernelExC", {enabled},
                 hand_shake.run(HandShake::plain(), by_template(1)));
    probes.differs("pss = 0 by cudaLaunchKernelEx", {enabled}, hand_shake.run(HandShake::plain(), by_template(0)));
}

/// What `<<<>>>` becomes: no attribute can be given.
cudaError_t by_triple_brackets(const HandShakeLaunch& each) {
    KernelArguments arguments = each.arguments;
    void* pointers[] = {&arguments.record};
    return cudaLaunchKernel(runtime_function(each.kernel), dim3(1), dim3(1), pointers, 0, each.stream);
}

void extensible_launch_required(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string by_brackets = hand_shake.run(HandShake::plain(), by_triple_brackets);
    probes.holds("a secondary launched by <<<>>> behind a primary that triggers", {"serial"}, by_brackets);
    probes.differs("a secondary launched by cudaLaunchKernelExC with pss", {"serial"}, reference(hand_shake));
}

void primary_needs_no_attribute(const NativeDevice& device, Probes& probes) {
    const HandShake hand_shake(device);
    const std::string enabled = hand_shake.run(HandShake::with_pss(1), HandShake::with_pss(1));
    probes.holds("a primary launched by <<<>>>, as one with pss of its own", {enabled},
                 hand_shake.run(by_triple_brackets, HandShake::with_pss(1)));
    probes.holds("a primary launched without attributes, as one with pss of its own", {enabled},
                 hand_shake.run(HandShake::plain(), HandShake::with_pss(1)));
    probes.differs("pss on the primary alone", {enabled}, hand_shake.run(HandShake::with_pss(1), HandShake::plain()));
}

/// The attribute as one of a stream, and as one of a graph's node, beside one that both can have.
void probe_launches_only(const NativeDevice& device, Probes& probes, const cudaLaunchAttribute& attribute,
                         const char* what) {
    const std::vector<std::string> documented = {"cudaErrorInvalidValue", "cudaErrorInvalidResourceHandle"};
    NativeGraph graph(device);
    const cudaGraphNode_t a = graph.add_kernel("a");
    const Stream stream = create_stream();
    const auto priority_of = [&](auto of_stream) {
        cudaLaunchAttributeValue value{};
        check(of_stream ? cudaStreamGetAttribute(stream.get(), cudaLaunchAttributePriority, &value)
                        : cudaGraphKernelNodeGetAttribute(a, cudaLaunchAttributePriority, &value),
              "reading a priority");
        return std::to_string(value.priority);
    };
    const std::string of_stream = priority_of(true);
    const std::string of_node = priority_of(false);
    probes.illegal(concat(what, " as an attribute of a stream"), documented,
                   returned(cudaStreamSetAttribute(stream.get(), attribute.id, &attribute.val)));
    probes.illegal(concat(what, " as an attribute of a node"), documented,
                   returned(cudaGraphKernelNodeSetAttribute(a, attribute.id, &attribute.val)));
    probes.kept("the priority of the stream", of_stream, priority_of(true));
    probes.kept("the priority of the node", of_node, priority_of(false));
    cudaLaunchAttributeValue priority{};
    probes.legal("a priority as an attribute of a stream",
                 returned(cudaStreamSetAttribute(stream.get(), cudaLaunchAttributePriority, &priority)));
    probes.legal("a priority as an attribute of a node",
                 returned(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &priority)));
}

void pss_for_launches_only(const NativeDevice& device, Probes& probes) {
    probe_launches_only(device, probes, pss_attribute(1), "pss");
}

void programmatic_event_for_launches_only(const NativeDevice& device, Probes& probes) {
    const Event event = create_event();
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = event.get();
    probe_launches_only(device, probes, attribute, "a programmatic event");
}

void launch_completion_event_for_launches_only(const NativeDevice& device, Probes& probes) {
    const Event event = create_event();
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
    attribute.val.launchCompletionEvent.event = event.get();
    probe_launches_only(device, probes, attribute, "a launch-completion event");
}

} // namespace

std::vector<NativeCheck> attribute_checks() {
    return {
        {"attribute/nonzero-enables", nonzero_enables},
        {"attribute/zero-is-default", zero_is_default},
        {"attribute/ignore-entry", ignore_entry},
        {"attribute/numattrs-zero", numattrs_zero},
        {"attribute/template-and-c", template_and_c},
        {"attribute/extensible-launch-required", extensible_launch_required},
        {"attribute/primary-needs-no-attribute", primary_needs_no_attribute},
        {"attribute/pss-for-launches-only", pss_for_launches_only},
        {"attribute/programmatic-event-for-launches-only", programmatic_event_for_launches_only},
        {"attribute/launch-completion-event-for-launches-only", launch_completion_event_for_launches_only},
    };
}

} // namespace pdlcts
