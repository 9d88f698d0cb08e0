// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/native_graph.hpp"

#include <algorithm>
#include <array>

namespace pdlcts {
namespace {

/// What cudaGraphAddDependencies documents beside success.
const std::vector<std::string> invalid_value = {"cudaErrorInvalidValue"};

/// Two kernels, and one node of each kind that is none.
struct Nodes {
    NativeGraph graph;
    cudaGraphNode_t a, b, empty, memset, host_function;

    explicit Nodes(const NativeDevice& device)
        : graph(device), a(graph.add_kernel("a")), b(graph.add_kernel("b")), empty(graph.add_empty("empty")),
          memset(graph.add_memset("memset")), host_function(graph.add_host_function("host function")) {}
};

/// Adds an edge that must not be, in a graph of its own, and looks whether the graph is as before.
void probe_illegal(const NativeDevice& device, Probes& probes, cudaGraphNode_t Nodes::*from, cudaGraphNode_t Nodes::*to,
                   const cudaGraphEdgeData& edge) {
    const Nodes nodes(device);
    const std::string what =
        concat(nodes.graph.name_of(nodes.*from), " -> ", nodes.graph.name_of(nodes.*to), ": ", print(edge));
    const std::string before = nodes.graph.edges();
    probes.illegal(concat("adding ", what), invalid_value,
                   returned(nodes.graph.add_edge(nodes.*from, nodes.*to, edge)));
    probes.kept(concat("the edges after adding ", what), before, nodes.graph.edges());
}

void probe_legal(const NativeDevice& device, Probes& probes, cudaGraphNode_t Nodes::*from, cudaGraphNode_t Nodes::*to,
                 const cudaGraphEdgeData& edge) {
    const Nodes nodes(device);
    probes.legal(
        concat("adding ", nodes.graph.name_of(nodes.*from), " -> ", nodes.graph.name_of(nodes.*to), ": ", print(edge)),
        returned(nodes.graph.add_edge(nodes.*from, nodes.*to, edge)));
}

/// The parts of the only edge of a graph, by number.
void three_parts(const NativeDevice& device, Probes& probes) {
    const auto read_back = [&](const cudaGraphEdgeData& edge) {
        NativeGraph graph(device);
        const cudaGraphNode_t a = graph.add_kernel("a");
        const cudaGraphNode_t b = graph.add_kernel("b");
        check(graph.add_edge(a, b, edge), "adding an edge");
        const std::vector<cudaGraphEdgeData> edges = edges_of(graph.get()).edges;
        return concat("outgoing port ", static_cast<int>(edges.at(0).from_port), ", incoming port ",
                      static_cast<int>(edges.at(0).to_port), ", type ", static_cast<int>(edges.at(0).type));
    };
    const std::vector<std::string> expected = {"outgoing port 1, incoming port 0, type 1"};
    probes.holds("an edge of programmatic type from the programmatic port", expected, read_back(programmatic_edge()));
    probes.holds("an edge of programmatic type from the launch-completion port",
                 {"outgoing port 2, incoming port 0, type 1"}, read_back(launch_completion_edge()));
    probes.differs("an edge with all parts zero", expected, read_back(default_edge));
}

void constants(const NativeDevice&, Probes& probes) {
    const auto number = [](auto value) { return std::to_string(static_cast<int>(value)); };
    probes.holds("cudaGraphKernelNodePortDefault", {"0"}, number(cudaGraphKernelNodePortDefault));
    probes.holds("cudaGraphKernelNodePortProgrammatic", {"1"}, number(cudaGraphKernelNodePortProgrammatic));
    probes.holds("cudaGraphKernelNodePortLaunchCompletion", {"2"}, number(cudaGraphKernelNodePortLaunchCompletion));
    probes.holds("cudaGraphDependencyTypeDefault", {"0"}, number(cudaGraphDependencyTypeDefault));
    probes.holds("cudaGraphDependencyTypeProgrammatic", {"1"}, number(cudaGraphDependencyTypeProgrammatic));
    probes.holds("bytes of cudaGraphEdgeData", {"8"}, number(sizeof(cudaGraphEdgeData)));
    probes.holds("bytes of its reserved part", {"5"}, number(sizeof(cudaGraphEdgeData::reserved)));
    probes.differs("the ports of completion and of the trigger", {number(cudaGraphKernelNodePortDefault)},
                   number(cudaGraphKernelNodePortProgrammatic));
}

void all_edges_annotated(const NativeDevice& device, Probes& probes) {
    const auto data_of = [&](const cudaGraphEdgeData* added) {
        const Nodes nodes(device);
        check(add_dependencies(nodes.graph.get(), &nodes.a, &nodes.b, added, 1), "adding an edge");
        cudaGraphNode_t from = nullptr;
        cudaGraphNode_t to = nullptr;
        // No byte is zero before: one that is zero afterwards was written.
        cudaGraphEdgeData data = edge_data(0xff, 0xff, 0xff);
        std::fill(std::begin(data.reserved), std::end(data.reserved), static_cast<unsigned char>(0xff));
        std::size_t count = 1;
        check(get_edges(nodes.graph.get(), &from, &to, &data, &count), "reading an edge");
        std::string text = print(data);
        for (const unsigned char byte : data.reserved) {
            text += concat(" ", static_cast<int>(byte));
        }
        return text;
    };
    const std::string zero = concat(print(default_edge), " 0 0 0 0 0");
    const cudaGraphEdgeData annotated = programmatic_edge();
    probes.holds("edge data, and its reserved bytes, of an edge that was added without any", {zero}, data_of(nullptr));
    probes.differs("edge data of an edge that was added with some", {zero}, data_of(&annotated));
}

void omitted_input_is_zero(const NativeDevice& device, Probes& probes) {
    const auto by_dependencies = [&](const cudaGraphEdgeData* data) {
        const Nodes nodes(device);
        const cudaError_t status = add_dependencies(nodes.graph.get(), &nodes.a, &nodes.b, data, 1);
        return concat(returned(status), ", ", nodes.graph.edges());
    };
    const auto by_node = [&](const cudaGraphEdgeData* data) {
        const Nodes nodes(device);
        cudaGraphNodeParams parameters{};
        parameters.type = cudaGraphNodeTypeEmpty;
        cudaGraphNode_t node = nullptr;
        const cudaError_t status = add_node(&node, nodes.graph.get(), &nodes.a, data, 1, &parameters);
        return concat(returned(status), ", ", nodes.graph.edges());
    };
    const cudaGraphEdgeData annotated = programmatic_edge();
    const std::string zeroed = by_dependencies(&default_edge);
    probes.holds("cudaGraphAddDependencies with a null pointer, as with zeroed data", {zeroed},
                 by_dependencies(nullptr));
    probes.differs("cudaGraphAddDependencies with programmatic data", {zeroed}, by_dependencies(&annotated));
    const std::string node_zeroed = by_node(&default_edge);
    probes.holds("cudaGraphAddNode with a null pointer, as with zeroed data", {node_zeroed}, by_node(nullptr));
    probes.differs("cudaGraphAddNode of an empty node with programmatic data", {node_zeroed}, by_node(&annotated));
}

void kernel_nodes_only(const NativeDevice& device, Probes& probes) {
    for (const auto other : {&Nodes::empty, &Nodes::memset, &Nodes::host_function}) {
        probe_illegal(device, probes, &Nodes::a, other, programmatic_edge());
        probe_illegal(device, probes, other, &Nodes::a, programmatic_edge());
    }
    probe_legal(device, probes, &Nodes::a, &Nodes::b, programmatic_edge());
    probe_legal(device, probes, &Nodes::memset, &Nodes::a, default_edge);
}

void type_requires_port(const NativeDevice& device, Probes& probes) {
    probe_illegal(device, probes, &Nodes::a, &Nodes::b,
                  edge_data(cudaGraphDependencyTypeProgrammatic, cudaGraphKernelNodePortDefault));
    probe_legal(device, probes, &Nodes::a, &Nodes::b, programmatic_edge());
    probe_legal(device, probes, &Nodes::a, &Nodes::b, launch_completion_edge());
}

void port_requires_type(const NativeDevice& device, Probes& probes) {
    probe_illegal(device, probes, &Nodes::a, &Nodes::b,
                  edge_data(cudaGraphDependencyTypeDefault, cudaGraphKernelNodePortProgrammatic));
    probe_legal(device, probes, &Nodes::a, &Nodes::b, programmatic_edge());
}

void only_kernels_have_ports(const NativeDevice& device, Probes& probes) {
    for (const auto other : {&Nodes::empty, &Nodes::memset, &Nodes::host_function}) {
        for (const unsigned char port : {1, 2}) {
            probe_illegal(device, probes, other, &Nodes::a, edge_data(cudaGraphDependencyTypeDefault, port));
        }
    }
    probe_legal(device, probes, &Nodes::memset, &Nodes::a, default_edge);
    probe_legal(device, probes, &Nodes::a, &Nodes::b, launch_completion_edge());
}

void to_port_zero(const NativeDevice& device, Probes& probes) {
    for (const unsigned char port : {1, 2, 255}) {
        probe_illegal(device, probes, &Nodes::a, &Nodes::b, edge_data(0, 0, port));
        probe_illegal(device, probes, &Nodes::a, &Nodes::b, edge_data(1, 1, port));
    }
    probe_legal(device, probes, &Nodes::a, &Nodes::b, edge_data(0, 0, 0));
    probe_legal(device, probes, &Nodes::a, &Nodes::b, edge_data(1, 1, 0));
}

void reserved_zero(const NativeDevice& device, Probes& probes) {
    for (std::size_t byte = 0; byte < sizeof(cudaGraphEdgeData::reserved); ++byte) {
        const Nodes nodes(device);
        cudaGraphEdgeData edge = programmatic_edge();
        edge.reserved[byte] = 1;
        const std::string before = nodes.graph.edges();
        probes.illegal(concat("adding a -> b with 1 in reserved byte ", byte), invalid_value,
                       returned(nodes.graph.add_edge(nodes.a, nodes.b, edge)));
        probes.kept(concat("the edges after adding one with reserved byte ", byte), before, nodes.graph.edges());
    }
    probe_legal(device, probes, &Nodes::a, &Nodes::b, programmatic_edge());
}

void type_from_enum(const NativeDevice& device, Probes& probes) {
    for (const unsigned char type : {2, 3, 255}) {
        probe_illegal(device, probes, &Nodes::a, &Nodes::b, edge_data(type, cudaGraphKernelNodePortProgrammatic));
        probe_illegal(device, probes, &Nodes::a, &Nodes::b, edge_data(type, cudaGraphKernelNodePortDefault));
    }
    probe_legal(device, probes, &Nodes::a, &Nodes::b, programmatic_edge());
}

void port_from_set(const NativeDevice& device, Probes& probes) {
    for (const unsigned char port : {3, 4, 255}) {
        probe_illegal(device, probes, &Nodes::a, &Nodes::b, edge_data(cudaGraphDependencyTypeProgrammatic, port));
        probe_illegal(device, probes, &Nodes::a, &Nodes::b, edge_data(cudaGraphDependencyTypeDefault, port));
    }
    probe_legal(device, probes, &Nodes::a, &Nodes::b, programmatic_edge());
    probe_legal(device, probes, &Nodes::a, &Nodes::b, launch_completion_edge());
}

void launch_completion_port_default_type(const NativeDevice& device, Probes& probes) {
    const cudaGraphEdgeData edge = edge_data(cudaGraphDependencyTypeDefault, cudaGraphKernelNodePortLaunchCompletion);
    for (const auto to : {&Nodes::b, &Nodes::memset, &Nodes::host_function}) {
        const Nodes nodes(device);
        const cudaError_t status = nodes.graph.add_edge(nodes.a, nodes.*to, edge);
        probes.noted(concat("adding a -> ", nodes.graph.name_of(nodes.*to), ": ", print(edge)),
                     concat(returned(status), ", ", nodes.graph.edges()));
    }
}

} // namespace

std::vector<NativeCheck> graph_edge_checks() {
    return {
        {"graph-edge/constants", constants},
        {"graph-edge/three-parts", three_parts},
        {"graph-edge/all-edges-annotated", all_edges_annotated},
        {"graph-edge/omitted-input-is-zero", omitted_input_is_zero},
        {"graph-edge/kernel-nodes-only", kernel_nodes_only},
        {"graph-edge/type-requires-port", type_requires_port},
        {"graph-edge/port-requires-type", port_requires_type},
        {"graph-edge/only-kernels-have-ports", only_kernels_have_ports},
        {"graph-edge/to-port-zero", to_port_zero},
        {"graph-edge/reserved-zero", reserved_zero},
        {"graph-edge/type-from-enum", type_from_enum},
        {"graph-edge/port-from-set", port_from_set},
        {"graph-edge/launch-completion-port-default-type", launch_completion_port_default_type},
    };
}

} // namespace pdlcts
