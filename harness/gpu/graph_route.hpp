// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/host_actions.hpp"
#include "harness/gpu/trial.hpp"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

/// A batch of trials as one graph: captured from streams, or built edge by edge.
namespace pdlcts {

/// Which node of the plan of which trial a node of the driver's is.
struct NodePlace {
    std::size_t trial = 0;
    std::size_t plan_node = 0;
};

struct TrialGraph {
    HostCalls host_calls; ///< which host nodes point to: gone after the graph
    Graph graph;
    GraphExec exec;
    /// Where the trials are, if not in `graph` itself: the child graph of its only node, which `graph` owns.
    cudaGraph_t child = nullptr;
    bool has_priorities = false; ///< nodes have priorities of their own
    std::map<cudaGraphNode_t, NodePlace> nodes;
    /// The separator before each trial: an empty node that waits for everything of the trial before it in its branch,
    /// and for nothing else.
    std::vector<cudaGraphNode_t> before_trial;

    cudaGraph_t of_trials() const { return child == nullptr ? graph.get() : child; }
};

/// Of the self-test alone: only the first trial of a branch has a separator, which has to be noticed.
enum class Separation { every_trial, first_trials };

/// Captures what the stream route issues, into a graph that is not instantiated yet: each branch from its own streams,
/// forked where nothing has been captured yet and joined at the end, so that no edge leads from one branch to another.
/// Throws when the driver refuses the capture, which has ended by then.
TrialGraph capture_trials(std::span<const Trial> trials, std::span<const TrialStreams> branches,
                          const NamedEvents& named_events, Separation separation);

/// Builds the graph whose edges are those of the programs' plans, and does not instantiate it either.
TrialGraph build_trials(std::span<const Trial> trials, Separation separation);

/// The plans of program and control as the driver has them.
struct BuiltPlans {
    std::optional<Plan> program;
    std::optional<Plan> control;
};

/// Reads all nodes and edges of a graph back from the driver. Throws HarnessFault for a node or an edge that no trial
/// accounts for, for a trial that is not separated from the next of its branch, and when two trials of one program
/// differ.
BuiltPlans read_back(const TrialGraph& graph, std::span<const Trial> trials);

} // namespace pdlcts
