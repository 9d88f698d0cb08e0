// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/native_graph.hpp"

namespace pdlcts {
namespace {

std::string edge_of_clone(const NativeDevice& device, const cudaGraphEdgeData& edge) {
    const KernelPair pair(device, edge);
    cudaGraph_t clone = nullptr;
    check(cudaGraphClone(&clone, pair.graph.get()), "cloning a graph");
    const Graph owned(clone);
    return only_edge(clone);
}

std::string edge_of_child(const NativeDevice& device, const cudaGraphEdgeData& edge) {
    const KernelPair pair(device, edge);
    const Graph parent = create_graph();
    cudaGraphNode_t child = nullptr;
    check(cudaGraphAddChildGraphNode(&child, parent.get(), nullptr, 0, pair.graph.get()), "adding a child graph");
    cudaGraph_t embedded = nullptr;
    check(cudaGraphChildGraphNodeGetGraph(child, &embedded), "reading a child graph");
    return only_edge(embedded);
}

void clone_keeps_edge_data(const NativeDevice& device, Probes& probes) {
    for (const cudaGraphEdgeData& edge : {programmatic_edge(), launch_completion_edge()}) {
        probes.holds(concat("the edge of a clone, of ", print(edge)), {print(edge)}, edge_of_clone(device, edge));
        probes.holds(concat("the edge of a child graph, of ", print(edge)), {print(edge)}, edge_of_child(device, edge));
    }
    probes.differs("the edge of a clone of a plain graph", {print(programmatic_edge())},
                   edge_of_clone(device, default_edge));
}

void update_topology_identical(const NativeDevice& device, Probes& probes) {
    const KernelPair plain(device, default_edge);
    const KernelPair programmatic(device, programmatic_edge());
    const KernelPair again(device, default_edge);
    const GraphExec exec = instantiate(plain.graph.get(), false);
    const Stream stream = create_stream();
    const auto updated = [&](const KernelPair& to) {
        cudaGraphExecUpdateResultInfo info{};
        const cudaError_t status = cudaGraphExecUpdate(exec.get(), to.graph.get(), &info);
        const char* const why = info.result == cudaGraphExecUpdateErrorTopologyChanged ? ", topology changed" : "";
        return std::pair(returned(status), std::string(why));
    };
    const auto launched = [&] {
        const std::string status = returned(cudaGraphLaunch(exec.get(), stream.get()));
        device.wait(stream.get(), "a graph after an update");
        return status;
    };
    const std::string before = launched();
    const auto [status, why] = updated(programmatic);
    probes.illegal("cudaGraphExecUpdate of a plain edge to a programmatic one", {"cudaErrorGraphExecUpdateFailure"},
                   status);
    probes.noted("its result", concat(status, why));
    probes.kept("launching the graph as it was", before, launched());
    probes.legal("cudaGraphExecUpdate to a graph with the same edge", updated(again).first);
}

void set_params_ignores_edges(const NativeDevice& device, Probes& probes) {
    const KernelPair pair(device, programmatic_edge());
    const GraphExec exec = instantiate(pair.graph.get(), false);
    const cudaGraphEdgeData edge = programmatic_edge();
    check(remove_dependencies(pair.graph.get(), &pair.a, &pair.b, &edge, 1), "removing an edge");
    // Not read back from the node: of a kernel of a library the runtime cannot tell them.
    cudaKernelNodeParams parameters{};
    parameters.func = runtime_function(pair.graph.kernel());
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(1);
    const std::vector<std::string> success = {"cudaSuccess"};
    probes.holds("cudaGraphExecKernelNodeSetParams of b after its edge was removed from the graph", success,
                 returned(cudaGraphExecKernelNodeSetParams(exec.get(), pair.b, &parameters)));
    cudaGraphExecUpdateResultInfo info{};
    probes.differs("cudaGraphExecUpdate to the graph without the edge", success,
                   returned(cudaGraphExecUpdate(exec.get(), pair.graph.get(), &info)));
}

void instantiate_validates(const NativeDevice& device, Probes& probes) {
    const auto instantiated = [&](bool cyclic) {
        const KernelPair pair(device, default_edge);
        if (cyclic && pair.graph.add_edge(pair.b, pair.a, default_edge) != cudaSuccess) {
            static_cast<void>(cudaGetLastError());
            return std::string("refused when the edge was added");
        }
        cudaGraphExec_t exec = nullptr;
        const std::string status = returned(cudaGraphInstantiate(&exec, pair.graph.get(), 0));
        const GraphExec owned(exec);
        return status;
    };
    // Refused earlier, the graph is not there to be refused by instantiation.
    const std::vector<std::string> refused = {"cudaErrorInvalidValue", "refused when the edge was added"};
    probes.holds("cudaGraphInstantiate of a cycle of two kernels", refused, instantiated(true));
    probes.differs("cudaGraphInstantiate of one edge", refused, instantiated(false));
}

} // namespace

std::vector<NativeCheck> graph_exec_checks() {
    return {
        {"graph-exec/clone-keeps-edge-data", clone_keeps_edge_data},
        {"graph-exec/update-topology-identical", update_topology_identical},
        {"graph-exec/set-params-ignores-edges", set_params_ignores_edges},
        {"graph-exec/instantiate-validates", instantiate_validates},
    };
}

} // namespace pdlcts
