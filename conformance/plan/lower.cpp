// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/lower.hpp"

#include "conformance/plan/lower_faults.hpp"
#include "conformance/plan/routes.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace pdlcts {
namespace {

using Dependencies = std::vector<Dependency>;

bool is_full(const Dependency& dependency) {
    return dependency.type == DependencyType::full && dependency.port == Port::full;
}

Dependency full_on(std::size_t node) {
    return {node, DependencyType::full, Port::full};
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
    const auto place = std::lower_bound(
        dependencies.begin(), dependencies.end(), added.upstream,
        [](const Dependency& dependency, std::size_t upstream) { return dependency.upstream < upstream; });
    if (place == dependencies.end() || place->upstream != added.upstream) {
        dependencies.insert(place, added);
    } else if (rank(added) > rank(*place)) {
        *place = added;
    }
}

void add(Dependencies& dependencies, const Dependencies& added) {
    for (const Dependency& dependency : added) {
        add(dependencies, dependency);
    }
}

/// What the attributes of a grid make of its events (graph.capture.event-noblockstart-port,
/// graph.capture.event-blockstart-port, event.lc.not-visible-to-wait).
void record_attribute_events(const Grid& grid, std::size_t node, Route route, Fault fault,
                             std::map<std::string, Dependencies>& events) {
    if (grid.programmatic_event) {
        Dependencies& event = events[grid.programmatic_event->event];
        if (event.empty() || fault != Fault::event_recorded_again_keeps_its_first_kernel) {
            event = {{node, DependencyType::programmatic, port_of_event(*grid.programmatic_event, route, fault)}};
        }
    }
    if (grid.launch_completion_event) {
        events[*grid.launch_completion_event] = {{node, DependencyType::full, Port::launch_completion}};
    }
}

/// A full dependency that another full dependency already implies says nothing: completion and its view are
/// transitive along full dependencies.
void drop_implied(Dependencies& dependencies, const std::vector<Node>& nodes) {
    std::vector<bool> implied(nodes.size(), false);
    for (const Dependency& dependency : dependencies) {
        if (!is_full(dependency)) {
            continue;
        }
        std::vector<std::size_t> pending{dependency.upstream};
        while (!pending.empty()) {
            const std::size_t node = pending.back();
            pending.pop_back();
            for (const Dependency& earlier : nodes[node].dependencies) {
                if (is_full(earlier) && !implied[earlier.upstream]) {
                    implied[earlier.upstream] = true;
                    pending.push_back(earlier.upstream);
                }
            }
        }
    }
    std::erase_if(dependencies, [&](const Dependency& dependency) { return implied[dependency.upstream]; });
}

bool is_kernel(const Program& program, const Node& node) {
    return std::holds_alternative<Grid>(program.operations[node.operation]);
}

/// A sync, or a read or a write that is not in a host function.
bool is_by_host_thread(const HostOperation& operation) {
    return stream_of(operation) == nullptr || std::holds_alternative<SyncStream>(operation);
}

/// Event and grid on different GPUs: no document says what that event stands for there.
void note_programmatic_across_gpus(const Program& program, Plan& plan, const Node& node, const Grid& grid) {
    for (const Dependency& dependency : node.dependencies) {
        const auto* upstream = std::get_if<Grid>(&program.operations[plan.nodes[dependency.upstream].operation]);
        if (!is_full(dependency) && upstream != nullptr && upstream->peer != grid.peer) {
            plan.undocumented.push_back("what the " + std::string(name(dependency.port)) + " event of " +
                                        upstream->name + " means to " + grid.name + " on another GPU");
        }
    }
}

// ---- streams -----------------------------------------------------------------------------------------------------

struct StreamState {
    std::vector<std::size_t> nodes; ///< all earlier operations
    Dependencies waits;             ///< events that the next operation has to wait for
    bool recorded = false;          ///< whether an event was recorded behind the latest operation
    std::optional<std::size_t> latest() const { return nodes.empty() ? std::nullopt : std::optional(nodes.back()); }
};

/// What an operation comes behind that is issued to a stream, or to be done by the host when the stream is.
Dependencies everything_in(const StreamState& stream, const HostOperation& issued, Fault fault) {
    Dependencies all;
    const bool covered = covers_the_stream(issued, fault);
    for (const std::size_t node : stream.nodes) {
        if (covered || node == stream.nodes.back()) {
            add(all, full_on(node));
        }
    }
    add(all, stream.waits);
    return all;
}

/// What the host has issued so far, and the latest that its own thread did: what it issues next comes after that.
struct HostOrder {
    std::map<std::string, StreamState> streams;
    std::map<std::string, Dependencies> events;
    std::optional<std::size_t> thread;
};

void add_host_thread(Dependencies& dependencies, const HostOrder& host) {
    if (host.thread) {
        add(dependencies, full_on(*host.thread));
    }
}

/// A node of the host's own thread: what it waits for, beside what that thread did before.
Dependencies awaited_by_host(const HostOperation& operation, HostOrder& host, std::size_t earlier_nodes, Fault fault) {
    Dependencies awaited;
    if (const auto* stream = std::get_if<SyncStream>(&operation)) {
        // stream.sync-covers-unwaited-primary: every operation of the stream, not its latest alone.
        awaited = everything_in(host.streams[stream->stream], operation, fault);
    } else if (const auto* event = std::get_if<SyncEvent>(&operation)) {
        awaited = host.events[event->event];
    } else if (std::holds_alternative<SyncDevice>(operation)) {
        for (std::size_t node = 0; node < earlier_nodes; ++node) {
            add(awaited, full_on(node));
        }
    }
    add_host_thread(awaited, host);
    return awaited;
}

/// What an operation of a stream depends on when it is issued now.
Dependencies issued_to_stream(const Program& program, const Plan& plan, const HostOperation& operation,
                              const HostOrder& host, const StreamState& stream, Fault fault) {
    const auto* grid = std::get_if<Grid>(&operation);
    // attr.pss.previous-kernel-in-stream: pss relaxes the order behind a kernel; behind a copy, a memset or a host
    // function it changes nothing (stream.copy-completes-before-pss-kernel, ambiguity.a15-pss-behind-non-kernel).
    // What the host's thread does itself is no operation of the stream and does not come between.
    const bool has_pss =
        grid != nullptr && is_pss_in_force(program, plan, *grid, stream.latest(), stream.recorded, fault);
    const std::optional<std::size_t> kernel =
        has_pss ? kernel_of_pss(program, plan, stream.latest(), fault) : std::nullopt;
    Dependencies dependencies;
    if (kernel) {
        dependencies = stream.waits;
        add(dependencies, Dependency{*kernel, DependencyType::programmatic, Port::programmatic});
        add_host_thread(dependencies, host);
    } else {
        dependencies = everything_in(stream, operation, fault);
        add_host_thread(dependencies, host);
        drop_implied(dependencies, plan.nodes);
    }
    if (has_pss) {
        loosen_events(program, plan, stream.waits, dependencies, fault);
    }
    for (const std::size_t node : held_by_other_streams(plan, stream.nodes, fault)) {
        add(dependencies, full_on(node));
    }
    return dependencies;
}

Plan lower_stream(const Program& program, Fault fault) {
    Plan plan{Route::stream, {}, {}};
    HostOrder host;
    for (std::size_t index = 0; index < program.operations.size(); ++index) {
        const HostOperation& operation = program.operations[index];
        if (is_by_host_thread(operation)) {
            Node node{index, awaited_by_host(operation, host, plan.nodes.size(), fault)};
            drop_implied(node.dependencies, plan.nodes);
            host.thread = plan.nodes.size();
            plan.nodes.push_back(std::move(node));
            continue;
        }
        StreamState& stream = host.streams[*stream_of(operation)];
        if (const auto* record = std::get_if<Record>(&operation)) {
            host.events[record->event] = everything_in(stream, operation, fault);
            stream.recorded = true;
            continue;
        }
        if (const auto* wait = std::get_if<WaitEvent>(&operation)) {
            add(stream.waits, host.events[wait->event]);
            continue;
        }
        Node node{index, issued_to_stream(program, plan, operation, host, stream, fault)};
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            record_attribute_events(*grid, plan.nodes.size(), plan.route, fault, host.events);
            note_programmatic_across_gpus(program, plan, node, *grid);
        }
        stream.nodes.push_back(plan.nodes.size());
        stream.waits.clear();
        stream.recorded = false;
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
    bool recorded = false; ///< whether an event was recorded behind the latest node
};

std::string described(const Program& program, const Plan& plan, const Dependency& dependency) {
    return "the " + std::string(name(dependency.port)) + " half edge from " +
           node_name(program, plan.nodes[dependency.upstream]);
}

/// A graph is built first and launched as a whole afterwards, so that the host cannot act in the middle of it.
std::optional<Error> host_thread_in_graph(const Program& program) {
    for (std::size_t index = 0; index < program.operations.size(); ++index) {
        const HostOperation& operation = program.operations[index];
        if (!is_by_host_thread(operation)) {
            continue;
        }
        const bool accesses =
            std::holds_alternative<HostRead>(operation) || std::holds_alternative<HostWrite>(operation);
        return Error{"the host's thread itself does `" + node_name(program, Node{index, {}}) +
                     "`, and a graph is launched as a whole, with no place for that inside it; " +
                     (accesses ? "put it into a host function, or write `routes stream`" : "write `routes stream`")};
    }
    return std::nullopt;
}

/// What a graph of several GPUs makes of edge data is documented nowhere, so the suite builds graphs of one.
std::optional<Error> second_gpu_in_graph(const Program& program) {
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation); grid != nullptr && grid->peer) {
            return Error{"grid " + grid->name +
                         " is on a second GPU, and a graph here is of one GPU; write `routes stream`"};
        }
    }
    return std::nullopt;
}

/// graph.edge.kernel-nodes-only: a programmatic half edge can only be consumed by a kernel.
std::optional<Error> half_edges_into_other_than_kernel(const Program& program, const Plan& plan, const Node& node) {
    for (const Dependency& dependency : node.dependencies) {
        if (dependency.type == DependencyType::programmatic) {
            return Error{
                described(program, plan, dependency) + " cannot lead into " + node_name(program, node) +
                ", which is no kernel (graph.edge.kernel-nodes-only); let it wait for an event that is recorded "
                "behind that kernel, or write `routes stream`"};
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

Result<Plan> lower_graph(const Program& program, Route route, Fault fault) {
    if (auto error = host_thread_in_graph(program)) {
        return *error;
    }
    if (auto error = second_gpu_in_graph(program)) {
        return *error;
    }
    Plan plan{route, {}, {}};
    std::map<std::string, CaptureState> streams;
    std::map<std::string, Dependencies> events;

    for (std::size_t index = 0; index < program.operations.size(); ++index) {
        const HostOperation& operation = program.operations[index];
        CaptureState& stream = streams[*stream_of(operation)];
        if (const auto* record = std::get_if<Record>(&operation)) {
            events[record->event] = stream.half_edges;
            stream.recorded = true;
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
        const std::optional<std::size_t> previous =
            stream.half_edges.empty() ? std::nullopt : std::optional(stream.half_edges.back().upstream);
        if (grid != nullptr && is_pss_in_force(program, plan, *grid, previous, stream.recorded, fault)) {
            move_half_edges(program, plan, node, fault);
            apply_pss(program, plan, stream, node);
        } else if (grid != nullptr) {
            annotate_plain_grid(program, plan, node, fault);
        }
        if (fault == Fault::capture_drops_edge_types) {
            std::for_each(node.dependencies.begin(), node.dependencies.end(),
                          [](Dependency& edge) { edge = full_on(edge.upstream); });
        }
        if (grid == nullptr) {
            if (auto error = half_edges_into_other_than_kernel(program, plan, node)) {
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
            record_attribute_events(*grid, plan.nodes.size(), route, fault, events);
        }
        stream = CaptureState{{full_on(plan.nodes.size())}, "", false};
        plan.nodes.push_back(std::move(node));
    }
    for (const auto& [stream_name, stream] : streams) {
        for (const Dependency& edge : stream.half_edges) {
            if (!is_full(edge) && route == Route::captured) {
                return Error{described(program, plan, edge) +
                             " is left at the end of the capture, which cannot discard it "
                             "(graph.capture.partial-edge-not-discardable); let a kernel follow the wait_event"};
            }
        }
    }
    return plan;
}

} // namespace

Result<Plan> lower(const Program& program, Route route, Fault fault) {
    const Route basic = lowered_as(route);
    const Fault building = fault_of_building(fault, route);
    Result<Plan> plan =
        basic == Route::stream ? Result<Plan>(lower_stream(program, building)) : lower_graph(program, basic, building);
    if (plan) {
        plan->route = route;
    }
    return plan;
}

} // namespace pdlcts
