// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/wait.hpp"

#include "conformance/machine/trigger.hpp"

#include <algorithm>
#include <bit>

namespace pdlcts::machine {
namespace {

void take_away(View& view, const View& taken) {
    std::erase_if(view, [&](const Entry& entry) { return std::binary_search(taken.begin(), taken.end(), entry); });
}

bool has_performed(const Code& code, const State& state, const Place& place, Kind kind, Cell cell) {
    const std::vector<Operation>& operations = role_at(code, state, place).operations;
    return std::any_of(operations.begin(), operations.end(), [&](const Operation& operation) {
        return operation.kind == kind && operation.cell == cell && is_performed(thread_at(state, place), operation);
    });
}

bool is_released(const Code& code, const State& state, std::size_t prerequisite) {
    const bool at_the_trigger =
        code.fault == Fault::wait_waits_for_the_trigger || code.fault == Fault::completion_at_the_trigger;
    return is_complete(code, state, prerequisite) || (at_the_trigger && is_triggered(code, state, prerequisite));
}

/// Whether a grid that anybody waits for is complete.
bool is_any_released(const Code& code, const State& state) {
    return std::any_of(code.nodes.begin(), code.nodes.end(), [&](const NodeCode& node) {
        return std::any_of(node.prerequisites.begin(), node.prerequisites.end(),
                           [&](std::size_t prerequisite) { return is_complete(code, state, prerequisite); });
    });
}

/// What a faulty wait brings of one prerequisite.
View brought(const Code& code, const State& state, const Place& place, std::size_t prerequisite) {
    // Released early, it brings nothing of what is still going on.
    if (!is_complete(code, state, prerequisite)) {
        return {};
    }
    const NodeState& upstream = state.nodes[prerequisite];
    View view = upstream.completion;
    switch (code.fault) {
    case Fault::wait_without_flush:
        return {};
    case Fault::wait_skips_atomics:
        std::erase_if(view, [&](const Entry& entry) {
            return entry.key < 2 * code.cells.size() && state.memory[entry.key % code.cells.size()][entry.place].atomic;
        });
        return view;
    case Fault::wait_skips_bulk_copies:
    case Fault::wait_skips_stores_before_the_trigger:
        take_away(view, upstream.told_apart);
        return view;
    case Fault::wait_skips_stores_behind_the_trigger:
    case Fault::wait_skips_blocks_that_never_triggered:
        return upstream.told_apart;
    case Fault::wait_forgets_what_its_primary_waited_for:
        for (const std::size_t earlier : code.nodes[prerequisite].prerequisites) {
            take_away(view, state.nodes[earlier].completion);
        }
        return view;
    case Fault::wait_keeps_stale_lines:
        std::erase_if(view, [&](const Entry& entry) {
            return has_performed(code, state, place, Kind::load, static_cast<Cell>(entry.key % code.cells.size()));
        });
        return view;
    case Fault::wait_stops_at_the_memory_domain:
        return code.nodes[prerequisite].gpu_scope == code.nodes[class_at(code, state, place).node].gpu_scope ? view
                                                                                                             : View{};
    default:
        return view;
    }
}

} // namespace

bool may_return_from_wait(const Code& code, const State& state, const Place& place) {
    const std::vector<std::size_t>& prerequisites = code.nodes[class_at(code, state, place).node].prerequisites;
    const bool complete = std::all_of(prerequisites.begin(), prerequisites.end(),
                                      [&](std::size_t prerequisite) { return is_released(code, state, prerequisite); });
    switch (code.fault) {
    case Fault::wait_returns_at_once:
        return true;
    case Fault::wait_released_by_another_grid:
        return complete || is_any_released(code, state);
    case Fault::wait_without_prerequisite_hangs:
        return complete && !prerequisites.empty();
    case Fault::second_wait_hangs:
        return complete && !has_performed(code, state, place, Kind::wait, 0);
    default:
        return complete;
    }
}

void wait(const Code& code, State& state, const Place& place) {
    Thread& thread = thread_at(state, place);
    for (const std::size_t prerequisite : code.nodes[class_at(code, state, place).node].prerequisites) {
        if (code.fault == Fault::none) {
            join(thread.known, state.nodes[prerequisite].completion);
        } else {
            join(thread.known, brought(code, state, place, prerequisite));
        }
    }
}

View known_without_wait(const Code& code, const State& state, std::size_t node, View known) {
    for (const std::size_t prerequisite : code.nodes[node].prerequisites) {
        take_away(known, state.nodes[prerequisite].completion);
    }
    return known;
}

bool is_held_by_wait(const Code& code, const State& state, std::size_t block) {
    if (code.fault != Fault::wait_holds_the_whole_block) {
        return false;
    }
    const std::vector<Counted<Thread>>& roles = state.blocks[block].first.roles;
    for (std::size_t role = 0; role < roles.size(); ++role) {
        for (std::size_t thread = 0; thread < roles[role].size(); ++thread) {
            const Place place{block, role, thread};
            const auto next = static_cast<std::size_t>(std::countr_one(thread_at(state, place).performed));
            if (role_at(code, state, place).operations[next].kind == Kind::wait &&
                !may_return_from_wait(code, state, place)) {
                return true;
            }
        }
    }
    return false;
}

} // namespace pdlcts::machine
