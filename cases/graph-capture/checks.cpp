// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/native_graph.hpp"

#include <array>
#include <functional>

namespace pdlcts {
namespace {

const std::vector<std::string> lossy = {"cudaErrorLossyQuery"};

/// Two capturing streams, and a kernel that does nothing to launch into them.
class Captures {
public:
    explicit Captures(const NativeDevice& device)
        : library_(device.compile(empty_kernel)), kernel_(library_.kernel("nothing")), word_(allocate_device_words(1)),
          main(create_stream()), other(create_stream()), plain_event(create_event()),
          programmatic_event(create_event()), second_event(create_event()) {}

    /// Ends what is still capturing: nothing of a check is left to the next one.
    ~Captures() {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        if (cudaStreamIsCapturing(main.get(), &status) != cudaSuccess || status != cudaStreamCaptureStatusNone) {
            cudaGraph_t graph = nullptr;
            static_cast<void>(cudaStreamEndCapture(main.get(), &graph));
            static_cast<void>(cudaGetLastError());
            static_cast<void>(graph == nullptr ? cudaSuccess : cudaGraphDestroy(graph));
        }
    }
    Captures(const Captures&) = delete;
    Captures& operator=(const Captures&) = delete;

    void begin() const {
        check(cudaStreamBeginCapture(main.get(), cudaStreamCaptureModeThreadLocal), "beginning a capture");
    }

    /// A kernel, with a programmatic event where there is one, and pss where that is wanted.
    cudaError_t launch(cudaStream_t stream, cudaEvent_t event = nullptr, bool at_block_start = false,
                       bool pss = false) const {
        std::array<cudaLaunchAttribute, 2> attributes{};
        std::size_t count = 0;
        if (event != nullptr) {
            attributes[count].id = cudaLaunchAttributeProgrammaticEvent;
            attributes[count].val.programmaticEvent.event = event;
            attributes[count].val.programmaticEvent.triggerAtBlockStart = at_block_start ? 1 : 0;
            ++count;
        }
        if (pss) {
            attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
            attributes[count].val.programmaticStreamSerializationAllowed = 1;
            ++count;
        }
        return launch_of(kernel_, stream, {}, std::span(attributes).first(count));
    }
    cudaError_t set_memory(cudaStream_t stream) const { return cudaMemsetAsync(word_.get(), 0, 4, stream); }

    /// The nodes that the next operation of a stream depends on, and how: `kernel: type ..., port ...`.
    std::string half_edges(cudaStream_t stream) const {
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        const cudaGraphNode_t* nodes = nullptr;
        const cudaGraphEdgeData* edges = nullptr;
        std::size_t count = 0;
        const cudaError_t result = get_capture_info(stream, &status, nullptr, nullptr, &nodes, &edges, &count);
        if (result != cudaSuccess) {
            return returned(result);
        }
        std::string text;
        for (std::size_t index = 0; index < count; ++index) {
            const cudaGraphEdgeData data = edges == nullptr ? default_edge : edges[index];
            text += concat(text.empty() ? "" : "; ", kind_of(nodes[index]), ": ", print(data));
        }
        return text.empty() ? "none" : text;
    }

    /// What EndCapture returned; the graph, if there is one, goes to `graph`.
    cudaError_t end(Graph& graph) const {
        cudaGraph_t captured = nullptr;
        const cudaError_t status = cudaStreamEndCapture(main.get(), &captured);
        graph.reset(captured);
        return status;
    }

    static std::string kind_of(cudaGraphNode_t node) {
        cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        check(cudaGraphNodeGetType(node, &type), "reading the type of a node");
        return type == cudaGraphNodeTypeKernel ? "kernel" : type == cudaGraphNodeTypeMemset ? "memset" : "another node";
    }

private:
    KernelLibrary library_;
    Kernel kernel_;
    DeviceWords word_;

public:
    Stream main;
    Stream other;
    Event plain_event;
    Event programmatic_event;
    Event second_event;
};

/// Every edge of a captured graph of two or three nodes, by kinds, in the order in which the driver has them.
std::string edges_by_kind(cudaGraph_t graph) {
    if (graph == nullptr) {
        return "no graph";
    }
    const GraphEdges edges = edges_of(graph);
    std::string text;
    for (std::size_t index = 0; index < edges.edges.size(); ++index) {
        text += concat(text.empty() ? "" : "; ", Captures::kind_of(edges.from[index]), " -> ",
                       Captures::kind_of(edges.to[index]), ": ", print(edges.edges[index]));
    }
    return text.empty() ? "no edge" : text;
}

/// A kernel in the main stream, and the other stream made to wait for it: by an ordinary event, or a programmatic one.
void fork(const Captures& captures, bool programmatic, bool at_block_start = false) {
    captures.begin();
    check(captures.launch(captures.main.get(), programmatic ? captures.programmatic_event.get() : nullptr,
                          at_block_start),
          "capturing the upstream kernel");
    if (!programmatic) {
        check(cudaEventRecord(captures.plain_event.get(), captures.main.get()), "capturing an event");
    }
    check(cudaStreamWaitEvent(captures.other.get(),
                              programmatic ? captures.programmatic_event.get() : captures.plain_event.get(), 0),
          "capturing the wait for an event");
}

/// The forked stream runs one kernel and is joined by an ordinary event. Returns the edges.
std::string kernel_joined(const Captures& captures) {
    check(captures.launch(captures.other.get()), "capturing the downstream kernel");
    check(cudaEventRecord(captures.second_event.get(), captures.other.get()), "recording the join");
    check(cudaStreamWaitEvent(captures.main.get(), captures.second_event.get(), 0), "waiting for the join");
    Graph graph;
    check(captures.end(graph), "ending a capture");
    return edges_by_kind(graph.get());
}

void info_returns_edge_data(const NativeDevice& device, Probes& probes) {
    const auto probe = [&](bool programmatic, bool at_block_start) {
        const Captures captures(device);
        fork(captures, programmatic, at_block_start);
        const std::string before = captures.half_edges(captures.other.get());
        return std::pair(before, kernel_joined(captures));
    };
    const std::string on_trigger = print(programmatic_edge());
    const std::string on_begin = print(launch_completion_edge());
    const auto [trigger_info, trigger_edge] = probe(true, false);
    probes.holds("cudaStreamGetCaptureInfo behind a programmatic event", {"kernel: " + on_trigger}, trigger_info);
    probes.holds("the edge that the next kernel then has", {"kernel -> kernel: " + on_trigger}, trigger_edge);
    const auto [begin_info, begin_edge] = probe(true, true);
    probes.holds("cudaStreamGetCaptureInfo behind one at block start", {"kernel: " + on_begin}, begin_info);
    probes.holds("the edge that the next kernel then has, at block start", {"kernel -> kernel: " + on_begin},
                 begin_edge);
    probes.differs("cudaStreamGetCaptureInfo behind an ordinary event", {"kernel: " + on_trigger},
                   probe(false, false).first);
}

void info_lossy(const NativeDevice& device, Probes& probes) {
    const auto asked = [&](bool programmatic, bool with_data) {
        const Captures captures(device);
        fork(captures, programmatic);
        cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
        const cudaGraphNode_t* nodes = nullptr;
        const cudaGraphEdgeData* edges = nullptr;
        std::size_t count = 0;
        const std::string answer = returned(get_capture_info(captures.other.get(), &status, nullptr, nullptr, &nodes,
                                                             with_data ? &edges : nullptr, &count));
        static_cast<void>(kernel_joined(captures));
        return answer;
    };
    probes.holds("cudaStreamGetCaptureInfo for nodes alone, behind a programmatic event", lossy, asked(true, false));
    probes.differs("cudaStreamGetCaptureInfo for nodes alone, behind an ordinary event", lossy, asked(false, false));
    probes.differs("cudaStreamGetCaptureInfo for nodes and data, behind a programmatic event", lossy,
                   asked(true, true));
}

void info_edge_needs_deps(const NativeDevice& device, Probes& probes) {
    const Captures captures(device);
    fork(captures, true);
    const std::string before = captures.half_edges(captures.other.get());
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
    probes.illegal(
        "cudaStreamGetCaptureInfo for edge data without nodes", {"cudaErrorInvalidValue"},
        returned(get_capture_info(captures.other.get(), &status, nullptr, nullptr, nullptr, &edges, &count)));
    probes.kept("what the next operation depends on", before, captures.half_edges(captures.other.get()));
    probes.legal("cudaStreamGetCaptureInfo for edge data and nodes",
                 returned(get_capture_info(captures.other.get(), &status, nullptr, nullptr, &nodes, &edges, &count)));
    probes.kept("the edge of the next kernel", concat("kernel -> kernel: ", print(programmatic_edge())),
                kernel_joined(captures));
}

void begin_to_graph(const NativeDevice& device, Probes& probes) {
    const auto captured = [&](const cudaGraphEdgeData* data) {
        NativeGraph graph(device);
        const cudaGraphNode_t a = graph.add_kernel("a");
        const Captures captures(device);
        check(cudaStreamBeginCaptureToGraph(captures.main.get(), graph.get(), &a, data, 1,
                                            cudaStreamCaptureModeThreadLocal),
              "beginning a capture into a graph");
        check(captures.launch(captures.main.get()), "capturing a kernel");
        cudaGraph_t same = nullptr;
        check(cudaStreamEndCapture(captures.main.get(), &same), "ending a capture into a graph");
        return edges_by_kind(graph.get());
    };
    const auto built = [&](const cudaGraphEdgeData* data) {
        NativeGraph graph(device);
        const cudaGraphNode_t a = graph.add_kernel("a");
        const cudaGraphNode_t b = graph.add_kernel("b");
        check(add_dependencies(graph.get(), &a, &b, data, 1), "adding an edge");
        return edges_by_kind(graph.get());
    };
    for (const cudaGraphEdgeData& edge : {programmatic_edge(), launch_completion_edge()}) {
        probes.holds(concat("the first kernel of a capture into a graph behind a, with ", print(edge)), {built(&edge)},
                     captured(&edge));
    }
    const cudaGraphEdgeData edge = programmatic_edge();
    probes.holds("the same with a null pointer", {built(nullptr)}, captured(nullptr));
    probes.differs("the same with a null pointer, against programmatic data", {built(&edge)}, captured(nullptr));
}

/// Sets the half edges of a capturing stream that has one kernel, and captures `next` behind them.
std::string updated(const Captures& captures, const cudaGraphEdgeData* data) {
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(get_capture_info(captures.main.get(), &status, nullptr, nullptr, &nodes, &edges, &count),
          "reading a capture");
    cudaGraphNode_t upstream = count == 1 ? nodes[0] : nullptr;
    return returned(
        update_capture_dependencies(captures.main.get(), &upstream, data, 1, cudaStreamSetCaptureDependencies));
}

void update_dependencies(const NativeDevice& device, Probes& probes) {
    const auto captured = [&](const cudaGraphEdgeData* data) {
        const Captures captures(device);
        captures.begin();
        check(captures.launch(captures.main.get()), "capturing the upstream kernel");
        const std::string status = updated(captures, data);
        check(captures.launch(captures.main.get()), "capturing the downstream kernel");
        Graph graph;
        check(captures.end(graph), "ending a capture");
        return concat(status, ", ", edges_by_kind(graph.get()));
    };
    const auto expected = [](const cudaGraphEdgeData& edge) {
        return concat("cudaSuccess, kernel -> kernel: ", print(edge));
    };
    for (const cudaGraphEdgeData& edge : {programmatic_edge(), launch_completion_edge()}) {
        probes.holds(concat("cudaStreamUpdateCaptureDependencies to ", print(edge), ", then a kernel"),
                     {expected(edge)}, captured(&edge));
    }
    probes.differs("cudaStreamUpdateCaptureDependencies with a null pointer, then a kernel",
                   {expected(programmatic_edge())}, captured(nullptr));
}

void update_not_capturing(const NativeDevice& device, Probes& probes) {
    const std::vector<std::string> illegal_state = {"cudaErrorIllegalState"};
    const Captures captures(device);
    probes.holds("cudaStreamUpdateCaptureDependencies of a stream that does not capture", illegal_state,
                 returned(update_capture_dependencies(captures.main.get(), nullptr, nullptr, 0,
                                                      cudaStreamSetCaptureDependencies)));
    captures.begin();
    probes.differs("the same of a stream that does", illegal_state,
                   returned(update_capture_dependencies(captures.main.get(), nullptr, nullptr, 0,
                                                        cudaStreamSetCaptureDependencies)));
    Graph graph;
    check(captures.end(graph), "ending a capture");
}

void partial_edges_ignored_for_join(const NativeDevice& device, Probes& probes) {
    const auto joined = [&](bool programmatic) {
        const Captures captures(device);
        fork(captures, true);
        check(captures.launch(captures.other.get(), programmatic ? captures.second_event.get() : nullptr),
              "capturing the downstream kernel");
        if (!programmatic) {
            check(cudaEventRecord(captures.second_event.get(), captures.other.get()), "recording the join");
        }
        check(cudaStreamWaitEvent(captures.main.get(), captures.second_event.get(), 0), "waiting for the join");
        check(captures.launch(captures.main.get()), "capturing the kernel behind the join");
        Graph graph;
        return returned(captures.end(graph));
    };
    probes.holds("cudaStreamEndCapture where the fork is joined by a programmatic event alone",
                 {"cudaErrorStreamCaptureUnjoined"}, joined(true));
    probes.differs("cudaStreamEndCapture where it is joined by an ordinary event", {"cudaErrorStreamCaptureUnjoined"},
                   joined(false));
}

/// Ends a capture that has one kernel and, behind it, a half edge with this data.
std::pair<std::string, std::string> ended_with(const NativeDevice& device, const cudaGraphEdgeData& edge) {
    const Captures captures(device);
    captures.begin();
    check(captures.launch(captures.main.get()), "capturing a kernel");
    const std::string update = updated(captures, &edge);
    Graph graph;
    const std::string end = returned(captures.end(graph));
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
    check(cudaStreamIsCapturing(captures.main.get(), &status), "asking whether a stream captures");
    const char* const after = status == cudaStreamCaptureStatusNone ? "no capture" : "still capturing";
    return {update == "cudaSuccess" ? end : concat("setting it: ", update), after};
}

void partial_edge_not_discardable(const NativeDevice& device, Probes& probes) {
    for (const cudaGraphEdgeData& edge : {programmatic_edge(), launch_completion_edge()}) {
        const auto [end, after] = ended_with(device, edge);
        probes.illegal(concat("cudaStreamEndCapture with a half edge of ", print(edge), " left"),
                       {"cudaErrorInvalidValue"}, end);
        probes.kept(concat("the stream after it, with ", print(edge)), "no capture", after);
    }
    probes.legal("cudaStreamEndCapture with a plain half edge left", ended_with(device, default_edge).first);
}

void half_edge(const NativeDevice& device, Probes& probes) {
    const auto captured = [&](bool second_kernel) {
        const Captures captures(device);
        captures.begin();
        check(captures.launch(captures.main.get()), "capturing a kernel");
        const std::string half = captures.half_edges(captures.main.get());
        if (second_kernel) {
            check(captures.launch(captures.main.get()), "capturing a second kernel");
        }
        Graph graph;
        const std::string end = returned(captures.end(graph));
        return concat("half edge from ", half, "; ", end, "; ", edges_by_kind(graph.get()));
    };
    const std::string half = concat("half edge from kernel: ", print(default_edge), "; cudaSuccess; ");
    probes.holds("one kernel: its half edge is discarded at the end", {half + "no edge"}, captured(false));
    probes.holds("two kernels: the half edge becomes the edge of the second",
                 {concat(half, "kernel -> kernel: ", print(default_edge))}, captured(true));
    probes.differs("two kernels", {half + "no edge"}, captured(true));
}

void next_node_not_kernel(const NativeDevice& device, Probes& probes) {
    const auto captured = [&](const std::function<cudaError_t(const Captures&)>& next) {
        const Captures captures(device);
        captures.begin();
        check(captures.launch(captures.main.get()), "capturing the upstream kernel");
        const cudaGraphEdgeData edge = programmatic_edge();
        check(updated(captures, &edge) == "cudaSuccess" ? cudaSuccess : cudaErrorUnknown, "setting a half edge");
        const std::string status = returned(next(captures));
        Graph graph;
        static_cast<void>(captures.end(graph));
        static_cast<void>(cudaGetLastError());
        return std::pair(status, edges_by_kind(graph.get()));
    };
    const auto [set, edges] = captured([](const Captures& each) { return each.set_memory(each.main.get()); });
    const bool programmatic = edges.find(concat("kernel -> memset: ", print(programmatic_edge()))) != std::string::npos;
    probes.illegal("cudaMemsetAsync behind a programmatic half edge", {}, set);
    probes.kept("a programmatic edge into the memset", "none", programmatic ? edges : "none");
    probes.noted("the edges of that capture", edges);
    probes.legal("a kernel behind a programmatic half edge",
                 captured([](const Captures& each) { return each.launch(each.main.get()); }).first);
}

void dependency_set_after_pss(const NativeDevice& device, Probes& probes) {
    const Captures captures(device);
    captures.begin();
    check(captures.launch(captures.main.get()), "capturing a kernel");
    check(captures.launch(captures.main.get(), nullptr, false, true), "capturing a kernel with pss");
    probes.noted("what the next operation depends on, behind A and B with pss",
                 captures.half_edges(captures.main.get()));
    check(captures.launch(captures.main.get()), "capturing a plain kernel");
    Graph graph;
    check(captures.end(graph), "ending a capture");
    probes.noted("the edges of A, B with pss, plain C", edges_by_kind(graph.get()));
}

void memory_domain(const NativeDevice& device, Probes& probes) {
    const auto domain_of_node = [&](bool remote_stream) {
        const Captures captures(device);
        cudaStreamAttrValue value{};
        value.memSyncDomain = remote_stream ? cudaLaunchMemSyncDomainRemote : cudaLaunchMemSyncDomainDefault;
        check(cudaStreamSetAttribute(captures.main.get(), cudaLaunchAttributeMemSyncDomain, &value),
              "giving a stream a memory synchronization domain");
        captures.begin();
        check(captures.launch(captures.main.get()), "capturing a kernel");
        Graph graph;
        check(captures.end(graph), "ending a capture");
        cudaGraphNode_t node = nullptr;
        std::size_t count = 1;
        check(cudaGraphGetNodes(graph.get(), &node, &count), "reading the node of a graph");
        cudaKernelNodeAttrValue found{};
        check(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeMemSyncDomain, &found),
              "reading the domain of a node");
        return std::string(found.memSyncDomain == cudaLaunchMemSyncDomainRemote ? "remote" : "default");
    };
    probes.holds("the domain of a node captured from a stream of the remote domain", {"remote"}, domain_of_node(true));
    probes.differs("the domain of a node captured from a stream of the default domain", {"remote"},
                   domain_of_node(false));
}

} // namespace

std::vector<NativeCheck> graph_capture_checks() {
    return {
        {"graph-capture/info-returns-edge-data", info_returns_edge_data},
        {"graph-capture/info-lossy", info_lossy},
        {"graph-capture/info-edge-needs-deps", info_edge_needs_deps},
        {"graph-capture/begin-to-graph", begin_to_graph},
        {"graph-capture/update-dependencies", update_dependencies},
        {"graph-capture/update-not-capturing", update_not_capturing},
        {"graph-capture/partial-edges-ignored-for-join", partial_edges_ignored_for_join},
        {"graph-capture/partial-edge-not-discardable", partial_edge_not_discardable},
        {"graph-capture/half-edge", half_edge},
        {"graph-capture/next-node-not-kernel", next_node_not_kernel},
        {"graph-capture/dependency-set-after-pss", dependency_set_after_pss},
        {"graph-capture/memory-domain", memory_domain},
    };
}

} // namespace pdlcts
