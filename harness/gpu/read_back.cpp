// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/graph_route.hpp"
#include "harness/gpu/launch_attributes.hpp"

#include <algorithm>
#include <limits>

namespace pdlcts {
namespace {

bool is_completion(const cudaGraphEdgeData& edge) {
    return edge.type == 0 && edge.from_port == 0 && edge.to_port == 0;
}

const HostOperation& operation_of(const Trial& trial, std::size_t plan_node) {
    return trial.program->program->operations[trial.program->expected.nodes[plan_node].operation];
}

cudaGraphNodeType expected_type(const HostOperation& operation) {
    return std::visit(Overloaded{[](const Grid&) { return cudaGraphNodeTypeKernel; },
                                 [](const Memset&) { return cudaGraphNodeTypeMemset; },
                                 [](const Memcpy&) { return cudaGraphNodeTypeMemcpy; },
                                 [](const HostFunction&) { return cudaGraphNodeTypeHost; },
                                 [](const auto&) -> cudaGraphNodeType {
                                     throw HarnessFault("a plan for a graph has a node that no graph can have");
                                 }},
                      operation);
}

/// A node is what the program says: its type, and of a grid the attributes.
void check_operation(cudaGraphNode_t node, cudaGraphNodeType type, const HostOperation& operation) {
    if (type != expected_type(operation)) {
        throw HarnessFault("a node of the driver's graph has type " + std::to_string(type) + " instead of " +
                           std::to_string(expected_type(operation)));
    }
    if (const auto* grid = std::get_if<Grid>(&operation)) {
        check_node_attributes(node, *grid);
    }
}

/// Every node of the graph is an operation that was asked for, or a separator, and all of these are there.
void check_nodes(const TrialGraph& graph, std::span<const Trial> trials) {
    std::size_t count = 0;
    check(cudaGraphGetNodes(graph.of_trials(), nullptr, &count), "counting the nodes of a graph");
    std::vector<cudaGraphNode_t> nodes(count);
    check(cudaGraphGetNodes(graph.of_trials(), nodes.data(), &count), "reading the nodes of a graph");
    const std::set<cudaGraphNode_t> separators(graph.before_trial.begin(), graph.before_trial.end());
    std::size_t asked_for = trials.size();
    for (const Trial& trial : trials) {
        asked_for += trial.program->expected.nodes.size();
    }
    if (nodes.size() != asked_for || graph.nodes.size() + separators.size() != asked_for) {
        throw HarnessFault("the driver's graph has " + std::to_string(nodes.size()) + " nodes; the trials have " +
                           std::to_string(asked_for));
    }
    for (const cudaGraphNode_t node : nodes) {
        cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
        check(cudaGraphNodeGetType(node, &type), "reading the type of a node");
        const auto place = graph.nodes.find(node);
        if (place == graph.nodes.end() && !separators.contains(node)) {
            throw HarnessFault("the driver's graph has a node that no trial accounts for");
        }
        if (place != graph.nodes.end()) {
            check_operation(node, type, operation_of(trials[place->second.trial], place->second.plan_node));
        } else if (type != cudaGraphNodeTypeEmpty) {
            throw HarnessFault("a separator of the driver's graph has type " + std::to_string(type) +
                               ", no empty node's");
        }
    }
}

Dependency to_dependency(std::size_t upstream, const cudaGraphEdgeData& edge) {
    if (edge.type > 1 || edge.from_port > 2 || edge.to_port != 0) {
        throw HarnessFault("the driver's graph has an edge of a kind that is not known: type " +
                           std::to_string(edge.type) + ", from port " + std::to_string(edge.from_port) + ", to port " +
                           std::to_string(edge.to_port));
    }
    return {upstream, static_cast<DependencyType>(edge.type), static_cast<Port>(edge.from_port)};
}

constexpr std::size_t no_trial = std::numeric_limits<std::size_t>::max();

/// The trial before each in its branch, or no_trial.
std::vector<std::size_t> trials_before(std::span<const Trial> trials) {
    std::vector<std::size_t> before(trials.size(), no_trial);
    std::map<std::size_t, std::size_t> latest;
    for (std::size_t trial = 0; trial < trials.size(); ++trial) {
        const auto [last, first_of_branch] = latest.try_emplace(trials[trial].branch, trial);
        before[trial] = first_of_branch ? no_trial : last->second;
        last->second = trial;
    }
    return before;
}

/// The edges inside trials, as plans, and how trials hang together.
struct EdgeReader {
    const TrialGraph& graph;
    std::span<const Trial> trials;
    std::vector<std::size_t> before = trials_before(trials);
    std::map<cudaGraphNode_t, std::size_t> separators = {}; ///< the trial that each stands before
    std::vector<Plan> plans = {};
    std::vector<std::vector<bool>> has_predecessor = {}; ///< by trial and node
    std::vector<std::vector<bool>> is_awaited = {};      ///< by the separator behind the trial

    void begin() {
        for (std::size_t trial = 0; trial < trials.size(); ++trial) {
            const Plan& expected = trials[trial].program->expected;
            if (expected.nodes.empty()) {
                throw HarnessFault("a trial without nodes does not separate its neighbours");
            }
            Plan plan{expected.route, {}, expected.undocumented};
            for (const Node& node : expected.nodes) {
                plan.nodes.push_back({node.operation, {}});
            }
            plans.push_back(std::move(plan));
            has_predecessor.emplace_back(expected.nodes.size());
            is_awaited.emplace_back(expected.nodes.size());
            separators[graph.before_trial[trial]] = trial;
        }
    }

    void read(cudaGraphNode_t from, cudaGraphNode_t to, const cudaGraphEdgeData& edge) {
        const auto source = graph.nodes.find(from);
        const auto target = graph.nodes.find(to);
        if (target == graph.nodes.end()) {
            read_separation(source, separators.at(to), edge);
            return;
        }
        const NodePlace& place = target->second;
        if (source != graph.nodes.end()) {
            read_inside(source->second, place, edge);
        } else if (graph.before_trial[place.trial] != from || !is_completion(edge)) {
            throw HarnessFault("trial " + std::to_string(place.trial) +
                               " of the driver's graph is behind something else than its own separator");
        }
        has_predecessor[place.trial][place.plan_node] = true;
    }

    /// A separator is behind the trial before it in its branch, and behind nothing else.
    void read_separation(std::map<cudaGraphNode_t, NodePlace>::const_iterator source, std::size_t trial,
                         const cudaGraphEdgeData& edge) {
        if (source == graph.nodes.end() || source->second.trial != before[trial] || !is_completion(edge)) {
            throw HarnessFault("the separator before trial " + std::to_string(trial) +
                               " of the driver's graph is behind something else than the trial before it in its "
                               "branch");
        }
        is_awaited[source->second.trial][source->second.plan_node] = true;
    }

    void read_inside(const NodePlace& source, const NodePlace& target, const cudaGraphEdgeData& edge) {
        if (source.trial != target.trial) {
            throw HarnessFault("the driver's graph has an edge from one trial into another");
        }
        std::vector<Dependency>& dependencies = plans[target.trial].nodes[target.plan_node].dependencies;
        const bool twice = std::any_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
            return dependency.upstream == source.plan_node;
        });
        if (twice || source.plan_node >= target.plan_node) {
            throw HarnessFault(twice ? "the driver's graph has two edges between the same two nodes"
                                     : "the driver's graph has an edge against the order of the program");
        }
        dependencies.push_back(to_dependency(source.plan_node, edge));
    }

    void finish() {
        const auto all = [](const std::vector<bool>& flags) {
            return std::all_of(flags.begin(), flags.end(), [](bool flag) { return flag; });
        };
        for (std::size_t trial = 0; trial < trials.size(); ++trial) {
            for (Node& node : plans[trial].nodes) {
                std::sort(node.dependencies.begin(), node.dependencies.end());
            }
            if (!all(has_predecessor[trial]) || (before[trial] != no_trial && !all(is_awaited[before[trial]]))) {
                throw HarnessFault("trial " + std::to_string(trial) +
                                   " of the driver's graph is not separated from its neighbours");
            }
        }
    }
};

} // namespace

BuiltPlans read_back(const TrialGraph& graph, std::span<const Trial> trials) {
    if (graph.child != nullptr) {
        std::size_t nodes = 0;
        check(cudaGraphGetNodes(graph.graph.get(), nullptr, &nodes), "counting the nodes of a graph");
        if (nodes != 1) {
            throw HarnessFault("a graph for one child graph has " + std::to_string(nodes) + " nodes");
        }
    }
    check_nodes(graph, trials);
    EdgeReader reader{graph, trials};
    reader.begin();
    const GraphEdges found = edges_of(graph.of_trials());
    for (std::size_t index = 0; index < found.edges.size(); ++index) {
        reader.read(found.from[index], found.to[index], found.edges[index]);
    }
    reader.finish();

    BuiltPlans built;
    for (std::size_t trial = 0; trial < trials.size(); ++trial) {
        const Role role = trials[trial].program->role;
        std::optional<Plan>& plan = role == Role::program ? built.program : built.control;
        if (!plan) {
            plan = reader.plans[trial];
        } else if (*plan != reader.plans[trial]) {
            throw HarnessFault("trials of the " + std::string(name(role)) +
                               " have different dependencies in one graph of the driver");
        }
    }
    return built;
}

} // namespace pdlcts
