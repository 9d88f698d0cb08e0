// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/lower.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace pdlcts {
namespace {

using Dependencies = std::vector<Dependency>;

bool is_full(const Dependency& dependency) {
    return dependency.type == DependencyType::full && dependency.port == Port::full;
}

/// Of two dependencies on one node the one that orders more is kept: completion before triggers, triggers before
/// block starts, and a launch-completion event, which orders nothing, last.
int rank(const Dependency& dependency) {
    if (is_full(dependency)) {
        return 3;
    }
    if (dependency.type == DependencyType::programmatic) {
        return dependency.port == Port::programmatic ? 2 : 1;
    }
    return 0;
}

void add(Dependencies& dependencies, const Dependency& added) {
    for (Dependency& dependency : dependencies) {
        if (dependency.upstream == added.upstream) {
            if (rank(added) > rank(dependency)) {
                dependency = added;
            }
            return;
        }
    }
    dependencies.insert(std::upper_bound(dependencies.begin(), dependencies.end(), added), added);
}

void add(Dependencies& dependencies, const Dependencies& added) {
    for (const Dependency& dependency : added) {
        add(dependencies, dependency);
    }
}

/// What the attributes of a grid make of its events (graph.capture.event-noblockstart-port,
/// graph.capture.event-blockstart-port, event.lc.not-visible-to-wait).
void record_attribute_events(const Grid& grid, std::size_t node, std::map<std::string, Dependencies>& events) {
    if (grid.programmatic_event) {
        const Port port = grid.programmatic_event->at_block_start ? Port::launch_completion : Port::programmatic;
        events[grid.programmatic_event->event] = {{node, DependencyType::programmatic, port}};
    }
    if (grid.launch_completion_event) {
        events[*grid.launch_completion_event] = {{node, DependencyType::full, Port::launch_completion}};
    }
}

/// A full dependency that another full dependency already implies says nothing: completion and its view are
/// transitive along full dependencies.
void drop_implied(Dependencies& dependencies, const std::vector<Node>& nodes) {
    std::set<std::size_t> implied;
    for (const Dependency& dependency : dependencies) {
        if (!is_full(dependency)) {
            continue;
        }
        std::vector<std::size_t> pending{dependency.upstream};
        while (!pending.empty()) {
            const std::size_t node = pending.back();
            pending.pop_back();
            for (const Dependency& earlier : nodes[node].dependencies) {
                if (is_full(earlier) && implied.insert(earlier.upstream).second) {
                    pending.push_back(earlier.upstream);
                }
            }
        }
    }
    std::erase_if(dependencies, [&](const Dependency& dependency) { return implied.contains(dependency.upstream); });
}

bool is_kernel(const Program& program, const Node& node) {
    return std::holds_alternative<Grid>(program.operations[node.operation]);
}

// ---- streams -----------------------------------------------------------------------------------------------------

struct StreamState {
    std::vector<std::size_t> nodes; ///< all earlier operations
    Dependencies waits;             ///< events that the next operation has to wait for
};

Plan lower_stream(const Program& program) {
    Plan plan{Route::stream, {}, {}};
    std::map<std::string, StreamState> streams;
    std::map<std::string, Dependencies> events;

    const auto everything_in = [](const StreamState& stream) {
        Dependencies all;
        for (const std::size_t node : stream.nodes) {
            add(all, Dependency{node, DependencyType::full, Port::full});
        }
        add(all, stream.waits);
        return all;
    };

    for (std::size_t index = 0; index < program.operations.size(); ++index) {
        const HostOperation& operation = program.operations[index];
        StreamState& stream = streams[stream_of(operation)];
        if (const auto* record = std::get_if<Record>(&operation)) {
            events[record->event] = everything_in(stream);
            continue;
        }
        if (const auto* wait = std::get_if<WaitEvent>(&operation)) {
            add(stream.waits, events[wait->event]);
            continue;
        }
        const auto* grid = std::get_if<Grid>(&operation);
        Node node{index, {}};
        // attr.pss.previous-kernel-in-stream: pss relaxes the order behind a kernel; behind a memset it changes
        // nothing (stream.copy-completes-before-pss-kernel).
        const bool behind_kernel = !stream.nodes.empty() && is_kernel(program, plan.nodes[stream.nodes.back()]);
        if (grid != nullptr && grid->has_pss() && behind_kernel) {
            node.dependencies = stream.waits;
            add(node.dependencies, Dependency{stream.nodes.back(), DependencyType::programmatic, Port::programmatic});
        } else {
            node.dependencies = everything_in(stream);
            drop_implied(node.dependencies, plan.nodes);
        }
        if (grid != nullptr) {
            record_attribute_events(*grid, plan.nodes.size(), events);
        }
        stream.nodes.push_back(plan.nodes.size());
        stream.waits.clear();
        plan.nodes.push_back(std::move(node));
    }
    return plan;
}

// ---- graphs ------------------------------------------------------------------------------------------------------

/// The half edges that a capturing stream holds for its next node (graph.capture.half-edge), and the reason, if any,
/// why no document says what a pss kernel makes of them.
struct CaptureState {
    Dependencies half_edges;
    std::string undocumented_for_pss;
};

std::string described(const Program& program, const Plan& plan, const Dependency& dependency) {
    return "the " + std::string(name(dependency.port)) + " half edge from " +
           node_name(program, plan.nodes[dependency.upstream]);
}

/// graph.edge.kernel-nodes-only: a programmatic half edge can only be consumed by a kernel.
std::optional<Error> half_edges_into_memset(const Program& program, const Plan& plan, const Node& node) {
    for (const Dependency& dependency : node.dependencies) {
        if (dependency.type == DependencyType::programmatic) {
            return Error{described(program, plan, dependency) + " cannot lead into " + node_name(program, node) +
                         ": programmatic edges join kernels only (graph.edge.kernel-nodes-only)"};
        }
    }
    return std::nullopt;
}

/// graph.capture.pss-port, where the table speaks: the kernel stands directly behind one kernel. `captured` says
/// whether to predict what a driver makes of the rest, or to keep the full edges that the stream's order asks for.
void apply_pss(const Program& program, Plan& plan, const CaptureState& stream, Node& node) {
    Dependencies& edges = node.dependencies;
    const auto from_kernel = [&](const Dependency& edge) { return is_kernel(program, plan.nodes[edge.upstream]); };
    const bool documented =
        stream.undocumented_for_pss.empty() && edges.size() <= 1 && std::all_of(edges.begin(), edges.end(), is_full);
    if (!documented && plan.route == Route::edges) {
        return;
    }
    if (!documented) {
        plan.undocumented.push_back("what a capture makes of pss on " + node_name(program, node) + ": " +
                                    (stream.undocumented_for_pss.empty() ? "it stands behind several half edges"
                                                                         : stream.undocumented_for_pss));
    }
    for (Dependency& edge : edges) {
        if (is_full(edge) && from_kernel(edge)) {
            edge.type = DependencyType::programmatic;
            edge.port = Port::programmatic;
        }
    }
}

Result<Plan> lower_graph(const Program& program, Route route) {
    Plan plan{route, {}, {}};
    std::map<std::string, CaptureState> streams;
    std::map<std::string, Dependencies> events;

    for (std::size_t index = 0; index < program.operations.size(); ++index) {
        const HostOperation& operation = program.operations[index];
        CaptureState& stream = streams[stream_of(operation)];
        if (const auto* record = std::get_if<Record>(&operation)) {
            events[record->event] = stream.half_edges;
            continue;
        }
        if (const auto* wait = std::get_if<WaitEvent>(&operation)) {
            const Dependencies before = stream.half_edges;
            add(stream.half_edges, events[wait->event]);
            if (stream.half_edges != before) {
                stream.undocumented_for_pss = "it was made to wait for event " + wait->event;
            }
            continue;
        }
        Node node{index, stream.half_edges};
        const auto* grid = std::get_if<Grid>(&operation);
        if (grid != nullptr && grid->has_pss()) {
            apply_pss(program, plan, stream, node);
        }
        if (grid == nullptr) {
            if (auto error = half_edges_into_memset(program, plan, node)) {
                return *error;
            }
        }
        for (const Dependency& edge : node.dependencies) {
            // ambiguity A3: what a launch-completion event becomes in a capture is documented nowhere.
            if (route == Route::captured && edge.type == DependencyType::full && edge.port == Port::launch_completion) {
                plan.undocumented.push_back("what a capture makes of the launch-completion event of " +
                                            node_name(program, plan.nodes[edge.upstream]));
            }
        }
        if (grid != nullptr) {
            record_attribute_events(*grid, plan.nodes.size(), events);
        }
        stream = CaptureState{{{plan.nodes.size(), DependencyType::full, Port::full}}, ""};
        plan.nodes.push_back(std::move(node));
    }
    for (const auto& [stream_name, stream] : streams) {
        for (const Dependency& edge : stream.half_edges) {
            // graph.capture.partial-edge-not-discardable
            if (!is_full(edge) && route == Route::captured) {
                return Error{described(program, plan, edge) +
                             " is left at the end of the capture, which cannot discard it; let an operation follow "
                             "the wait_event"};
            }
        }
    }
    return plan;
}

} // namespace

Result<Plan> lower(const Program& program, Route route) {
    if (route == Route::stream) {
        return lower_stream(program);
    }
    return lower_graph(program, route);
}

} // namespace pdlcts
