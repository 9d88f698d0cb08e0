// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "harness/export/launches.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::string node_variable(const Program& program, const Plan& plan, std::size_t index) {
    const auto* grid = std::get_if<Grid>(&program.operations[plan.nodes[index].operation]);
    return grid != nullptr ? "node_" + grid->name : concat("node", index);
}

/// The nodes of one program, added to a graph.
struct NodeWriter {
    CppText& out;
    const Side& side;
    std::string node;

    void add(const std::string& call, const std::string& doing) {
        out.line(1, concat("cudaGraphNode_t ", node, ";"));
        out.check(1, call, doing);
    }

    void attribute(const Grid& grid, const std::string& id, const std::vector<std::string>& values) {
        const std::string variable = "attribute_" + grid.name;
        out.line(1, concat(variable, " = {};"));
        for (const std::string& value : values) {
            out.line(1, concat(variable, ".", value, ";"));
        }
        out.line(1, concat("check(cudaGraphKernelNodeSetAttribute(", node, ", ", id, ", &", variable,
                           "), \"giving a node its attributes\");"));
    }

    void operator()(const Grid& grid) {
        std::string pointers;
        const std::vector<std::string> arguments = kernel_arguments(side, grid);
        for (const std::string& argument : arguments) {
            pointers += concat(pointers.empty() ? "&" : ", &", argument);
        }
        const std::string parameters = "parameters_" + grid.name;
        out.line(1, concat("void* arguments_", grid.name, "[] = {", pointers, "};"));
        out.line(1, concat("cudaKernelNodeParams ", parameters, " = {};"));
        out.line(1, concat(parameters, ".func = reinterpret_cast<void*>(", kernel_name(side.role, grid), ");"));
        out.line(1, concat(parameters, ".gridDim = dim3(", grid.blocks, ");"));
        out.line(1, concat(parameters, ".blockDim = dim3(", grid.threads, ");"));
        if (grid.shared_memory.value_or(0) != 0) {
            out.line(1, concat(parameters, ".sharedMemBytes = ", *grid.shared_memory, ";"));
        }
        out.line(1, concat(parameters, ".kernelParams = arguments_", grid.name, ";"));
        add(concat("cudaGraphAddKernelNode(&", node, ", made.graph, nullptr, 0, &", parameters, ")"),
            "adding grid " + grid.name);
        if (grid.cluster > 1 || grid.priority || grid.domain) {
            out.line(1, concat("cudaLaunchAttributeValue attribute_", grid.name, ";"));
        }
        if (grid.cluster > 1) {
            attribute(grid, "cudaLaunchAttributeClusterDimension",
                      {concat("clusterDim.x = ", grid.cluster), "clusterDim.y = 1", "clusterDim.z = 1"});
        }
        if (grid.priority) {
            attribute(grid, "cudaLaunchAttributePriority", {concat("priority = ", *grid.priority)});
        }
        if (grid.domain) {
            attribute(grid, "cudaLaunchAttributeMemSyncDomain",
                      {concat("memSyncDomain = cudaLaunchMemSyncDomain",
                              *grid.domain == Domain::remote ? "Remote" : "Default")});
        }
    }
    void operator()(const Memset& memset) {
        const PlacedLocation& location = side.layout->location(memset.location);
        const std::string parameters = "memset_of_" + node;
        out.line(1, concat("cudaMemsetParams ", parameters, " = {};"));
        out.line(1, concat(parameters, ".dst = ", device_place(location), ";"));
        out.line(1, concat(parameters, ".value = ", unsigned{memset.byte}, ";"));
        out.line(1, concat(parameters, ".elementSize = 1;"));
        out.line(1, concat(parameters, ".width = ", location.bytes(), ";"));
        out.line(1, concat(parameters, ".height = 1;"));
        add(concat("cudaGraphAddMemsetNode(&", node, ", made.graph, nullptr, 0, &", parameters, ")"),
            "adding memset " + memset.location);
    }
    void operator()(const Memcpy& copy) {
        const PlacedLocation& source = side.layout->location(copy.source);
        add(concat("cudaGraphAddMemcpyNode1D(&", node, ", made.graph, nullptr, 0, ",
                   device_place(side.layout->location(copy.destination)), ", ", device_place(source), ", ",
                   source.bytes(), ", cudaMemcpyDefault)"),
            concat("adding memcpy ", copy.destination, ", ", copy.source));
    }
    void operator()(const HostFunction& function) {
        const std::string parameters = "call_of_" + node;
        out.line(1, concat("cudaHostNodeParams ", parameters, " = {};"));
        out.line(1, concat(parameters, ".fn = ", role_name(side), "_function_", function.name, ";"));
        out.line(1, concat(parameters, ".userData = &trial;"));
        add(concat("cudaGraphAddHostNode(&", node, ", made.graph, nullptr, 0, &", parameters, ")"),
            "adding host " + function.name);
    }
    template <typename Operation>
    void operator()(const Operation&) {} // no node: lowering refuses what a graph cannot have
};

/// The edge as two enumerators.
std::string edge_data(const Dependency& dependency) {
    const char* type = dependency.type == DependencyType::programmatic ? "Programmatic" : "Default";
    const char* port = dependency.port == Port::programmatic        ? "Programmatic"
                       : dependency.port == Port::launch_completion ? "LaunchCompletion"
                                                                    : "Default";
    return concat("cudaGraphDependencyType", type, ", cudaGraphKernelNodePort", port);
}

constexpr const char* compatibility = R"(
// The graph of one trial, with its nodes in the order of the program.
struct TrialGraph {
    cudaGraph_t graph = nullptr;
    std::vector<cudaGraphNode_t> nodes;
    std::vector<std::string> names;
};

// The calls that know edge data have a suffix in toolkits 12.x, and none from 13.0 on.
static cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                             size_t* count) {
#if CUDART_VERSION >= 13000
    return cudaGraphGetEdges(graph, from, to, data, count);
#else
    return cudaGraphGetEdges_v2(graph, from, to, data, count);
#endif
}
)";

constexpr const char* note_node = R"(
// Notes the node that a captured call has made: it is all that the next call of its stream would depend on.
static void note_node(TrialGraph& made, cudaStream_t capturing, const char* name) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    size_t count = 0;
#if CUDART_VERSION >= 13000
    check(cudaStreamGetCaptureInfo(capturing, &status, nullptr, nullptr, &nodes, &edges, &count), "reading the capture");
#else
    check(cudaStreamGetCaptureInfo_v3(capturing, &status, nullptr, nullptr, &nodes, &edges, &count), "reading the capture");
#endif
    if (status != cudaStreamCaptureStatusActive || count != 1) {
        fail("a captured stream does not depend on exactly the node that was captured last");
    }
    made.nodes.push_back(nodes[0]);
    made.names.push_back(name);
}
)";

constexpr const char* add_edge = R"(
// One edge a call: given several, driver 580.159.04 gives all of them the data of the first.
static void add_edge(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, cudaGraphDependencyType type,
                     unsigned char from_port) {
    cudaGraphEdgeData edge = {};
    edge.type = static_cast<unsigned char>(type);
    edge.from_port = from_port;
#if CUDART_VERSION >= 13000
    check(cudaGraphAddDependencies(graph, &from, &to, &edge, 1), "adding an edge");
#else
    check(cudaGraphAddDependencies_v2(graph, &from, &to, &edge, 1), "adding an edge");
#endif
}
)";

constexpr const char* read_edges = R"(
static std::string in_words(const cudaGraphEdgeData& edge) {
    const std::string types[] = {"default", "programmatic"};
    const std::string ports[] = {"default", "programmatic", "launch completion"};
    if (edge.type > 1 || edge.from_port > 2 || edge.to_port != 0) {
        fail("the driver's graph has an edge of an unknown kind");
    }
    return "type " + types[edge.type] + ", port " + ports[edge.from_port];
}

// The edges of a graph as the driver has them, a line each.
static std::vector<std::string> edges_of(const TrialGraph& made) {
    size_t nodes = 0;
    check(cudaGraphGetNodes(made.graph, nullptr, &nodes), "counting the nodes of the graph");
    size_t count = 0;
    check(get_edges(made.graph, nullptr, nullptr, nullptr, &count), "counting the edges of the graph");
    std::vector<cudaGraphNode_t> from(count);
    std::vector<cudaGraphNode_t> to(count);
    std::vector<cudaGraphEdgeData> data(count);
    if (count > 0) { // to ask for none is an error
        check(get_edges(made.graph, from.data(), to.data(), data.data(), &count), "reading the edges of the graph");
    }

    std::vector<std::string> lines;
    for (size_t target = 0; target < made.nodes.size(); ++target) {
        for (size_t source = 0; source < made.nodes.size(); ++source) {
            for (size_t edge = 0; edge < count; ++edge) {
                if (from[edge] == made.nodes[source] && to[edge] == made.nodes[target]) {
                    lines.push_back(made.names[source] + " -> " + made.names[target] + ": " + in_words(data[edge]));
                }
            }
        }
    }
    if (lines.size() != count || nodes != made.nodes.size()) {
        fail("the driver's graph has a node or an edge that the program does not account for");
    }
    return lines;
}
)";

} // namespace

void write_graph_support(CppText& out, const Reproduced& reproduced) {
    const bool captured = reproduced.route() == Route::captured;
    out.blank();
    out.block(compatibility);
    if (captured) {
        out.blank();
        out.block(note_node);
    }
    const std::vector<const Side*> sides = reproduced.sides();
    const bool adds_edges = std::any_of(sides.begin(), sides.end(), [](const Side* side) {
        return side->route == Route::edges && std::any_of(side->plan.nodes.begin(), side->plan.nodes.end(),
                                                          [](const Node& node) { return !node.dependencies.empty(); });
    });
    if (adds_edges) {
        out.blank();
        out.block(add_edge);
    }
    out.blank();
    out.block(read_edges);
}

void write_build(CppText& out, const Side& side) {
    const Program& program = *side.program;
    out.blank();
    out.line(0, concat("// One trial of the ", role_name(side), ", built node by node and edge by edge."));
    out.line(0, concat("static TrialGraph build_", role_name(side), "(Trial& trial) {"));
    out.line(1, "TrialGraph made;");
    out.line(1, "check(cudaGraphCreate(&made.graph, 0), \"creating a graph\");");
    for (std::size_t index = 0; index < side.plan.nodes.size(); ++index) {
        const Node& node = side.plan.nodes[index];
        const std::string variable = node_variable(program, side.plan, index);
        out.blank();
        out.line(1, comment_line(operation_line(program.operations[node.operation])));
        std::visit(NodeWriter{out, side, variable}, program.operations[node.operation]);
        out.line(1, concat("made.nodes.push_back(", variable, ");"));
        out.line(1, concat("made.names.push_back(", string_literal(node_name(program, node)), ");"));
    }
    out.blank();
    for (std::size_t index = 0; index < side.plan.nodes.size(); ++index) {
        for (const Dependency& dependency : side.plan.nodes[index].dependencies) {
            out.line(1, concat("add_edge(made.graph, ", node_variable(program, side.plan, dependency.upstream), ", ",
                               node_variable(program, side.plan, index), ","));
            out.line(1, concat("         ", edge_data(dependency), ");"));
        }
    }
    out.line(1, "return made;");
    out.line(0, "}");
}

} // namespace pdlcts
