// SPDX-License-Identifier: Apache-2.0
// Three calls about programmatic edges that do not do what their documentation says (graph.query.roundtrip,
// graph.remove.data-must-match, graph.capture.partial-edges-ignored-for-join). Nothing is launched.
//
//     nvcc -std=c++17 -arch=sm_90 -o graph_edges graph_edges.cu && ./graph_edges
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

// CUDA 13 gave the calls with edge data the plain names.
cudaError_t add(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                const cudaGraphEdgeData* data, size_t count) {
#if CUDART_VERSION >= 13000
    return cudaGraphAddDependencies(graph, from, to, data, count);
#else
    return cudaGraphAddDependencies_v2(graph, from, to, data, count);
#endif
}

cudaError_t remove(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                   const cudaGraphEdgeData* data, size_t count) {
#if CUDART_VERSION >= 13000
    return cudaGraphRemoveDependencies(graph, from, to, data, count);
#else
    return cudaGraphRemoveDependencies_v2(graph, from, to, data, count);
#endif
}

cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                      size_t* count) {
#if CUDART_VERSION >= 13000
    return cudaGraphGetEdges(graph, from, to, data, count);
#else
    return cudaGraphGetEdges_v2(graph, from, to, data, count);
#endif
}

__global__ void kernel() {}

constexpr cudaGraphEdgeData full{};
constexpr cudaGraphEdgeData programmatic{
    cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {}};
constexpr cudaGraphEdgeData launch_completion{
    cudaGraphKernelNodePortLaunchCompletion, 0, cudaGraphDependencyTypeProgrammatic, {}};

/// Kernels a, b and c, without edges.
struct Kernels {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t nodes[3] = {};
    Kernels() {
        check(cudaGraphCreate(&graph, 0), "creating a graph");
        cudaKernelNodeParams parameters{};
        parameters.func = reinterpret_cast<void*>(kernel);
        parameters.gridDim = 1;
        parameters.blockDim = 1;
        for (cudaGraphNode_t& node : nodes) {
            check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), "adding a kernel");
        }
    }
    std::string edges() const {
        cudaGraphNode_t from[8], to[8];
        cudaGraphEdgeData data[8];
        size_t count = 8;
        check(get_edges(graph, from, to, data, &count), "reading the edges");
        std::string text;
        for (size_t edge = 0; edge < count; ++edge) {
            text += text.empty() ? "" : "; ";
            text += name(from[edge]) + " -> " + name(to[edge]) + ": type " + std::to_string(data[edge].type) +
                    ", port " + std::to_string(data[edge].from_port);
        }
        return text.empty() ? "none" : text;
    }
    std::string name(cudaGraphNode_t node) const { return node == nodes[0] ? "a" : node == nodes[1] ? "b" : "c"; }
};

bool report(const char* what, const std::string& expected, const std::string& found) {
    std::printf("%s\n  expected: %s\n  found:    %s\n", what, expected.c_str(), found.c_str());
    return expected == found;
}

bool two_edges_in_one_call() {
    Kernels kernels;
    const cudaGraphNode_t from[] = {kernels.nodes[0], kernels.nodes[0]};
    const cudaGraphNode_t to[] = {kernels.nodes[1], kernels.nodes[2]};
    const cudaGraphEdgeData data[] = {programmatic, launch_completion};
    check(add(kernels.graph, from, to, data, 2), "adding two edges");
    return report("two edges added by one call", "a -> b: type 1, port 1; a -> c: type 1, port 2", kernels.edges());
}

bool removing_with_other_data() {
    Kernels kernels;
    check(add(kernels.graph, &kernels.nodes[0], &kernels.nodes[1], &programmatic, 1), "adding an edge");
    const cudaError_t status = remove(kernels.graph, &kernels.nodes[0], &kernels.nodes[1], &full, 1);
    return report("a programmatic edge, removed as a plain one", "cudaErrorInvalidValue, a -> b: type 1, port 1",
                  std::string(cudaGetErrorName(status)) + ", " + kernels.edges());
}

void launch(cudaStream_t stream, cudaEvent_t event) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = event;
    cudaLaunchConfig_t config{};
    config.gridDim = 1;
    config.blockDim = 1;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = event == nullptr ? 0 : 1;
    check(cudaLaunchKernelEx(&config, kernel), "capturing a kernel");
}

bool join_by_a_programmatic_event() {
    cudaStream_t main = nullptr, other = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    check(cudaStreamCreateWithFlags(&main, cudaStreamNonBlocking), "creating a stream");
    check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "creating a stream");
    check(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), "creating an event");
    check(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), "creating an event");
    check(cudaStreamBeginCapture(main, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    launch(main, nullptr);
    check(cudaEventRecord(fork, main), "forking");
    check(cudaStreamWaitEvent(other, fork, 0), "forking");
    launch(other, join);
    check(cudaStreamWaitEvent(main, join, 0), "joining");
    launch(main, nullptr);
    cudaGraph_t graph = nullptr;
    const cudaError_t status = cudaStreamEndCapture(main, &graph);
    return report("a capture whose fork is joined by nothing but a programmatic event",
                  "cudaErrorStreamCaptureUnjoined", cudaGetErrorName(status));
}

} // namespace

int main() {
    const bool first = two_edges_in_one_call();
    const bool second = removing_with_other_data();
    const bool third = join_by_a_programmatic_event();
    return first && second && third ? 0 : 1;
}
