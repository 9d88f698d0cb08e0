// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/lower_faults.hpp"

#include "conformance/plan/routes.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

const Grid* grid_at(const Program& program, const Plan& plan, std::size_t node) {
    return std::get_if<Grid>(&program.operations[plan.nodes[node].operation]);
}

bool is_full(const Dependency& dependency) {
    return dependency.type == DependencyType::full && dependency.port == Port::full;
}

/// Whether a fault makes the attribute look past a node that is no kernel.
bool passes_over(const HostOperation& operation, Route route, Fault fault) {
    switch (fault) {
    case Fault::pss_applied_across_a_memset:
        return std::holds_alternative<Memset>(operation);
    case Fault::pss_applied_across_a_copy:
        return std::holds_alternative<Memcpy>(operation);
    case Fault::pss_applied_across_a_host_function:
        return std::holds_alternative<HostFunction>(operation);
    case Fault::capture_annotates_a_memset:
        return route != Route::stream && std::holds_alternative<Memset>(operation);
    default:
        return false;
    }
}

/// The node before another one in program order, among those that it depends on.
std::optional<std::size_t> before(const Plan& plan, std::size_t node) {
    const std::vector<Dependency>& dependencies = plan.nodes[node].dependencies;
    return dependencies.empty() ? std::nullopt : std::optional(dependencies.back().upstream);
}

} // namespace

Fault fault_of_building(Fault fault, Route route) {
    return lowered_as(route) == Route::edges ? Fault::none : fault;
}

bool is_pss_in_force(const Program& program, const Plan& plan, const Grid& grid, std::optional<std::size_t> previous,
                     bool recorded, Fault fault) {
    switch (fault) {
    case Fault::pss_ignored:
        return false;
    case Fault::pss_zero_taken_as_one:
        return grid.pss.has_value();
    case Fault::pss_above_one_ignored:
        return grid.pss == 1;
    case Fault::pss_of_the_primary_taken_for_the_secondarys: {
        const Grid* const primary = previous ? grid_at(program, plan, *previous) : nullptr;
        return primary != nullptr && primary->has_pss();
    }
    case Fault::pss_ignored_behind_a_record:
        return grid.has_pss() && !recorded;
    default:
        return grid.has_pss();
    }
}

std::optional<std::size_t> kernel_of_pss(const Program& program, const Plan& plan, std::optional<std::size_t> previous,
                                         Fault fault) {
    if (!previous && fault == Fault::pss_applied_across_streams) {
        for (std::size_t node = plan.nodes.size(); node-- > 0;) {
            if (grid_at(program, plan, node) != nullptr) {
                return node;
            }
        }
    }
    while (previous && passes_over(program.operations[plan.nodes[*previous].operation], plan.route, fault)) {
        previous = before(plan, *previous);
    }
    if (!previous || grid_at(program, plan, *previous) == nullptr) {
        return std::nullopt;
    }
    if (fault == Fault::pss_behind_the_kernel_before_the_last) {
        const std::optional<std::size_t> earlier = before(plan, *previous);
        return earlier && grid_at(program, plan, *earlier) != nullptr ? earlier : previous;
    }
    return previous;
}

void loosen_events(const Program& program, const Plan& plan, const std::vector<Dependency>& waits,
                   std::vector<Dependency>& dependencies, Fault fault) {
    for (Dependency& dependency : dependencies) {
        if (fault == Fault::pss_applied_across_an_event && is_full(dependency) &&
            grid_at(program, plan, dependency.upstream) != nullptr &&
            std::find(waits.begin(), waits.end(), dependency) != waits.end()) {
            dependency = {dependency.upstream, DependencyType::programmatic, Port::programmatic};
        }
    }
}

void move_half_edges(const Program& program, const Plan& plan, Node& node, Fault fault) {
    const std::optional<std::size_t> previous =
        node.dependencies.empty() ? std::nullopt : std::optional(node.dependencies.back().upstream);
    const std::optional<std::size_t> kernel = kernel_of_pss(program, plan, previous, fault);
    if (node.dependencies.size() <= 1 && kernel && kernel != previous) {
        node.dependencies = {Dependency{*kernel, DependencyType::full, Port::full}};
    }
}

std::vector<std::size_t> held_by_other_streams(const Plan& plan, const std::vector<std::size_t>& own, Fault fault) {
    std::vector<std::size_t> held;
    for (std::size_t node = 0; fault == Fault::streams_share_a_queue && node < plan.nodes.size(); ++node) {
        if (std::find(own.begin(), own.end(), node) == own.end()) {
            held.push_back(node);
        }
    }
    return held;
}

bool covers_the_stream(const HostOperation& operation, Fault fault) {
    switch (fault) {
    case Fault::plain_kernel_forgets_an_unwaited_primary:
        return !std::holds_alternative<Grid>(operation);
    case Fault::copy_forgets_an_unwaited_primary:
        return !std::holds_alternative<Memset>(operation) && !std::holds_alternative<Memcpy>(operation);
    case Fault::event_forgets_an_unwaited_primary:
        return !std::holds_alternative<Record>(operation);
    case Fault::stream_sync_forgets_an_unwaited_primary:
        return !std::holds_alternative<SyncStream>(operation);
    default:
        return true;
    }
}

Port port_of_event(const ProgrammaticEvent& event, Route route, Fault fault) {
    const bool swapped = fault == Fault::capture_swaps_event_ports && route != Route::stream;
    const bool at_block_start =
        event.at_block_start != swapped || fault == Fault::event_at_block_start_whatever_its_flag;
    return at_block_start ? Port::launch_completion : Port::programmatic;
}

void annotate_plain_grid(const Program& program, const Plan& plan, Node& node, Fault fault) {
    if (fault != Fault::capture_annotates_a_join || node.dependencies.size() < 2) {
        return;
    }
    for (Dependency& edge : node.dependencies) {
        if (is_full(edge) && grid_at(program, plan, edge.upstream) != nullptr) {
            edge = {edge.upstream, DependencyType::programmatic, Port::programmatic};
        }
    }
}

namespace {

bool loses_annotated_edges(Route route, Fault fault, bool again) {
    return (fault == Fault::replay_loses_annotated_edges && launches_graph(route) && again) ||
           (fault == Fault::clone_loses_annotated_edges && route == Route::cloned) ||
           (fault == Fault::update_loses_annotated_edges && route == Route::updated);
}

bool makes_edges_default(Route route, Fault fault) {
    return (fault == Fault::explicit_edges_treated_as_default && lowered_as(route) == Route::edges) ||
           (fault == Fault::child_graph_loses_edge_data && route == Route::child);
}

/// What a launch makes of one dependency.
void change(Dependency& edge, bool between_kernels, Route route, Fault fault, bool again) {
    if (makes_edges_default(route, fault)) {
        edge = {edge.upstream, DependencyType::full, Port::full};
    } else if (fault == Fault::explicit_default_edges_treated_as_programmatic && lowered_as(route) == Route::edges &&
               is_full(edge) && between_kernels) {
        edge = {edge.upstream, DependencyType::programmatic, Port::programmatic};
    } else if (fault == Fault::replay_keeps_the_triggers && launches_graph(route) && again &&
               edge.port == Port::programmatic) {
        edge.port = Port::launch_completion;
    } else if (fault == Fault::driver_launch_hides_the_prerequisite && route == Route::driver) {
        edge.type = DependencyType::full; // it fires as before, and the wait does not know of it
    }
}

} // namespace

Plan as_launched(const Program& program, Plan plan, Fault fault, bool again) {
    for (std::size_t index = 0; index < plan.nodes.size(); ++index) {
        std::vector<Dependency>& dependencies = plan.nodes[index].dependencies;
        for (Dependency& edge : dependencies) {
            const bool between_kernels =
                grid_at(program, plan, index) != nullptr && grid_at(program, plan, edge.upstream) != nullptr;
            change(edge, between_kernels, plan.route, fault, again);
        }
        if (loses_annotated_edges(plan.route, fault, again)) {
            std::erase_if(dependencies, [](const Dependency& edge) { return !is_full(edge); });
        }
    }
    return plan;
}

} // namespace pdlcts
