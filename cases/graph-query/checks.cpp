// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_graph.hpp"

#include <array>

namespace pdlcts {
namespace {

const std::vector<std::string> lossy = {"cudaErrorLossyQuery"};
const std::vector<std::string> success = {"cudaSuccess"};
/// What the graph functions document beside success.
const std::vector<std::string> invalid_value = {"cudaErrorInvalidValue"};

/// a -> b, annotated or not, and a -> c, never annotated.
struct Fork {
    NativeGraph graph;
    cudaGraphNode_t a, b, c;

    Fork(const NativeDevice& device, const cudaGraphEdgeData& to_b)
        : graph(device), a(graph.add_kernel("a")), b(graph.add_kernel("b")), c(graph.add_kernel("c")) {
        check(graph.add_edge(a, b, to_b), "adding the edge from a to b");
        check(graph.add_edge(a, c, default_edge), "adding the edge from a to c");
    }
};

/// A query that leaves out the edge data, by what it is asked of.
struct Query {
    const char* what;
    cudaError_t (*ask)(const Fork& fork);
};

cudaError_t ask_edges(const Fork& fork) {
    std::array<cudaGraphNode_t, 2> from{};
    std::array<cudaGraphNode_t, 2> to{};
    std::size_t count = from.size();
    return get_edges(fork.graph.get(), from.data(), to.data(), nullptr, &count);
}

cudaError_t ask_dependencies(const Fork& fork) {
    std::array<cudaGraphNode_t, 1> nodes{};
    std::size_t count = nodes.size();
    return get_dependencies(fork.b, nodes.data(), nullptr, &count);
}

cudaError_t ask_dependents(const Fork& fork) {
    std::array<cudaGraphNode_t, 2> nodes{};
    std::size_t count = nodes.size();
    return get_dependents(fork.a, nodes.data(), nullptr, &count);
}

constexpr Query of_graph{"cudaGraphGetEdges without edge data", ask_edges};
constexpr Query of_dependent{"cudaGraphNodeGetDependencies of b without edge data", ask_dependencies};
constexpr Query of_upstream{"cudaGraphNodeGetDependentNodes of a without edge data", ask_dependents};

/// Both annotations make the query lossy; without one it is none.
void probe_lossy(const NativeDevice& device, Probes& probes, const Query& query) {
    for (const cudaGraphEdgeData& edge : {programmatic_edge(), launch_completion_edge()}) {
        const Fork fork(device, edge);
        probes.holds(concat(query.what, ", a -> b of ", print(edge)), lossy, returned(query.ask(fork)));
    }
    const Fork plain(device, default_edge);
    probes.differs(concat(query.what, ", a -> b of ", print(default_edge)), lossy, returned(query.ask(plain)));
}

void get_edges_lossy(const NativeDevice& device, Probes& probes) {
    probe_lossy(device, probes, of_graph);
}

void get_dependencies_lossy(const NativeDevice& device, Probes& probes) {
    probe_lossy(device, probes, of_dependent);
    // The other edge of a graph with an annotated one is no edge in question.
    const Fork fork(device, programmatic_edge());
    cudaGraphNode_t node = nullptr;
    std::size_t count = 1;
    probes.holds("cudaGraphNodeGetDependencies of c without edge data, beside the annotated a -> b", success,
                 returned(get_dependencies(fork.c, &node, nullptr, &count)));
}

void get_dependents_lossy(const NativeDevice& device, Probes& probes) {
    probe_lossy(device, probes, of_upstream);
}

void null_ok_if_default(const NativeDevice& device, Probes& probes) {
    const Fork plain(device, default_edge);
    const Fork annotated(device, programmatic_edge());
    for (const Query& query : {of_graph, of_dependent, of_upstream}) {
        probes.holds(concat(query.what, ", all of it zero"), success, returned(query.ask(plain)));
        probes.differs(concat(query.what, ", some of it not zero"), success, returned(query.ask(annotated)));
    }
}

void lossy_error(const NativeDevice& device, Probes& probes) {
    const Fork fork(device, programmatic_edge());
    std::array<cudaGraphNode_t, 2> from{};
    std::array<cudaGraphNode_t, 2> to{};
    std::array<cudaGraphEdgeData, 2> edges{};
    std::size_t count = edges.size();
    probes.holds("a query that would drop edge data", lossy, returned(ask_edges(fork)));
    probes.differs("the same query with room for the edge data", lossy,
                   returned(get_edges(fork.graph.get(), from.data(), to.data(), edges.data(), &count)));
}

void edge_data_needs_nodes(const NativeDevice& device, Probes& probes) {
    const Fork fork(device, programmatic_edge());
    const std::string before = fork.graph.edges();
    std::array<cudaGraphNode_t, 2> from{};
    std::array<cudaGraphNode_t, 2> to{};
    std::array<cudaGraphEdgeData, 2> edges{};
    std::size_t count = edges.size();
    probes.illegal("cudaGraphGetEdges for edge data without nodes", invalid_value,
                   returned(get_edges(fork.graph.get(), nullptr, nullptr, edges.data(), &count)));
    count = edges.size();
    probes.illegal("cudaGraphNodeGetDependencies for edge data without nodes", invalid_value,
                   returned(get_dependencies(fork.b, nullptr, edges.data(), &count)));
    count = edges.size();
    probes.illegal("cudaGraphNodeGetDependentNodes for edge data without nodes", invalid_value,
                   returned(get_dependents(fork.a, nullptr, edges.data(), &count)));
    probes.kept("the edges", before, fork.graph.edges());
    count = edges.size();
    probes.legal("cudaGraphGetEdges for nodes and edge data",
                 returned(get_edges(fork.graph.get(), from.data(), to.data(), edges.data(), &count)));
}

/// Adds a -> b and a -> c with different data, by one call or by two, and reads both back.
void probe_roundtrip(const NativeDevice& device, Probes& probes, bool one_call) {
    NativeGraph graph(device);
    const cudaGraphNode_t a = graph.add_kernel("a");
    const std::array<cudaGraphNode_t, 2> from{a, a};
    const std::array<cudaGraphNode_t, 2> to{graph.add_kernel("b"), graph.add_kernel("c")};
    const std::array<cudaGraphEdgeData, 2> edges{programmatic_edge(), launch_completion_edge()};
    if (one_call) {
        check(add_dependencies(graph.get(), from.data(), to.data(), edges.data(), edges.size()), "adding two edges");
    } else {
        check(graph.add_edge(from[0], to[0], edges[0]), "adding an edge");
        check(graph.add_edge(from[1], to[1], edges[1]), "adding another edge");
    }
    const std::string added = concat("a -> b: ", print(edges[0]), "; a -> c: ", print(edges[1]));
    probes.holds(one_call ? "two edges added by one call" : "two edges added by two calls", {added}, graph.edges());
}

void roundtrip(const NativeDevice& device, Probes& probes) {
    probe_roundtrip(device, probes, false);
    probe_roundtrip(device, probes, true);
    const Fork other(device, default_edge);
    probes.differs("two edges added without data",
                   {concat("a -> b: ", print(programmatic_edge()), "; a -> c: ", print(launch_completion_edge()))},
                   other.graph.edges());
}

void count_only(const NativeDevice& device, Probes& probes) {
    const Fork fork(device, programmatic_edge());
    const auto counted = [](cudaError_t status, std::size_t count) {
        return concat(returned(status), ", count ", count);
    };
    // A count that is wrong on entry must be overwritten.
    std::size_t count = 77;
    cudaError_t status = get_edges(fork.graph.get(), nullptr, nullptr, nullptr, &count);
    probes.holds("cudaGraphGetEdges without arrays, two edges, one of them annotated", {"cudaSuccess, count 2"},
                 counted(status, count));
    count = 77;
    status = get_dependencies(fork.b, nullptr, nullptr, &count);
    probes.holds("cudaGraphNodeGetDependencies of b without arrays", {"cudaSuccess, count 1"}, counted(status, count));
    count = 77;
    status = get_dependents(fork.a, nullptr, nullptr, &count);
    probes.holds("cudaGraphNodeGetDependentNodes of a without arrays", {"cudaSuccess, count 2"},
                 counted(status, count));
    NativeGraph empty(device);
    count = 77;
    status = get_edges(empty.get(), nullptr, nullptr, nullptr, &count);
    probes.differs("cudaGraphGetEdges without arrays, a graph without edges", {"cudaSuccess, count 2"},
                   counted(status, count));
}

void excess_entries_null(const NativeDevice& device, Probes& probes) {
    const Fork fork(device, programmatic_edge());
    const auto asked = [&](std::size_t room) {
        // No entry is null before: what is null afterwards was set so.
        std::array<cudaGraphNode_t, 4> from{fork.c, fork.c, fork.c, fork.c};
        std::array<cudaGraphNode_t, 4> to = from;
        std::array<cudaGraphEdgeData, 4> edges{};
        std::size_t count = room;
        const cudaError_t status = get_edges(fork.graph.get(), from.data(), to.data(), edges.data(), &count);
        return concat(returned(status), ", count ", count, ", last of four from ", fork.graph.name_of(from[3]), " to ",
                      fork.graph.name_of(to[3]));
    };
    const std::string nulled = "cudaSuccess, count 2, last of four from null to null";
    probes.holds("cudaGraphGetEdges with room for four, two edges", {nulled}, asked(4));
    probes.differs("cudaGraphGetEdges with room for two, two edges", {nulled}, asked(2));
}

void remove_data_must_match(const NativeDevice& device, Probes& probes) {
    const auto removed = [&](const cudaGraphEdgeData& edge, const Fork& fork) {
        return returned(remove_dependencies(fork.graph.get(), &fork.a, &fork.b, &edge, 1));
    };
    for (const cudaGraphEdgeData& other : {default_edge, launch_completion_edge()}) {
        const Fork fork(device, programmatic_edge());
        const std::string before = fork.graph.edges();
        probes.illegal(concat("removing a -> b, programmatic, as ", print(other)), invalid_value, removed(other, fork));
        probes.kept(concat("the edges after removing as ", print(other)), before, fork.graph.edges());
        probes.harm(concat("an edge that nobody named, after removing as ", print(other)), {before},
                    fork.graph.edges());
    }
    const Fork plain(device, default_edge);
    const std::string before = plain.graph.edges();
    probes.illegal("removing a -> b, plain, as programmatic", invalid_value, removed(programmatic_edge(), plain));
    probes.kept("the edges after removing a plain one as programmatic", before, plain.graph.edges());
    probes.harm("an edge that nobody named, after removing as programmatic", {before}, plain.graph.edges());
    const Fork fork(device, programmatic_edge());
    probes.legal("removing a -> b, programmatic, as what it is", removed(programmatic_edge(), fork));
    probes.holds("the edges after removing a -> b as what it is", {concat("a -> c: ", print(default_edge))},
                 fork.graph.edges());
}

void remove_null_is_default(const NativeDevice& device, Probes& probes) {
    const auto removed = [&](const cudaGraphEdgeData& edge, const cudaGraphEdgeData* named) {
        const Fork fork(device, edge);
        const cudaError_t status = remove_dependencies(fork.graph.get(), &fork.a, &fork.b, named, 1);
        return concat(returned(status), ", left: ", fork.graph.edges());
    };
    const std::string gone = concat("cudaSuccess, left: a -> c: ", print(default_edge));
    probes.holds("removing a plain a -> b with a null pointer", {gone}, removed(default_edge, nullptr));
    probes.holds("removing a plain a -> b with zeroed data", {gone}, removed(default_edge, &default_edge));
    // An edge that is not there cannot go: the answer to a removal is no mere success.
    const auto removed_missing = [&] {
        const Fork fork(device, default_edge);
        const cudaError_t status = remove_dependencies(fork.graph.get(), &fork.b, &fork.c, nullptr, 1);
        return concat(returned(status), ", left: ", fork.graph.edges());
    };
    probes.differs("removing b -> c, which is not there, with a null pointer", {gone}, removed_missing());
    const cudaGraphEdgeData annotated = programmatic_edge();
    probes.noted(concat("removing a plain a -> b as ", print(annotated)), removed(default_edge, &annotated));
    probes.noted("removing an annotated a -> b with a null pointer", removed(annotated, nullptr));
    probes.noted("removing an annotated a -> b with zeroed data", removed(annotated, &default_edge));
}

void add_existing_dependency(const NativeDevice& device, Probes& probes) {
    for (const cudaGraphEdgeData& first : {default_edge, programmatic_edge()}) {
        const Fork fork(device, first);
        const std::string before = fork.graph.edges();
        for (const cudaGraphEdgeData& second : {default_edge, programmatic_edge()}) {
            probes.illegal(concat("adding a -> b of ", print(second), " beside one of ", print(first)), invalid_value,
                           returned(fork.graph.add_edge(fork.a, fork.b, second)));
            probes.kept(concat("the edges after adding ", print(second), " beside ", print(first)), before,
                        fork.graph.edges());
        }
    }
    const Fork fork(device, programmatic_edge());
    probes.legal("adding b -> c", returned(fork.graph.add_edge(fork.b, fork.c, programmatic_edge())));
}

void add_node_without_duplicates(const NativeDevice& device, Probes& probes) {
    NativeGraph graph(device);
    const std::array<cudaGraphNode_t, 2> twice_a = [&] {
        const cudaGraphNode_t a = graph.add_kernel("a");
        return std::array{a, a};
    }();
    const std::array<cudaGraphNode_t, 2> a_and_b{twice_a[0], graph.add_kernel("b")};
    const auto nodes = [&] {
        std::size_t count = 0;
        check(cudaGraphGetNodes(graph.get(), nullptr, &count), "counting the nodes of a graph");
        return std::to_string(count);
    };
    const auto added = [&](const std::array<cudaGraphNode_t, 2>& dependencies) {
        cudaGraphNodeParams parameters{};
        parameters.type = cudaGraphNodeTypeEmpty;
        cudaGraphNode_t node = nullptr;
        return returned(add_node(&node, graph.get(), dependencies.data(), nullptr, dependencies.size(), &parameters));
    };
    probes.illegal("cudaGraphAddNode with a twice among its dependencies",
                   {"cudaErrorInvalidValue", "cudaErrorInvalidDeviceFunction", "cudaErrorNotSupported"},
                   added(twice_a));
    probes.kept("the number of nodes", "2", nodes());
    probes.legal("cudaGraphAddNode with a and b as its dependencies", added(a_and_b));
}

} // namespace

std::vector<NativeCheck> graph_query_checks() {
    return {
        {"graph-query/get-edges-lossy", get_edges_lossy},
        {"graph-query/get-dependencies-lossy", get_dependencies_lossy},
        {"graph-query/get-dependents-lossy", get_dependents_lossy},
        {"graph-query/null-ok-if-default", null_ok_if_default},
        {"graph-query/lossy-error", lossy_error},
        {"graph-query/edge-data-needs-nodes", edge_data_needs_nodes},
        {"graph-query/roundtrip", roundtrip},
        {"graph-query/count-only", count_only},
        {"graph-query/excess-entries-null", excess_entries_null},
        {"graph-query/remove-data-must-match", remove_data_must_match},
        {"graph-query/remove-null-is-default", remove_null_is_default},
        {"graph-query/add-existing-dependency", add_existing_dependency},
        {"graph-query/add-node-without-duplicates", add_node_without_duplicates},
    };
}

} // namespace pdlcts
