// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/edge_calls.hpp"
#include "harness/gpu/native_device.hpp"

#include <array>
#include <string>
#include <utility>
#include <vector>

/// A small graph for native checks: nodes with names, and what its edges are, as text.
namespace pdlcts {

/// The edge data that the documents name.
inline constexpr cudaGraphEdgeData default_edge{};
cudaGraphEdgeData edge_data(unsigned char type, unsigned char from_port, unsigned char to_port = 0);
cudaGraphEdgeData programmatic_edge();      ///< type programmatic, port programmatic
cudaGraphEdgeData launch_completion_edge(); ///< type programmatic, port launch completion

std::array<cudaGraphEdgeData, 3> annotations(); ///< default, programmatic, launch completion

/// The data of the one edge that a graph has, or how many it has.
std::string only_edge(cudaGraph_t graph);

/// CUDA C++ of a kernel `nothing`, which does nothing.
inline constexpr const char* empty_kernel = "extern \"C\" __global__ void nothing() {}\n";

class NativeGraph {
public:
    /// Compiles a kernel that does nothing, for kernel nodes.
    explicit NativeGraph(const NativeDevice& device);

    cudaGraphNode_t add_kernel(std::string name);
    cudaGraphNode_t add_empty(std::string name);
    cudaGraphNode_t add_memset(std::string name);
    cudaGraphNode_t add_host_function(std::string name);

    cudaGraph_t get() const { return graph_.get(); }
    Kernel kernel() const { return kernel_; }

    /// One edge; what the call returned.
    cudaError_t add_edge(cudaGraphNode_t from, cudaGraphNode_t to, const cudaGraphEdgeData& edge) const {
        return add_dependencies(graph_.get(), &from, &to, &edge, 1);
    }
    /// Every edge, sorted: `a -> b: type programmatic, port programmatic; a -> c: ...`.
    std::string edges() const;
    /// The name of a node: `null`, `another node`.
    std::string name_of(cudaGraphNode_t node) const;

private:
    cudaGraphNode_t named(cudaGraphNode_t node, std::string name);

    KernelLibrary library_;
    Kernel kernel_;
    DeviceWords word_;
    Graph graph_;
    std::vector<std::pair<cudaGraphNode_t, std::string>> names_;
};

/// Kernels a and b that do nothing, and a -> b with this edge.
struct KernelPair {
    NativeGraph graph;
    cudaGraphNode_t a, b;

    KernelPair(const NativeDevice& device, const cudaGraphEdgeData& edge);
};

} // namespace pdlcts
