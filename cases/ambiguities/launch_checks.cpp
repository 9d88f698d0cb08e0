// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/driver_functions.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_pair.hpp"

#include <array>
#include <functional>

/// What no document says of launches: pss beside other attributes, other operations in between, and the codes of
/// launches that are refused. Written down.
namespace pdlcts {
namespace {

cudaLaunchAttribute attribute_of(cudaLaunchAttributeID id, const std::function<void(cudaLaunchAttributeValue&)>& set) {
    cudaLaunchAttribute attribute{};
    attribute.id = id;
    set(attribute.val);
    return attribute;
}

constexpr const char* late_pair = R"(
extern "C" __global__ void primary(u32* words) { late_store(words); }
extern "C" __global__ void secondary(u32* words) {
    raise(words + started);
    wait();
    add(words + old, load(words + data) == 0);
}
)";

void attribute_combinations(const NativeDevice& device, Probes& probes) {
    const NativePair pair(device, late_pair);
    const Event event = create_event();
    const cudaLaunchAttribute pss = pss_attribute(1);
    const cudaLaunchAttribute cooperative =
        attribute_of(cudaLaunchAttributeCooperative, [](auto& value) { value.cooperative = 1; });
    const cudaLaunchAttribute cluster = attribute_of(cudaLaunchAttributeClusterDimension, [](auto& value) {
        value.clusterDim.x = value.clusterDim.y = value.clusterDim.z = 1;
    });
    const cudaLaunchAttribute priority =
        attribute_of(cudaLaunchAttributePriority, [](auto& value) { value.priority = -1; });
    const cudaLaunchAttribute domain = attribute_of(
        cudaLaunchAttributeMemSyncDomain, [](auto& value) { value.memSyncDomain = cudaLaunchMemSyncDomainRemote; });
    const cudaLaunchAttribute programmatic = attribute_of(
        cudaLaunchAttributeProgrammaticEvent, [&](auto& value) { value.programmaticEvent.event = event.get(); });
    const cudaLaunchAttribute completion = attribute_of(cudaLaunchAttributeLaunchCompletionEvent, [&](auto& value) {
        value.launchCompletionEvent.event = event.get();
    });
    struct Combination {
        const char* name;
        std::vector<cudaLaunchAttribute> attributes;
    };
    std::vector<Combination> combinations = {
        {"pss twice", {pss, pss}},
        {"pss and pss = 0", {pss, pss_attribute(0)}},
        {"pss = 0 and pss", {pss_attribute(0), pss}},
        {"pss, cooperative", {pss, cooperative}},
        {"cooperative, pss", {cooperative, pss}},
        {"pss, a cluster of one block", {pss, cluster}},
        {"pss, a priority", {pss, priority}},
        {"pss, the remote domain", {pss, domain}},
        {"pss, a programmatic event", {pss, programmatic}},
        {"pss, a launch-completion event", {pss, completion}},
        {"pss, both events, the same one", {pss, programmatic, completion}},
    };
#if CUDART_VERSION >= 12080
    combinations.push_back({"pss, a preferred cluster of one block",
                            {pss, cluster, attribute_of(cudaLaunchAttributePreferredClusterDimension, [](auto& value) {
                                 value.preferredClusterDim.x = value.preferredClusterDim.y =
                                     value.preferredClusterDim.z = 1;
                             })}});
#endif
    for (const Combination& combination : combinations) {
        probes.noted(concat("a secondary with ", combination.name),
                     pair.run(HandShake::plain(), HandShake::with(combination.attributes)).counts());
    }
    probes.noted("a cooperative primary, a secondary with pss",
                 pair.run(HandShake::with({cooperative}), HandShake::with_pss(1)).counts());
    probes.noted("both cooperative, the secondary with pss",
                 pair.run(HandShake::with({cooperative}), HandShake::with({pss, cooperative})).counts());
}

/// All blocks of the secondary meet before any of them waits, bounded, while the primary may hold multiprocessors.
constexpr const char* meeting_pair = R"(
extern "C" __global__ void primary(u32* words) { late_store(words); }
extern "C" __global__ void secondary(u32* words) {
    u32* const met = words + 16; // cleared with `started`
    raise(words + started);
    add(met, 1);
    const u64 begin = now();
    u32 all = 0;
    for (u32 step = 0; step < 1000000 && all == 0 && now() - begin < 200000; ++step) {
        all = look(met) >= gridDim.x;
    }
    wait();
    add(words + old, load(words + data) == 0);
    add(words + 128, all == 0);
}
)";

void cooperative_meeting(const NativeDevice& device, Probes& probes) {
    const NativePair pair(device, meeting_pair);
    int multiprocessors = 0;
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device.device()),
          "counting multiprocessors");
    const auto with_blocks = [&](unsigned blocks, bool pss) {
        return HandShakeFunction([blocks, pss](const HandShakeLaunch& each) {
            std::vector<cudaLaunchAttribute> attributes = {
                attribute_of(cudaLaunchAttributeCooperative, [](auto& value) { value.cooperative = 1; })};
            if (pss) {
                attributes.push_back(pss_attribute(1));
            }
            try {
                launch(each.kernel, {blocks, 1, 0}, each.stream, each.arguments, attributes);
            } catch (const CudaError& error) {
                return error.status;
            }
            return cudaSuccess;
        });
    };
    const auto all = static_cast<unsigned>(multiprocessors);
    for (const unsigned blocks : {2u, all}) {
        const PairCounts counts = pair.run(with_blocks(blocks, false), with_blocks(blocks, true));
        std::uint32_t missed = 0;
        check(cudaMemcpy(&missed, pair.words() + 4 * pair_line, sizeof missed, cudaMemcpyDeviceToHost),
              "reading how many blocks met");
        probes.noted(concat("cooperative kernels of ", blocks == all ? "a block a multiprocessor" : "two blocks",
                            ", the secondary's blocks meet before its wait"),
                     concat(counts.counts(), ", blocks that did not meet the others in time: ", missed));
    }
}

/// What may stand between a primary and a pss secondary, beside what litmus programs have.
void operations_in_between(const NativeDevice& device, Probes& probes) {
    const NativePair pair(device, late_pair);
    const cudaStream_t stream = pair.stream();
    std::uint32_t* const spare = pair.words() + 6 * pair_line;
    const HostWords host = allocate_host_words(1);
    host.get()[0] = 0;
    const NativeGraph graph(device);
    const GraphExec empty_graph = instantiate(graph.get(), false);
    NativeGraph with_kernel(device);
    static_cast<void>(with_kernel.add_kernel("a"));
    const GraphExec kernel_graph = instantiate(with_kernel.get(), false);
    const Event event = create_event();
    cudaEvent_t created = nullptr;
    check(cudaEventCreateWithFlags(&created, cudaEventDisableTiming | cudaEventInterprocess), "creating an event");
    const Event interprocess(created);
    using WriteValue = CUresult(CUstream, CUdeviceptr, cuuint32_t, unsigned);
    auto* const write_value = require_driver_function<WriteValue>("cuStreamWriteValue32_v2");
    auto* const wait_value = require_driver_function<WriteValue>("cuStreamWaitValue32_v2");
    const auto address = reinterpret_cast<CUdeviceptr>(spare);

    struct Operation {
        const char* name;
        std::function<cudaError_t()> issue;
    };
    const std::vector<Operation> operations = {
        {"nothing", [] { return cudaSuccess; }},
        {"cudaMemsetAsync", [&] { return cudaMemsetAsync(spare, 0, 4, stream); }},
        {"cudaMemcpyAsync from the host",
         [&] { return cudaMemcpyAsync(spare, host.get(), 4, cudaMemcpyHostToDevice, stream); }},
        {"cudaMemcpyAsync to the host",
         [&] { return cudaMemcpyAsync(host.get(), spare, 4, cudaMemcpyDeviceToHost, stream); }},
        {"cudaMemcpyAsync on the device",
         [&] { return cudaMemcpyAsync(spare, spare + 1, 4, cudaMemcpyDeviceToDevice, stream); }},
        {"a record of an event", [&] { return cudaEventRecord(event.get(), stream); }},
        {"a record of an interprocess event", [&] { return cudaEventRecord(interprocess.get(), stream); }},
        {"cudaMallocAsync and cudaFreeAsync",
         [&] {
             void* memory = nullptr;
             const cudaError_t status = cudaMallocAsync(&memory, 1024, stream);
             return status != cudaSuccess ? status : cudaFreeAsync(memory, stream);
         }},
        {"cuStreamWriteValue32", [&] { return as_runtime_error(write_value(stream, address, 1, 0)); }},
        {"cuStreamWaitValue32 of what is there",
         [&] { return as_runtime_error(wait_value(stream, address, 0, CU_STREAM_WAIT_VALUE_GEQ)); }},
        {"a launch of an empty graph", [&] { return cudaGraphLaunch(empty_graph.get(), stream); }},
        {"a launch of a graph with a kernel", [&] { return cudaGraphLaunch(kernel_graph.get(), stream); }},
        {"a zero-sized cudaMemsetAsync", [&] { return cudaMemsetAsync(spare, 0, 0, stream); }},
        {"cudaStreamWaitEvent of the stream's own event",
         [&] {
             const cudaError_t status = cudaEventRecord(event.get(), stream);
             return status != cudaSuccess ? status : cudaStreamWaitEvent(stream, event.get(), 0);
         }},
    };
    for (const Operation& operation : operations) {
        const auto secondary = [&](const HandShakeLaunch& each) {
            const cudaError_t status = operation.issue();
            return status != cudaSuccess ? status : HandShake::with_pss(1)(each);
        };
        probes.noted(concat("between a primary and a secondary with pss: ", operation.name),
                     pair.run(HandShake::plain(), secondary, 50).counts());
    }
}

/// The codes of launches that no document gives a code.
void error_codes(const NativeDevice& device, Probes& probes) {
    const NativeGraph kernels(device);
    const Stream stream = create_stream();
    const auto launched = [&](LaunchShape shape, std::vector<cudaLaunchAttribute> attributes) {
        try {
            launch(kernels.kernel(), shape, stream.get(), {}, attributes);
        } catch (const CudaError& error) {
            return returned(error.status);
        }
        return std::string("cudaSuccess");
    };
    const auto event_attribute = [](cudaLaunchAttributeID id, cudaEvent_t event, int flags) {
        return attribute_of(id, [&](auto& value) {
            if (id == cudaLaunchAttributeProgrammaticEvent) {
                value.programmaticEvent.event = event;
                value.programmaticEvent.flags = flags;
            } else {
                value.launchCompletionEvent.event = event;
                value.launchCompletionEvent.flags = flags;
            }
        });
    };
    const cudaLaunchAttribute pss = pss_attribute(1);
    for (const auto& [shape, name] :
         {std::pair(LaunchShape{0, 1, 0}, "no block"), std::pair(LaunchShape{1, 0, 0}, "no thread"),
          std::pair(LaunchShape{1, 2048, 0}, "2048 threads a block")}) {
        probes.noted(concat("a launch of ", name, ", without attributes"), launched(shape, {}));
        probes.noted(concat("a launch of ", name, ", with pss"), launched(shape, {pss}));
    }
    const Event event = create_event();
    for (const auto& [id, name] : {std::pair(cudaLaunchAttributeProgrammaticEvent, "a programmatic event"),
                                   std::pair(cudaLaunchAttributeLaunchCompletionEvent, "a launch-completion event")}) {
        probes.noted(concat(name, " that is null"), launched({}, {event_attribute(id, nullptr, 0)}));
        probes.noted(concat(name, " with unknown flags"), launched({}, {event_attribute(id, event.get(), 0x40)}));
        probes.noted(concat(name, " given twice"),
                     launched({}, {event_attribute(id, event.get(), 0), event_attribute(id, event.get(), 0)}));
    }
    cudaLaunchAttribute unknown{};
    unknown.id = static_cast<cudaLaunchAttributeID>(63);
    probes.noted("an attribute that does not exist", launched({}, {unknown}));
    probes.noted("a launch with pss afterwards", launched({}, {pss}));
    device.wait(stream.get(), "launches that were not refused");
}

} // namespace

std::vector<NativeCheck> ambiguities_of_launches_checks() {
    return {
        {"ambiguities/attribute-combinations", attribute_combinations},
        {"ambiguities/cooperative-meeting", cooperative_meeting},
        {"ambiguities/operations-in-between", operations_in_between},
        {"ambiguities/error-codes", error_codes},
    };
}

} // namespace pdlcts
