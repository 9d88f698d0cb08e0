// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_error.hpp"
#include "harness/gpu/edge_calls.hpp"

#include <cuda_runtime_api.h>
#include <vector>

/// Edges and captures as the harness reads and writes them, checked, with every toolkit.
namespace pdlcts {

/// What a capturing stream captures into, and the nodes that its next operation will depend on, and how.
struct CaptureDependencies {
    cudaGraph_t graph = nullptr;
    std::vector<cudaGraphNode_t> nodes;
    std::vector<cudaGraphEdgeData> edges;
};

inline CaptureDependencies capture_dependencies(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    size_t count = 0;
    check(get_capture_info(stream, &status, &id, &graph, &nodes, &edges, &count), "reading a capture");
    if (status != cudaStreamCaptureStatusActive) {
        throw CudaError(cudaErrorStreamCaptureInvalidated, "reading a capture");
    }
    CaptureDependencies dependencies;
    dependencies.graph = graph;
    dependencies.nodes.assign(nodes, nodes + count);
    if (edges != nullptr) {
        dependencies.edges.assign(edges, edges + count);
    } else {
        dependencies.edges.resize(count);
    }
    return dependencies;
}

/// Makes the next operation of a capturing stream depend on the completion of exactly these nodes.
inline void set_capture_dependencies(cudaStream_t stream, std::vector<cudaGraphNode_t>& nodes) {
    check(update_capture_dependencies(stream, nodes.data(), nullptr, nodes.size(), cudaStreamSetCaptureDependencies),
          "separating two trials of a capture");
}

/// One edge a call: given several, driver 580.159.04 with runtime 13.0 gives all of them the data of the first, without
/// an error (seen on an H200; graph.query.roundtrip says otherwise).
inline void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, const cudaGraphEdgeData& edge) {
    check(add_dependencies(graph, &from, &to, &edge, 1), "adding an edge to a graph");
}

struct GraphEdges {
    std::vector<cudaGraphNode_t> from;
    std::vector<cudaGraphNode_t> to;
    std::vector<cudaGraphEdgeData> edges;
};

inline GraphEdges edges_of(cudaGraph_t graph) {
    size_t count = 0;
    check(get_edges(graph, nullptr, nullptr, nullptr, &count), "counting the edges of a graph");
    GraphEdges found{std::vector<cudaGraphNode_t>(count), std::vector<cudaGraphNode_t>(count),
                     std::vector<cudaGraphEdgeData>(count)};
    check(get_edges(graph, found.from.data(), found.to.data(), found.edges.data(), &count),
          "reading the edges of a graph");
    return found;
}

} // namespace pdlcts
