// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/gates.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

bool is_programmatic(const Dependency& dependency) {
    return dependency.type == DependencyType::programmatic;
}

bool is_launch_completion_event(const Dependency& dependency) {
    return dependency.type == DependencyType::full && dependency.port == Port::launch_completion;
}

/// Whether a dependency on a grid goes back to its programmatic event, and not to the order of a stream.
bool is_by_event(const Program& program, const Plan& plan, std::size_t node, const Dependency& dependency) {
    const auto* upstream = std::get_if<Grid>(&program.operations[plan.nodes[dependency.upstream].operation]);
    const auto* grid = std::get_if<Grid>(&program.operations[plan.nodes[node].operation]);
    const bool by_attribute =
        grid != nullptr && upstream != nullptr && grid->has_pss() && grid->stream == upstream->stream;
    return upstream != nullptr && upstream->programmatic_event && is_programmatic(dependency) && !by_attribute;
}

bool triggers(const Code& code, std::size_t node) {
    return std::any_of(code.nodes[node].classes.begin(), code.nodes[node].classes.end(), [&](std::size_t index) {
        const std::vector<Role>& roles = code.classes[index].roles;
        return std::any_of(roles.begin(), roles.end(), [](const Role& role) {
            return std::any_of(role.operations.begin(), role.operations.end(),
                               [](const Operation& operation) { return operation.kind == Kind::trigger; });
        });
    });
}

/// Whether another node depends on the same grid by programmatic type and comes first.
bool has_earlier_sibling(const Code& code, std::size_t node, const Dependency& dependency) {
    return std::any_of(
        code.nodes.begin(), code.nodes.begin() + static_cast<std::ptrdiff_t>(node), [&](const NodeCode& other) {
            return std::any_of(other.dependencies.begin(), other.dependencies.end(), [&](const Dependency& each) {
                return is_programmatic(each) && each.upstream == dependency.upstream;
            });
        });
}

/// graph.edge.port-default-activation, graph.edge.port-programmatic-activation,
/// graph.edge.port-launch-completion-activation, event.lc.inversion-allowed.
Gate sound_gate(const Dependency& dependency) {
    switch (dependency.port) {
    case Port::full:
        return Gate::completed;
    case Port::programmatic:
        return Gate::triggered;
    case Port::launch_completion:
        // A launch-completion event is best effort and orders nothing.
        return is_launch_completion_event(dependency) ? Gate::nothing : Gate::begun;
    }
    return Gate::never;
}

Gate gate_of(const Code& code, std::size_t node, const Dependency& dependency, bool by_event) {
    const Gate sound = sound_gate(dependency);
    const bool after_a_grid = code.nodes[dependency.upstream].is_grid;
    const std::vector<Dependency>& all = code.nodes[node].dependencies;
    switch (code.fault) {
    case Fault::no_overlap:
        return Gate::completed;
    case Fault::plain_successor_overlaps:
    case Fault::completion_at_the_trigger:
        return sound == Gate::completed && after_a_grid ? Gate::triggered : sound;
    case Fault::default_edge_after_the_first_block:
        return sound == Gate::completed ? Gate::first_completed : sound;
    case Fault::programmatic_port_at_block_start:
        return sound == Gate::triggered ? Gate::begun : sound;
    case Fault::launch_completion_port_before_the_blocks:
        return sound == Gate::begun ? Gate::nothing : sound;
    case Fault::launch_completion_port_waits_for_triggers:
        return sound == Gate::begun ? Gate::triggered : sound;
    case Fault::default_edge_lost_beside_a_programmatic_one:
        return sound == Gate::completed && std::any_of(all.begin(), all.end(), is_programmatic) ? Gate::nothing : sound;
    case Fault::one_dependent_of_a_fan_out:
        return is_programmatic(dependency) && has_earlier_sibling(code, node, dependency) ? Gate::nothing : sound;
    case Fault::programmatic_event_after_the_first_block:
        return by_event && sound == Gate::triggered ? Gate::first_triggered : sound;
    case Fault::programmatic_event_needs_a_trigger:
        return by_event && sound == Gate::triggered && !triggers(code, dependency.upstream) ? Gate::never : sound;
    case Fault::launch_completion_event_at_the_end:
        return is_launch_completion_event(dependency) ? Gate::completed : sound;
    case Fault::launch_completion_event_never_fires:
        return is_launch_completion_event(dependency) ? Gate::never : sound;
    default:
        return sound;
    }
}

/// wait.direct-dependencies-only: the upstreams of programmatic type, and no others.
bool is_prerequisite(const Code& code, std::size_t node, const Dependency& dependency) {
    switch (code.fault) {
    case Fault::wait_ignores_the_launch_completion_port:
        return is_programmatic(dependency) && dependency.port != Port::launch_completion;
    case Fault::wait_sees_launch_completion_events:
        return is_programmatic(dependency) || is_launch_completion_event(dependency);
    case Fault::one_dependent_of_a_fan_out:
        return is_programmatic(dependency) && !has_earlier_sibling(code, node, dependency);
    default:
        return is_programmatic(dependency);
    }
}

std::vector<std::size_t> sound_prerequisites(const Code& code, std::size_t node) {
    std::vector<std::size_t> prerequisites;
    for (const Dependency& dependency : code.nodes[node].dependencies) {
        if (is_programmatic(dependency)) {
            prerequisites.push_back(dependency.upstream);
        }
    }
    return prerequisites;
}

std::vector<std::size_t> prerequisites_of(const Code& code, std::size_t node) {
    std::vector<std::size_t> prerequisites;
    if (code.fault == Fault::wait_waits_for_all_earlier_grids) {
        for (std::size_t earlier = 0; earlier < node; ++earlier) {
            prerequisites.push_back(earlier);
        }
        return prerequisites;
    }
    for (const Dependency& dependency : code.nodes[node].dependencies) {
        if (is_prerequisite(code, node, dependency)) {
            prerequisites.push_back(dependency.upstream);
        }
    }
    if (code.fault == Fault::wait_honours_the_first_prerequisite && prerequisites.size() > 1) {
        prerequisites = {prerequisites.front()};
    } else if (code.fault == Fault::wait_honours_the_last_prerequisite && prerequisites.size() > 1) {
        prerequisites = {prerequisites.back()};
    }
    return prerequisites;
}

/// What a faulty wait asks of grids on which its own does not depend is kept until its own is complete.
void keep_completions(Code& code, std::size_t node) {
    std::vector<std::size_t> asked;
    if (code.fault == Fault::wait_waits_for_all_earlier_grids) {
        asked = code.nodes[node].prerequisites;
    } else if (code.fault == Fault::wait_forgets_what_its_primary_waited_for) {
        for (const std::size_t prerequisite : code.nodes[node].prerequisites) {
            const std::vector<std::size_t>& earlier = code.nodes[prerequisite].prerequisites;
            asked.insert(asked.end(), earlier.begin(), earlier.end());
        }
    }
    for (const std::size_t other : asked) {
        std::vector<std::size_t>& dependents = code.nodes[other].dependents;
        if (std::find(dependents.begin(), dependents.end(), node) == dependents.end()) {
            dependents.push_back(node);
        }
    }
}

template <typename Predicate>
bool any_operation(const Code& code, const Predicate& predicate) {
    return std::any_of(code.classes.begin(), code.classes.end(), [&](const BlockClass& block_class) {
        return std::any_of(block_class.roles.begin(), block_class.roles.end(), [&](const Role& role) {
            return std::any_of(role.operations.begin(), role.operations.end(), predicate);
        });
    });
}

/// The same of a fault that changes no gate and no prerequisite of this program.
bool has_other_rule_to_break(const Code& code) {
    const auto has = [&](Kind kind) {
        return any_operation(code, [&](const Operation& operation) { return operation.kind == kind; });
    };
    const bool is_held_by_triggers = std::any_of(code.nodes.begin(), code.nodes.end(), [](const NodeCode& node) {
        return std::find(node.gates.begin(), node.gates.end(), Gate::triggered) != node.gates.end();
    });
    switch (code.fault) {
    case Fault::wait_returns_at_once:
    case Fault::wait_waits_for_the_trigger:
    case Fault::wait_without_flush:
    case Fault::wait_skips_atomics:
    case Fault::wait_skips_bulk_copies:
    case Fault::wait_skips_stores_before_the_trigger:
    case Fault::wait_skips_stores_behind_the_trigger:
    case Fault::wait_skips_blocks_that_never_triggered:
    case Fault::wait_released_by_another_grid:
    case Fault::wait_holds_the_whole_block:
    case Fault::wait_forgets_what_its_primary_waited_for:
    case Fault::wait_without_prerequisite_hangs:
    case Fault::second_wait_hangs:
    case Fault::wait_keeps_stale_lines:
    case Fault::wait_speaks_to_its_thread_alone:
    case Fault::wait_stops_at_the_memory_domain:
        return has(Kind::wait);
    case Fault::one_triggered_block_is_enough:
    case Fault::trigger_needs_all_threads:
    case Fault::repeats_count_for_other_blocks:
    case Fault::repeats_are_kept_for_the_next_kernel:
    case Fault::exited_blocks_do_not_count:
    case Fault::unlaunched_blocks_are_forgotten:
    case Fault::implicit_trigger_at_block_start:
    case Fault::implicit_trigger_when_one_thread_exits:
    case Fault::implicit_trigger_never_comes:
        return is_held_by_triggers;
    case Fault::trigger_flushes:
    case Fault::fence_before_the_trigger_ignored:
    case Fault::gpu_fence_before_the_trigger_ignored:
    case Fault::sys_fence_stops_at_the_domain:
    case Fault::gpu_fence_reaches_every_domain:
        return is_held_by_triggers && has(Kind::trigger);
    case Fault::release_between_grids_ignored:
        return any_operation(code, [](const Operation& operation) {
            return operation.acquires || operation.collects || operation.kind == Kind::fence;
        });
    case Fault::completion_at_the_trigger:
    case Fault::default_edge_without_visibility:
    case Fault::first_dependency_starts_the_kernel:
        return true;
    default:
        return false; // decided by gates and prerequisites, or in the plan
    }
}

} // namespace

void set_gates(const Program& program, const Plan& plan, Code& code) {
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        for (const Dependency& dependency : code.nodes[node].dependencies) {
            const bool by_event = is_by_event(program, plan, node, dependency);
            code.nodes[node].gates.push_back(gate_of(code, node, dependency, by_event));
        }
        code.nodes[node].prerequisites = prerequisites_of(code, node);
        keep_completions(code, node);
    }
}

bool has_rule_to_break(const Code& code) {
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        const NodeCode& it = code.nodes[node];
        const bool sound = it.prerequisites == sound_prerequisites(code, node) &&
                           std::equal(it.gates.begin(), it.gates.end(), it.dependencies.begin(),
                                      [](Gate gate, const Dependency& each) { return gate == sound_gate(each); });
        if (!sound) {
            return true;
        }
    }
    return has_other_rule_to_break(code);
}

bool counts_blocks(Fault fault) {
    switch (fault) {
    case Fault::wait_waits_for_the_trigger:
    case Fault::completion_at_the_trigger:
    case Fault::one_triggered_block_is_enough:
    case Fault::repeats_count_for_other_blocks:
    case Fault::repeats_are_kept_for_the_next_kernel:
    case Fault::exited_blocks_do_not_count:
    case Fault::unlaunched_blocks_are_forgotten:
    case Fault::implicit_trigger_never_comes:
    case Fault::default_edge_after_the_first_block:
    case Fault::programmatic_event_after_the_first_block:
        return true;
    default:
        return false;
    }
}

bool keeps_writers_apart(Fault fault) {
    switch (fault) {
    case Fault::wait_skips_stores_before_the_trigger:
    case Fault::wait_skips_stores_behind_the_trigger:
    case Fault::wait_skips_blocks_that_never_triggered:
    case Fault::trigger_flushes:
        return true;
    default:
        return false;
    }
}

} // namespace pdlcts::machine
