// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/graph_route.hpp"

#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/launch_attributes.hpp"
#include "harness/gpu/stream_route.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

cudaGraphNode_t add_separator(cudaGraph_t graph, std::span<const cudaGraphNode_t> behind) {
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddEmptyNode(&node, graph, behind.data(), behind.size()), "adding a separator to a graph");
    return node;
}

/// Notes the node that each call of a capture makes. Parameters of a node do not tell: the runtime does not give the
/// function of a library's kernel back.
class CaptureListener : public IssueListener {
public:
    CaptureListener(TrialGraph& graph, std::size_t branches, Separation separation)
        : graph_(graph), separation_(separation), nodes_of_branch_(branches), first_separators_(branches) {}

    void begin_trial(std::size_t trial, std::size_t branch) {
        trial_ = trial;
        branch_ = branch;
    }

    /// In a stream the separator waits for all earlier operations. Captured it would have the edges of a capture, and
    /// none from a grid that only a pss grid stood behind. So it is a node with an edge from each of the trial's: an
    /// empty one, which costs the device nothing.
    void separate(const TrialStreams& streams, std::size_t stream) override {
        cudaGraphNode_t& first = first_separators_[branch_];
        if (separation_ == Separation::first_trials && first != nullptr) {
            graph_.before_trial.push_back(first);
            return;
        }
        std::vector<cudaGraphNode_t>& trial_before = nodes_of_branch_[branch_];
        std::vector<cudaGraphNode_t> separator{
            add_separator(capture_dependencies(streams.at(stream)).graph, trial_before)};
        set_capture_dependencies(streams.at(stream), separator);
        graph_.before_trial.push_back(separator.front());
        first = first == nullptr ? separator.front() : first;
        trial_before.clear();
    }

    /// A graph has one separator for all streams, which are only a way to write edges. What the stream did in the trial
    /// before is behind it, and no business of this trial.
    void stream_forked(const TrialStreams& streams, std::size_t stream) override {
        std::vector<cudaGraphNode_t> separator{graph_.before_trial.back()};
        set_capture_dependencies(streams.at(stream), separator);
    }

    /// The events of a trial are behind the separator already. A fork's own edge from it would stand beside theirs as
    /// a second one, which the program does not ask for, and which keeps an H200 from overlapping.
    void before_first_wait(cudaStream_t stream) override {
        std::vector<cudaGraphNode_t> none;
        set_capture_dependencies(stream, none);
    }

    void node_issued(cudaStream_t stream, std::size_t plan_node) override {
        const cudaGraphNode_t node = newest_node(stream);
        graph_.nodes[node] = {trial_, plan_node};
        nodes_of_branch_[branch_].push_back(node);
    }

private:
    /// Behind what makes a node its stream depends on that alone.
    cudaGraphNode_t newest_node(cudaStream_t stream) const {
        const std::vector<cudaGraphNode_t> nodes = capture_dependencies(stream).nodes;
        if (nodes.size() != 1) {
            throw HarnessFault("a captured stream depends on " + std::to_string(nodes.size()) +
                               " nodes right behind one operation, so that its node cannot be told");
        }
        if (graph_.nodes.contains(nodes[0]) || nodes[0] == graph_.before_trial.back()) {
            throw HarnessFault("an operation that was captured made no node of its own");
        }
        return nodes[0];
    }

    TrialGraph& graph_;
    Separation separation_;
    std::size_t trial_ = 0;
    std::size_t branch_ = 0;
    std::vector<std::vector<cudaGraphNode_t>> nodes_of_branch_; ///< of its latest trial
    std::vector<cudaGraphNode_t> first_separators_;             ///< of each branch
};

/// The streams of all branches but the first, which begins the capture, become part of it before anything is captured.
void fork_branches(std::span<const TrialStreams> branches, cudaEvent_t forked) {
    check(cudaEventRecord(forked, branches[0].main()), "recording the fork of a capture");
    for (const TrialStreams& branch : branches.subspan(1)) {
        check(cudaStreamWaitEvent(branch.main(), forked, 0), "forking a branch of trials");
    }
}

void join_branches(std::span<const TrialStreams> branches, cudaEvent_t joined) {
    for (const TrialStreams& branch : branches.subspan(1)) {
        check(cudaEventRecord(joined, branch.main()), "recording the end of a branch of trials");
        check(cudaStreamWaitEvent(branches[0].main(), joined, 0), "joining a branch of trials");
    }
}

/// Ends a capture however it went, so that the streams can be used again.
class Capture {
public:
    explicit Capture(cudaStream_t stream) : stream_(stream) {
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a capture");
    }
    Capture(const Capture&) = delete;
    Capture& operator=(const Capture&) = delete;
    ~Capture() {
        if (stream_ != nullptr) {
            cudaGraph_t graph = nullptr;
            static_cast<void>(cudaStreamEndCapture(stream_, &graph));
            const Graph owner(graph);
        }
    }

    Graph end() {
        const cudaStream_t stream = stream_;
        stream_ = nullptr;
        cudaGraph_t graph = nullptr;
        const cudaError_t status = cudaStreamEndCapture(stream, &graph);
        Graph owner(graph);
        check(status, "ending a capture");
        return owner;
    }

private:
    cudaStream_t stream_;
};

cudaGraphNode_t add_memset_node(cudaGraph_t graph, void* place, std::uint8_t byte, std::size_t bytes) {
    cudaMemsetParams parameters{};
    parameters.dst = place;
    parameters.value = byte;
    parameters.elementSize = 1;
    parameters.width = bytes;
    parameters.height = 1;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &parameters), "adding a memset to a graph");
    return node;
}

/// Adds the operation of a plan's node as a node without dependencies.
struct NodeAdder {
    cudaGraph_t graph;
    const Trial& trial;
    Kernel kernel;
    HostCalls& calls;

    cudaGraphNode_t operator()(const Grid& grid) const {
        LaunchAttributes attributes = node_attributes(grid);
        return add_kernel_node(graph, kernel, shape_of(grid, trial), trial.arguments(grid), attributes.all());
    }
    cudaGraphNode_t operator()(const Memset& memset) const {
        const PlacedLocation& location = trial.location(memset.location);
        return add_memset_node(graph, trial.place_of(location), memset.byte, location.bytes());
    }
    cudaGraphNode_t operator()(const Memcpy& copy) const {
        const PlacedLocation& source = trial.location(copy.source);
        cudaGraphNode_t node = nullptr;
        check(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, trial.place_of(trial.location(copy.destination)),
                                       trial.place_of(source), source.bytes(), cudaMemcpyDefault),
              "adding a memcpy to a graph");
        return node;
    }
    cudaGraphNode_t operator()(const HostFunction& function) const {
        calls.push_back(call_of(function, *trial.program->layout, trial.host_record));
        cudaHostNodeParams parameters{};
        parameters.fn = perform_host_call;
        parameters.userData = &calls.back();
        cudaGraphNode_t node = nullptr;
        check(cudaGraphAddHostNode(&node, graph, nullptr, 0, &parameters), "adding a host function to a graph");
        return node;
    }
    template <typename Operation>
    cudaGraphNode_t operator()(const Operation&) const {
        throw HarnessFault("a plan for a graph has a node that no graph can have");
    }
};

void add_dependency(cudaGraph_t graph, cudaGraphNode_t from, cudaGraphNode_t to, const Dependency& dependency) {
    cudaGraphEdgeData edge{};
    edge.from_port = static_cast<unsigned char>(dependency.port);
    edge.type = static_cast<unsigned char>(dependency.type);
    add_edge(graph, from, to, edge);
}

bool name_priorities(std::span<const Trial> trials) {
    return std::any_of(trials.begin(), trials.end(), [](const Trial& trial) {
        const std::vector<HostOperation>& operations = trial.program->program->operations;
        return std::any_of(operations.begin(), operations.end(), [](const HostOperation& operation) {
            const auto* grid = std::get_if<Grid>(&operation);
            return grid != nullptr && grid->priority.has_value();
        });
    });
}

} // namespace

TrialGraph capture_trials(std::span<const Trial> trials, std::span<const TrialStreams> branches,
                          const NamedEvents& named_events, Separation separation) {
    const TrialEvents events(trials.size(), named_events, branches[0], runtime_calls());
    const Event forked = create_event();
    const Event joined = create_event();
    TrialGraph captured;
    CaptureListener listener(captured, branches.size(), separation);
    Capture capture(branches[0].main());
    fork_branches(branches, forked.get());
    for (std::size_t index = 0; index < trials.size(); ++index) {
        const Trial& trial = trials[index];
        listener.begin_trial(index, trial.branch);
        issue_trial(trial, index, branches[trial.branch], events, false, runtime_calls(), listener, captured.host_calls,
                    nullptr);
    }
    join_branches(branches, joined.get());
    captured.graph = capture.end();
    captured.has_priorities = name_priorities(trials);
    return captured;
}

TrialGraph build_trials(std::span<const Trial> trials, Separation separation) {
    TrialGraph built;
    built.graph = create_graph();
    const cudaGraph_t graph = built.graph.get();
    std::map<std::size_t, std::vector<cudaGraphNode_t>> latest; ///< nodes, by branch
    std::map<std::size_t, cudaGraphNode_t> separators;          ///< the latest, by branch
    for (std::size_t index = 0; index < trials.size(); ++index) {
        std::vector<cudaGraphNode_t>& previous = latest[trials[index].branch];
        cudaGraphNode_t& separator = separators[trials[index].branch];
        if (separator == nullptr || separation == Separation::every_trial) {
            separator = add_separator(graph, previous);
        }
        built.before_trial.push_back(separator);
        std::vector<cudaGraphNode_t> nodes;
        for (const Node& node : trials[index].program->expected.nodes) {
            const LoadedProgram& program = *trials[index].program;
            nodes.push_back(
                std::visit(NodeAdder{graph, trials[index], program.kernels[node.operation], built.host_calls},
                           program.program->operations[node.operation]));
            built.nodes[nodes.back()] = {index, nodes.size() - 1};
            for (const Dependency& dependency : node.dependencies) {
                add_dependency(graph, nodes[dependency.upstream], nodes.back(), dependency);
            }
            if (node.dependencies.empty()) {
                add_dependency(graph, separator, nodes.back(), Dependency{});
            }
        }
        previous = std::move(nodes);
    }
    built.has_priorities = name_priorities(trials);
    return built;
}

} // namespace pdlcts
