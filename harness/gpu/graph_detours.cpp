// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/graph_detours.hpp"

#include "harness/gpu/driver_functions.hpp"

#include <cstring>

namespace pdlcts {
namespace {

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph, nullptr, &count), "counting the nodes of a graph");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph, nodes.data(), &count), "reading the nodes of a graph");
    return nodes;
}

cudaGraphNodeType type_of(cudaGraphNode_t node) {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    check(cudaGraphNodeGetType(node, &type), "reading the type of a node");
    return type;
}

/// What a kernel node launches, and on which record: the first argument, which no other trial has.
bool same_kernels(cudaGraphNode_t original, cudaGraphNode_t copy) {
    static const auto read =
        require_driver_function<decltype(cuGraphKernelNodeGetParams)>("cuGraphKernelNodeGetParams_v2");
    CUDA_KERNEL_NODE_PARAMS of_original{};
    CUDA_KERNEL_NODE_PARAMS of_copy{};
    check_driver(read(original, &of_original), "reading the launch of a node");
    check_driver(read(copy, &of_copy), "reading the launch of a node of a child graph");
    void* record = nullptr;
    void* record_of_copy = nullptr;
    std::memcpy(&record, of_original.kernelParams[0], sizeof(void*));
    std::memcpy(&record_of_copy, of_copy.kernelParams[0], sizeof(void*));
    return of_original.func == of_copy.func && of_original.kern == of_copy.kern && record == record_of_copy &&
           of_original.gridDimX == of_copy.gridDimX && of_original.blockDimX == of_copy.blockDimX &&
           of_original.sharedMemBytes == of_copy.sharedMemBytes;
}

bool same_memsets(cudaGraphNode_t original, cudaGraphNode_t copy) {
    cudaMemsetParams of_original{};
    cudaMemsetParams of_copy{};
    check(cudaGraphMemsetNodeGetParams(original, &of_original), "reading a memset of a graph");
    check(cudaGraphMemsetNodeGetParams(copy, &of_copy), "reading a memset of a child graph");
    return of_original.dst == of_copy.dst && of_original.value == of_copy.value && of_original.width == of_copy.width;
}

bool same_copies(cudaGraphNode_t original, cudaGraphNode_t copy) {
    cudaMemcpy3DParms of_original{};
    cudaMemcpy3DParms of_copy{};
    check(cudaGraphMemcpyNodeGetParams(original, &of_original), "reading a memcpy of a graph");
    check(cudaGraphMemcpyNodeGetParams(copy, &of_copy), "reading a memcpy of a child graph");
    return of_original.dstPtr.ptr == of_copy.dstPtr.ptr && of_original.srcPtr.ptr == of_copy.srcPtr.ptr;
}

bool same_calls(cudaGraphNode_t original, cudaGraphNode_t copy) {
    cudaHostNodeParams of_original{};
    cudaHostNodeParams of_copy{};
    check(cudaGraphHostNodeGetParams(original, &of_original), "reading a host function of a graph");
    check(cudaGraphHostNodeGetParams(copy, &of_copy), "reading a host function of a child graph");
    return of_original.fn == of_copy.fn && of_original.userData == of_copy.userData;
}

bool is_copy_of(cudaGraphNode_t original, cudaGraphNode_t copy) {
    const cudaGraphNodeType type = type_of(original);
    if (type != type_of(copy)) {
        return false;
    }
    switch (type) {
    case cudaGraphNodeTypeKernel:
        return same_kernels(original, copy);
    case cudaGraphNodeTypeMemset:
        return same_memsets(original, copy);
    case cudaGraphNodeTypeMemcpy:
        return same_copies(original, copy);
    case cudaGraphNodeTypeHost:
        return same_calls(original, copy);
    default:
        return true; // empty: the edges tell, when the graph is read back
    }
}

/// The same trials, whose nodes are now those that `copy` gives for each of the original's.
template <typename Copy>
void move_nodes(const TrialGraph& original, TrialGraph& moved, Copy copy) {
    for (const auto& [node, place] : original.nodes) {
        moved.nodes[copy(node)] = place;
    }
    for (const cudaGraphNode_t separator : original.before_trial) {
        moved.before_trial.push_back(copy(separator));
    }
}

} // namespace

TrialGraph clone_of(TrialGraph original) {
    TrialGraph clone;
    cudaGraph_t graph = nullptr;
    check(cudaGraphClone(&graph, original.graph.get()), "cloning a graph of trials");
    clone.graph = Graph(graph);
    move_nodes(original, clone, [&](cudaGraphNode_t node) {
        cudaGraphNode_t found = nullptr;
        check(cudaGraphNodeFindInClone(&found, node, graph), "finding a node in a clone");
        return found;
    });
    clone.has_priorities = original.has_priorities;
    clone.host_calls = std::move(original.host_calls);
    return clone;
}

TrialGraph parent_of(TrialGraph original) {
    TrialGraph parent;
    parent.graph = create_graph();
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddChildGraphNode(&node, parent.graph.get(), nullptr, 0, original.graph.get()),
          "adding a graph of trials to another as its child");
    cudaGraph_t child = nullptr;
    check(cudaGraphChildGraphNodeGetGraph(node, &child), "reading a child graph");
    // Nothing names the copy of a node of a child graph, so copies are taken in order, and held to their originals.
    const std::vector<cudaGraphNode_t> nodes = nodes_of(original.graph.get());
    const std::vector<cudaGraphNode_t> copies = nodes_of(child);
    if (nodes.size() != copies.size()) {
        throw HarnessFault("a child graph has " + std::to_string(copies.size()) +
                           " nodes; the graph it was made of has " + std::to_string(nodes.size()));
    }
    std::map<cudaGraphNode_t, cudaGraphNode_t> copy_of;
    for (std::size_t index = 0; index < nodes.size(); ++index) {
        if (!is_copy_of(nodes[index], copies[index])) {
            throw HarnessFault("the nodes of a child graph are not those of the graph it was made of, in order");
        }
        copy_of[nodes[index]] = copies[index];
    }
    move_nodes(original, parent, [&](cudaGraphNode_t original_node) { return copy_of.at(original_node); });
    parent.child = child;
    parent.has_priorities = original.has_priorities;
    parent.host_calls = std::move(original.host_calls);
    return parent;
}

void instantiate_updated(TrialGraph& graph, const TrialGraph& before) {
    graph.exec = instantiate(before.graph.get(), before.has_priorities);
    cudaGraphExecUpdateResultInfo result{};
    const cudaError_t status = cudaGraphExecUpdate(graph.exec.get(), graph.graph.get(), &result);
    if (status == cudaErrorGraphExecUpdateFailure) {
        static_cast<void>(cudaGetLastError());
        throw HarnessFault("the driver refuses to update an executable graph to one of the same edges, for reason " +
                           std::to_string(result.result));
    }
    check(status, "updating an executable graph of trials");
}

} // namespace pdlcts
