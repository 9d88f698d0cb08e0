// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_graph.hpp"

#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"

#include <algorithm>

namespace pdlcts {

cudaGraphEdgeData edge_data(unsigned char type, unsigned char from_port, unsigned char to_port) {
    cudaGraphEdgeData data{};
    data.type = type;
    data.from_port = from_port;
    data.to_port = to_port;
    return data;
}

cudaGraphEdgeData programmatic_edge() {
    return edge_data(cudaGraphDependencyTypeProgrammatic, cudaGraphKernelNodePortProgrammatic);
}

cudaGraphEdgeData launch_completion_edge() {
    return edge_data(cudaGraphDependencyTypeProgrammatic, cudaGraphKernelNodePortLaunchCompletion);
}

std::array<cudaGraphEdgeData, 3> annotations() {
    return {default_edge, programmatic_edge(), launch_completion_edge()};
}

std::string only_edge(cudaGraph_t graph) {
    const std::vector<cudaGraphEdgeData> edges = edges_of(graph).edges;
    return edges.size() == 1 ? print(edges.front()) : concat(edges.size(), " edges");
}

NativeGraph::NativeGraph(const NativeDevice& device)
    : library_(device.compile(empty_kernel)), kernel_(library_.kernel("nothing")), word_(allocate_device_words(1)),
      graph_(create_graph()) {}

cudaGraphNode_t NativeGraph::named(cudaGraphNode_t node, std::string name) {
    names_.emplace_back(node, std::move(name));
    return node;
}

cudaGraphNode_t NativeGraph::add_kernel(std::string name) {
    return named(add_kernel_node(graph_.get(), kernel_, {}, {}, {}), std::move(name));
}

cudaGraphNode_t NativeGraph::add_empty(std::string name) {
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddEmptyNode(&node, graph_.get(), nullptr, 0), "adding an empty node to a graph");
    return named(node, std::move(name));
}

cudaGraphNode_t NativeGraph::add_memset(std::string name) {
    cudaMemsetParams parameters{};
    parameters.dst = word_.get();
    parameters.elementSize = sizeof(std::uint32_t);
    parameters.width = 1;
    parameters.height = 1;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddMemsetNode(&node, graph_.get(), nullptr, 0, &parameters), "adding a memset to a graph");
    return named(node, std::move(name));
}

cudaGraphNode_t NativeGraph::add_host_function(std::string name) {
    cudaHostNodeParams parameters{};
    parameters.fn = [](void*) {};
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddHostNode(&node, graph_.get(), nullptr, 0, &parameters), "adding a host function to a graph");
    return named(node, std::move(name));
}

std::string NativeGraph::edges() const {
    const GraphEdges edges = edges_of(graph_.get());
    std::vector<std::string> lines;
    for (std::size_t index = 0; index < edges.edges.size(); ++index) {
        lines.push_back(
            concat(name_of(edges.from[index]), " -> ", name_of(edges.to[index]), ": ", print(edges.edges[index])));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) {
        text += (text.empty() ? "" : "; ") + line;
    }
    return text.empty() ? "no edge" : text;
}

std::string NativeGraph::name_of(cudaGraphNode_t node) const {
    if (node == nullptr) {
        return "null";
    }
    const auto found = std::find_if(names_.begin(), names_.end(), [=](const auto& each) { return each.first == node; });
    return found == names_.end() ? "another node" : found->second;
}

KernelPair::KernelPair(const NativeDevice& device, const cudaGraphEdgeData& edge)
    : graph(device), a(graph.add_kernel("a")), b(graph.add_kernel("b")) {
    check(graph.add_edge(a, b, edge), "adding an edge");
}

} // namespace pdlcts
