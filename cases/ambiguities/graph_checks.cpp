// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/native_graph.hpp"

#include <array>
#include <cuda.h>

/// What no document says of graphs, and of names: written down.
namespace pdlcts {
namespace {

void edge_data_in_topology(const NativeDevice& device, Probes& probes) {
    for (const cudaGraphEdgeData& from : annotations()) {
        for (const cudaGraphEdgeData& to : annotations()) {
            const KernelPair old(device, from);
            const KernelPair updated(device, to);
            const GraphExec exec = instantiate(old.graph.get(), false);
            cudaGraphExecUpdateResultInfo info{};
            const std::string status = returned(cudaGraphExecUpdate(exec.get(), updated.graph.get(), &info));
            probes.noted(concat("cudaGraphExecUpdate from ", print(from), " to ", print(to)),
                         concat(status, ", result ", static_cast<int>(info.result)));
        }
    }
}

void same_pair_other_data(const NativeDevice& device, Probes& probes) {
    for (const cudaGraphEdgeData& first : annotations()) {
        for (const cudaGraphEdgeData& second : annotations()) {
            if (print(first) == print(second)) {
                continue;
            }
            const KernelPair pair(device, first);
            const std::string status = returned(pair.graph.add_edge(pair.a, pair.b, second));
            probes.noted(concat("adding a -> b of ", print(second), " beside one of ", print(first)),
                         concat(status, "; the edges: ", pair.graph.edges()));
        }
    }
}

void count_only_query(const NativeDevice& device, Probes& probes) {
    for (const cudaGraphEdgeData& edge : annotations()) {
        const KernelPair pair(device, edge);
        const auto note = [&](const char* query, cudaError_t status, std::size_t count) {
            probes.noted(concat(query, " for the count alone, a -> b of ", print(edge)),
                         concat(returned(status), ", count ", count));
        };
        std::size_t count = 99;
        cudaError_t status = get_edges(pair.graph.get(), nullptr, nullptr, nullptr, &count);
        note("cudaGraphGetEdges", status, count);
        count = 99;
        status = get_dependencies(pair.b, nullptr, nullptr, &count);
        note("cudaGraphNodeGetDependencies", status, count);
        count = 99;
        status = get_dependents(pair.a, nullptr, nullptr, &count);
        note("cudaGraphNodeGetDependentNodes", status, count);
    }
}

void names(const NativeDevice&, Probes& probes) {
    probes.noted("cudaGraphKernelNodePortLaunchCompletion of the runtime",
                 std::to_string(static_cast<int>(cudaGraphKernelNodePortLaunchCompletion)));
    probes.noted("CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER of the driver",
                 std::to_string(static_cast<int>(CU_GRAPH_KERNEL_NODE_PORT_LAUNCH_ORDER)));
    probes.noted("cudaGraphKernelNodePortProgrammatic of the runtime",
                 std::to_string(static_cast<int>(cudaGraphKernelNodePortProgrammatic)));
    probes.noted("CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC of the driver",
                 std::to_string(static_cast<int>(CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC)));
}

} // namespace

std::vector<NativeCheck> ambiguities_of_graphs_checks() {
    return {
        {"ambiguities/edge-data-in-topology", edge_data_in_topology},
        {"ambiguities/same-pair-other-edge-data", same_pair_other_data},
        {"ambiguities/count-only-query", count_only_query},
        {"ambiguities/names", names},
    };
}

} // namespace pdlcts
