// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>

/// The graph functions that take edge data, under one name for all toolkits (`_v2` in 12.x), and unchecked: what they
/// return is what a native check is about.
namespace pdlcts {

#if CUDART_VERSION >= 13000
inline cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                             std::size_t* count) {
    return cudaGraphGetEdges(graph, from, to, edges, count);
}
inline cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                    std::size_t* count) {
    return cudaGraphNodeGetDependencies(node, nodes, edges, count);
}
inline cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                  std::size_t* count) {
    return cudaGraphNodeGetDependentNodes(node, nodes, edges, count);
}
inline cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                    const cudaGraphEdgeData* edges, std::size_t count) {
    return cudaGraphAddDependencies(graph, from, to, edges, count);
}
inline cudaError_t remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                       const cudaGraphEdgeData* edges, std::size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, edges, count);
}
inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                            const cudaGraphEdgeData* edges, std::size_t count, cudaGraphNodeParams* parameters) {
    return cudaGraphAddNode(node, graph, dependencies, edges, count, parameters);
}
inline cudaError_t get_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                    cudaGraph_t* graph, const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                    std::size_t* count) {
    return cudaStreamGetCaptureInfo(stream, status, id, graph, nodes, edges, count);
}
inline cudaError_t update_capture_dependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                               const cudaGraphEdgeData* edges, std::size_t count, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags);
}
#else
inline cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                             std::size_t* count) {
    return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}
inline cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                    std::size_t* count) {
    return cudaGraphNodeGetDependencies_v2(node, nodes, edges, count);
}
inline cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t* nodes, cudaGraphEdgeData* edges,
                                  std::size_t* count) {
    return cudaGraphNodeGetDependentNodes_v2(node, nodes, edges, count);
}
inline cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                    const cudaGraphEdgeData* edges, std::size_t count) {
    return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}
inline cudaError_t remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                       const cudaGraphEdgeData* edges, std::size_t count) {
    return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}
inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                            const cudaGraphEdgeData* edges, std::size_t count, cudaGraphNodeParams* parameters) {
    return cudaGraphAddNode_v2(node, graph, dependencies, edges, count, parameters);
}
inline cudaError_t get_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                    cudaGraph_t* graph, const cudaGraphNode_t** nodes, const cudaGraphEdgeData** edges,
                                    std::size_t* count) {
    return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, nodes, edges, count);
}
inline cudaError_t update_capture_dependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                               const cudaGraphEdgeData* edges, std::size_t count, unsigned flags) {
    return cudaStreamUpdateCaptureDependencies_v2(stream, nodes, edges, count, flags);
}
#endif

} // namespace pdlcts
