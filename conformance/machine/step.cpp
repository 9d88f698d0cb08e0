// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/step.hpp"

#include "conformance/machine/ahead.hpp"
#include "conformance/machine/control.hpp"
#include "conformance/machine/fences.hpp"
#include "conformance/machine/memory.hpp"
#include "conformance/machine/pending.hpp"
#include "conformance/machine/prospects.hpp"
#include "conformance/machine/trigger.hpp"
#include "conformance/machine/wait.hpp"

#include <algorithm>
#include <bit>

namespace pdlcts::machine {
namespace {

Step perform_step(const State& state, const Place& place, std::size_t operation, std::uint32_t value,
                  std::uint32_t threads) {
    return {Step::Kind::perform,
            state.blocks[place.block].first.block_class,
            static_cast<std::uint8_t>(place.role),
            static_cast<std::uint8_t>(operation),
            value,
            threads};
}

std::uint32_t alike(const State& state, const Place& place) {
    const auto& [block, blocks] = state.blocks[place.block];
    return blocks * block.roles[place.role][place.thread].second;
}

template <typename Function>
void for_each_thread(const State& state, std::size_t block, const Function& function) {
    const std::vector<Counted<Thread>>& roles = state.blocks[block].first.roles;
    for (std::size_t role = 0; role < roles.size(); ++role) {
        for (std::size_t thread = 0; thread < roles[role].size(); ++thread) {
            function(Place{block, role, thread});
        }
    }
}

/// The first operation of a thread that has not been performed.
const Operation& next_operation(const Code& code, const State& state, const Place& place) {
    const auto next = static_cast<std::size_t>(std::countr_one(thread_at(state, place).performed));
    return role_at(code, state, place).operations[next];
}

// ---- steps that need no choice -------------------------------------------------------------------------------------

/// Whether a thread's next operation touches nothing but its own thread, or only lets others do more, so that
/// performing it first loses no execution.
bool needs_no_choice(const Code& code, const State& state, const Place& place, const Operation& operation) {
    switch (operation.kind) {
    case Kind::exit:
    case Kind::proxy_fence:
    case Kind::gather_arrive:
    case Kind::bulk_issue:
        return true;
    case Kind::gather_leave:
        return may_leave(code, state, place, operation);
    case Kind::bulk_wait:
        return are_copies_done(state, place, operation);
    case Kind::wait:
        return may_return_from_wait(code, state, place);
    case Kind::trigger:
        return state.blocks[place.block].first.triggered || !has_other_trigger(code, state, place) ||
               code.fault == Fault::trigger_needs_all_threads; // where it does nothing, or is the last
    case Kind::fence:
        // fence.sc operations stand in one order with others.
        return operation.ordering != Ordering::sc;
    default:
        return false;
    }
}

/// False when the execution contradicts itself.
bool perform_without_choice(const Code& code, State& state, const Place& place, const Operation& operation) {
    bool possible = true;
    switch (operation.kind) {
    case Kind::trigger:
        trigger(code, state, place);
        break;
    case Kind::wait:
        wait(code, state, place);
        break;
    case Kind::fence:
        possible = fence(code, state, place, operation);
        break;
    case Kind::proxy_fence:
        proxy_fence(code, state, place);
        break;
    case Kind::gather_arrive:
        arrive(code, state, place, operation, alike(state, place));
        break;
    case Kind::gather_leave:
        leave(code, state, place, operation);
        break;
    case Kind::bulk_issue:
        issue_copy(code, state, place, operation);
        break;
    case Kind::bulk_wait:
        if (!operation.waits_for_reads_only) {
            learn_copies(code, state, place, operation);
        }
        break;
    default:
        break;
    }
    if (possible) {
        finish(code, state, place, operation.index);
    }
    return possible;
}

/// All threads and blocks that are alike take the step together.
void take_without_choice(const Code& code, const State& state, const Place& place, const Found& found) {
    const Operation& operation = next_operation(code, state, place);
    State next = state;
    if (perform_without_choice(code, next, place, operation)) {
        found(std::move(next), perform_step(state, place, operation.index, 0, alike(state, place)));
    }
}

void take_barrier(const Code& code, const State& state, std::size_t block, const Found& found) {
    State next = state;
    pass_barrier(code, next, block, *barrier_of(code, state, block));
    found(std::move(next),
          {Step::Kind::barrier, state.blocks[block].first.block_class, 0, 0, 0, state.blocks[block].second});
}

// ---- steps that need a choice --------------------------------------------------------------------------------------

void add_result(State& state, int result, std::uint32_t value) {
    const std::pair<int, std::uint32_t> entry{result, value};
    const auto position = std::lower_bound(state.results.begin(), state.results.end(), entry);
    if (result >= 0 && (position == state.results.end() || *position != entry)) {
        state.results.insert(position, entry);
    }
}

/// Whether the thread could move: it found a state, or gave up an execution that contradicts itself.
bool perform(const Code& code, const State& state, const Place& place, const Operation& operation, const Found& found) {
    State alone = state;
    const Place own = single_out(alone, place);
    bool moved = false;
    const auto done = [&](State&& next, std::uint32_t value) {
        moved = true;
        add_result(next, operation.result, value);
        finish(code, next, own, operation.index);
        found(std::move(next), perform_step(state, place, operation.index, value, 1));
    };
    bool all = true;
    switch (operation.kind) {
    case Kind::trigger:
        trigger(code, alone, own);
        done(std::move(alone), 0);
        break;
    case Kind::fence:
        if (operation.ordering == Ordering::sc) {
            all = sc_fence(code, alone, own, operation, done);
        } else if ((all = fence(code, alone, own, operation))) { // behind a late load: else it needs no choice
            done(std::move(alone), 0);
        }
        break;
    case Kind::load:
        all = load(code, alone, own, operation, done);
        break;
    case Kind::store:
        all = store(code, alone, own, operation, done);
        break;
    case Kind::atomic:
        all = atomic(code, alone, own, operation, done);
        break;
    case Kind::await:
        all = await(code, alone, own, operation, done);
        break;
    case Kind::copy:
        all = copy(code, alone, own, operation, done);
        break;
    case Kind::mbarrier_arrive:
        arrive_at_mbarrier(code, alone, own, operation);
        done(std::move(alone), 0);
        break;
    case Kind::mbarrier_wait:
        done(State(alone), 0);
        if (sees_phase(alone, operation)) {
            learn_phase(code, alone, own, operation);
            done(std::move(alone), 1);
        }
        break;
    default: // needs no choice, and is not possible yet
        break;
    }
    // An access never has to wait: where it finds no way, something that has run ahead contradicts it.
    return moved || !all || accesses_memory(operation);
}

/// Whether all writes of a reduction's cell that are still to come are that same reduction: whoever comes first, the
/// same values follow each other.
bool counts_alike(const Code& code, const State& state, const Place& place, const Operation& reduction) {
    if (reduction.kind != Kind::atomic || reduction.result >= 0 || reduction.publishes) {
        return false;
    }
    const std::uint16_t who = class_at(code, state, place).who;
    const auto is_alike = [&](const BlockClass& block_class, const Role& role, const Operation& other) {
        const bool elsewhere = other.kind != Kind::bulk_issue && (!other.writes || other.cell != reduction.cell);
        return elsewhere ||
               (other.kind == Kind::atomic && other.result < 0 && !other.publishes && block_class.who == who &&
                other.atomic == reduction.atomic && other.value == reduction.value &&
                keeps_its_turn_to_itself(role, other) && other.scope == reduction.scope);
    };
    const bool alike = all_pending_roles(
        code, state, [&](const BlockClass& block_class, const Role& role, const Thread* thread, unsigned) {
            return (thread == nullptr || thread->ahead.empty()) &&
                   all_pending_operations(role, thread,
                                          [&](const Operation& other) { return is_alike(block_class, role, other); });
        });
    const Messages& messages = state.memory[reduction.cell];
    return alike && std::all_of(messages.begin() + 1, messages.end(), [&](const Message& message) {
               return message.atomic && message.strong && message.who == who && message.scope == reduction.scope;
           });
}

/// Whether nothing that others do before it can change what a thread's next access may do, nor the access what they
/// may do: then performing it first, in all its ways, loses no execution.
bool is_independent(const Code& code, const State& state, const Pending& pending, const Place& place,
                    const Operation& operation) {
    const Thread& thread = thread_at(state, place);
    if (!accesses_memory(operation) || !thread.ahead.empty() || operation.non_coherent) {
        return false;
    }
    if (operation.kind == Kind::store && !operation.strong) {
        // A weak store stands to other threads' writes as what is known says, whenever it is performed, and only lets
        // others read more.
        return true;
    }
    if (counts_alike(code, state, place, operation)) {
        return true;
    }
    const Role& role = role_at(code, state, place);
    const auto others = [&](const std::vector<unsigned>& counts, Cell cell, bool writes) {
        bool own = false;
        for (const Operation& each : role.operations) {
            const bool touches = writes ? each.writes && each.cell == cell
                                        : each.reads && (each.kind == Kind::copy ? each.source : each.cell) == cell;
            own = own || (touches && !is_performed(thread, each));
        }
        return counts[cell] > (own ? 1U : 0U);
    };
    const auto is_settled = [&](Cell cell) {
        const Messages& messages = state.memory[cell];
        return std::none_of(messages.begin(), messages.end(),
                            [](const Message& message) { return message.ahead || message.unfinished != 0; });
    };
    const Cell read = operation.kind == Kind::copy ? operation.source : operation.cell;
    if (operation.reads && (others(pending.writers, read, true) || !is_settled(read))) {
        return false;
    }
    return !operation.writes || (!others(pending.writers, operation.cell, true) &&
                                 !others(pending.readers, operation.cell, false) && is_settled(operation.cell));
}

/// Every way that a block's threads can go on.
bool take_every_choice(const Code& code, const State& state, std::size_t block, const Found& found) {
    bool moved = false;
    if (is_held_by_wait(code, state, block)) {
        return false;
    }
    for_each_thread(state, block, [&](const Place& place) {
        const Operation& next = next_operation(code, state, place);
        moved = perform(code, state, place, next, found) || moved;
        const Role& role = role_at(code, state, place);
        const Thread& thread = thread_at(state, place);
        // visibility.nc-loads-excluded: an .nc load holds nothing up but the next control point.
        bool behind_late_loads = next.non_coherent;
        for (std::size_t index = next.index + std::size_t{1}; index < role.operations.size(); ++index) {
            const Operation& later = role.operations[index];
            if (is_performed(thread, later)) {
                continue;
            }
            if ((behind_late_loads && !is_control_point(later)) || may_run_ahead(role, thread, later)) {
                moved = perform(code, state, place, later, found) || moved;
            }
            behind_late_loads = behind_late_loads && later.non_coherent;
        }
    });
    return moved;
}

} // namespace

bool goes_before(const Turn& one, const Turn& other) {
    return one.kind != other.kind ? one.kind < other.kind
                                  : one.kind == Turn::Kind::independent && one.performed > other.performed;
}

Turn turn_of(const Code& code, const State& state, std::size_t block) {
    Turn turn{Turn::Kind::choice, {block, 0, 0}, 0};
    if (barrier_of(code, state, block)) {
        turn.kind = Turn::Kind::barrier;
        return turn;
    }
    if (is_held_by_wait(code, state, block)) {
        return turn;
    }
    for_each_thread(state, block, [&](const Place& place) {
        if (turn.kind == Turn::Kind::choice &&
            needs_no_choice(code, state, place, next_operation(code, state, place))) {
            turn.kind = Turn::Kind::without_choice;
            turn.place = place;
        }
    });
    if (turn.kind != Turn::Kind::choice) {
        return turn;
    }
    const Pending pending = pending_accesses(code, state);
    for_each_thread(state, block, [&](const Place& place) {
        const int performed = std::popcount(thread_at(state, place).performed);
        const Turn independent{Turn::Kind::independent, place, performed};
        if (goes_before(independent, turn) &&
            is_independent(code, state, pending, place, next_operation(code, state, place))) {
            turn = independent;
        }
    });
    return turn;
}

bool take(const Code& code, const State& state, const Turn& turn, const Found& found) {
    switch (turn.kind) {
    case Turn::Kind::barrier:
        take_barrier(code, state, turn.place.block, found);
        return true;
    case Turn::Kind::without_choice:
        take_without_choice(code, state, turn.place, found);
        return true;
    case Turn::Kind::independent:
        return perform(code, state, turn.place, next_operation(code, state, turn.place), found);
    case Turn::Kind::choice:
        return take_every_choice(code, state, turn.place.block, found);
    }
    return false;
}

void begin_node(const Code& code, const State& state, std::size_t node, const Found& found) {
    State next = state;
    begin(code, next, node);
    normalise(code, next);
    found(std::move(next), {Step::Kind::begin, static_cast<std::uint16_t>(node), 0, 0, 0, 0});
}

bool for_each_step(const Code& code, const State& state, const Found& found) {
    const auto all_triggered = [&](std::size_t node) { return is_triggered(code, state, node); };
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        if (!state.nodes[node].begun && is_eligible(code, state, node, all_triggered)) {
            begin_node(code, state, node, found);
            return true;
        }
    }
    std::vector<Turn> turns;
    for (std::size_t block = 0; block < state.blocks.size(); ++block) {
        turns.push_back(turn_of(code, state, block));
    }
    const auto first = std::min_element(turns.begin(), turns.end(), goes_before);
    if (first != turns.end() && first->kind != Turn::Kind::choice) {
        return take(code, state, *first, found);
    }
    bool moved = false;
    for (const Turn& turn : turns) {
        moved = take(code, state, turn, found) || moved;
    }
    return moved;
}

std::string print(const Code& code, const Step& step) {
    if (step.kind == Step::Kind::none) {
        return "";
    }
    if (step.kind == Step::Kind::begin) {
        const std::string& text = code.nodes[step.subject].text;
        return text + (text.starts_with("sync ") ? " returns" : " begins");
    }
    const BlockClass& block_class = code.classes[step.subject];
    std::string line = code.nodes[block_class.node].text;
    const auto one_of = [&](unsigned many, const std::string& text) {
        return (many > 1 && step.threads == 1 ? "one of " : "") + text;
    };
    if (!block_class.text.empty()) {
        line += " " + one_of(block_class.blocks, block_class.text);
    }
    const std::string together = step.threads > 1 ? " (" + std::to_string(step.threads) + " of them)" : "";
    if (step.kind == Step::Kind::barrier) {
        return line + ": bar.sync by all threads of the block" + together;
    }
    const Role& role = block_class.roles[step.role];
    const Operation& operation = role.operations[step.operation];
    // What is no thread's says itself what it is: an element of a copy, an access of the host's own thread.
    if (operation.text == line) {
        line = "the host";
    } else if (!role.text.empty() && !operation.text.starts_with(role.text)) {
        line += (block_class.text.empty() ? " " : ", ") + one_of(role.threads, role.text);
    }
    line += ": " + operation.text + together;
    if (operation.kind == Kind::await || operation.kind == Kind::mbarrier_wait) {
        line += step.value == 1 ? " (sees it)" : " (gives up)";
    } else if (operation.result >= 0) {
        line += " (reads " + std::to_string(step.value) + ")";
    }
    return line;
}

} // namespace pdlcts::machine
