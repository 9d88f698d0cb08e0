// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_linked_library.hpp"
#include "harness/gpu/native_pair.hpp"

#include <array>

/// Programmatic edges where no document mentions them: in the body of a conditional node, and in a graph that the
/// device launches.
namespace pdlcts {
namespace {

constexpr unsigned launches = 30;

constexpr const char* pair_kernels = R"(
extern "C" __global__ void primary(u32* words) { late_store(words); }
extern "C" __global__ void secondary(u32* words) {
    raise(words + started);
    wait();
    add(words + old, load(words + data) == 0);
    add(words + 128, 1);
}
)";
constexpr const char* launcher_kernel = R"(
extern "C" __global__ void launcher(u32* words, cudaGraphExec_t graph) {
    add(words + 160, cudaGraphLaunch(graph, cudaStreamGraphFireAndForget) != cudaSuccess);
}
)";

/// Adds primary -> secondary; what adding the edge returned.
std::string add_pair(cudaGraph_t graph, Kernel primary, Kernel secondary, std::uint32_t* words,
                     const cudaGraphEdgeData& edge) {
    KernelArguments arguments;
    arguments.record = words;
    const cudaGraphNode_t a = add_kernel_node(graph, primary, {}, arguments, {});
    const cudaGraphNode_t b = add_kernel_node(graph, secondary, {}, arguments, {});
    return returned(add_dependencies(graph, &a, &b, &edge, 1));
}

/// Launches an executable graph again and again; what its pairs showed.
std::string launched(const NativeDevice& device, cudaGraphExec_t exec, std::uint32_t* words) {
    const Stream stream = create_stream();
    clear_lines(words, 6, stream.get());
    for (unsigned launch = 0; launch < launches; ++launch) {
        clear_lines(words, 2, stream.get());
        if (const cudaError_t status = cudaGraphLaunch(exec, stream.get()); status != cudaSuccess) {
            device.wait(stream.get(), "graphs before one that was refused");
            return returned(status);
        }
    }
    const auto read = read_lines(device, words, 6, stream.get(), "graphs with a pair of kernels");
    return concat("ran ", read[4], " times, overlap in ", read[2], ", ", read[3],
                  " old values, launches refused by the device ", read[5]);
}

void conditional_body(const NativeDevice& device, Probes& probes) {
    const KernelLibrary library = device.compile(pair_source(pair_kernels));
    const DeviceWords words = allocate_device_words(6 * pair_line);
    for (const cudaGraphEdgeData& edge : annotations()) {
        const Graph parent = create_graph();
        cudaGraphConditionalHandle handle{};
        check(cudaGraphConditionalHandleCreate(&handle, parent.get(), 1, cudaGraphCondAssignDefault),
              "creating a conditional handle");
        cudaGraphNodeParams parameters{};
        parameters.type = cudaGraphNodeTypeConditional;
        parameters.conditional.handle = handle;
        parameters.conditional.type = cudaGraphCondTypeIf;
        parameters.conditional.size = 1;
        cudaGraphNode_t node = nullptr;
        check(add_node(&node, parent.get(), nullptr, nullptr, 0, &parameters), "adding a conditional node");
        const std::string added = add_pair(parameters.conditional.phGraph_out[0], library.kernel("primary"),
                                           library.kernel("secondary"), words.get(), edge);
        cudaGraphExec_t made = nullptr;
        const std::string instantiated = returned(cudaGraphInstantiate(&made, parent.get(), 0));
        const GraphExec exec(made);
        const std::string what = concat("a conditional body with an edge of ", print(edge));
        probes.noted(what, concat("added: ", added, ", instantiated: ", instantiated));
        if (made != nullptr) {
            probes.noted(concat(what, ", launched"), launched(device, exec.get(), words.get()));
        }
    }
}

void device_launch(const NativeDevice& device, Probes& probes) {
    const LinkedLibrary library(device, pair_source(std::string(pair_kernels) + launcher_kernel));
    void* const launcher = runtime_function(library.kernel("launcher"));
    const DeviceWords words = allocate_device_words(6 * pair_line);
    const Stream stream = create_stream();
    for (const cudaGraphEdgeData& edge : annotations()) {
        const std::string what = concat("a graph for launches by the device, ", print(edge));
        const Graph graph = create_graph();
        const std::string added =
            add_pair(graph.get(), library.kernel("primary"), library.kernel("secondary"), words.get(), edge);
        cudaGraphExec_t made = nullptr;
        const std::string instantiated =
            returned(cudaGraphInstantiate(&made, graph.get(), cudaGraphInstantiateFlagDeviceLaunch));
        const GraphExec exec(made);
        probes.noted(what, concat("added: ", added, ", instantiated: ", instantiated));
        if (made == nullptr) {
            continue;
        }
        check(cudaGraphUpload(exec.get(), stream.get()), "uploading a graph");
        device.wait(stream.get(), "uploading a graph");
        probes.noted(concat(what, ", launched by the host"), launched(device, exec.get(), words.get()));

        const Graph parent = create_graph();
        void* record = words.get();
        std::array<void*, 2> pointers = {&record, &made};
        cudaKernelNodeParams parameters{};
        parameters.func = launcher;
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(1);
        parameters.kernelParams = pointers.data();
        cudaGraphNode_t node = nullptr;
        check(cudaGraphAddKernelNode(&node, parent.get(), nullptr, 0, &parameters), "adding a launching kernel");
        cudaGraphExec_t of_parent = nullptr;
        check(cudaGraphInstantiate(&of_parent, parent.get(), cudaGraphInstantiateFlagDeviceLaunch),
              "instantiating a graph that launches another");
        const GraphExec launching(of_parent);
        check(cudaGraphUpload(launching.get(), stream.get()), "uploading a graph");
        device.wait(stream.get(), "uploading a graph");
        probes.noted(concat(what, ", launched by the device"), launched(device, launching.get(), words.get()));
    }
}

} // namespace

std::vector<NativeCheck> graph_launch_checks() {
    return {
        {"graph-exec/device-launch", device_launch},
        {"graph-exec/conditional-body", conditional_body},
    };
}

} // namespace pdlcts
