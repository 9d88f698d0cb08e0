// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/step.hpp"

#include "conformance/machine/memory.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts::machine {
namespace {

using Found = std::function<void(State&&, const Step&)>;

const BlockClass& class_of(const Code& code, const State& state, const Place& place) {
    return code.classes[state.blocks[place.block].first.block_class];
}

// ---- begin and exit ------------------------------------------------------------------------------------------------

/// What a node's threads know when they begin. Fixed once the node is eligible: completed grids and first triggers
/// do not change any more.
View begin_view(const Code& code, const State& state, std::size_t node) {
    View view;
    for (const Dependency& dependency : code.nodes[node].dependencies) {
        if (dependency.port == Port::full) {
            join(view, state.nodes[dependency.upstream].completion);
        } else if (dependency.port == Port::programmatic) {
            join(view, state.nodes[dependency.upstream].trigger);
        }
    }
    return view;
}

/// All blocks of a node begin at once. That blocks may begin late, and one after the other, adds nothing: a block that
/// has begun and does nothing yet cannot be told from one that has not, except by dependents that may begin, and they
/// need not either (model.overlap-opportunistic).
void begin(const Code& code, State& state, std::size_t node) {
    const View view = begin_view(code, state, node);
    NodeState& node_state = state.nodes[node];
    node_state.begun = true;
    join(node_state.completion, view);
    Thread thread;
    thread.known.causal = view;
    for (const std::size_t index : code.nodes[node].classes) {
        const BlockClass& block_class = code.classes[index];
        Block block;
        block.block_class = static_cast<std::uint16_t>(index);
        bool empty = true;
        for (const Role& role : block_class.roles) {
            block.roles.emplace_back();
            if (!role.operations.empty()) {
                block.roles.back().emplace_back(thread, role.threads);
                empty = false;
            }
        }
        if (empty) {
            node_state.exited += block_class.blocks;
            node_state.triggered_or_exited += block_class.blocks;
        } else {
            state.blocks.emplace_back(std::move(block), block_class.blocks);
        }
    }
}

void exit_threads(State& state, const Place& place, std::size_t node) {
    Counted<Thread>& threads = state.blocks[place.block].first.roles[place.role];
    join(state.nodes[node].completion, threads[place.thread].first.known.causal);
    threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(place.thread));
}

/// Takes blocks that have no thread left out of the state.
void exit_blocks_if_done(State& state, std::size_t index, std::size_t node) {
    const auto& [block, count] = state.blocks[index];
    const bool done = std::all_of(block.roles.begin(), block.roles.end(),
                                  [](const Counted<Thread>& threads) { return threads.empty(); });
    if (!done) {
        return;
    }
    NodeState& node_state = state.nodes[node];
    node_state.exited += count;
    // trigger.exit-counts-as-trigger
    node_state.triggered_or_exited += block.triggered ? 0 : count;
    state.blocks.erase(state.blocks.begin() + static_cast<std::ptrdiff_t>(index));
}

/// Marks an operation as performed, lets its thread exit after the last one, and tidies up. The thread, or all threads
/// and blocks that it is counted with, have moved alike.
void finish(const Code& code, State& state, const Place& place, std::size_t operation) {
    const BlockClass& block_class = class_of(code, state, place);
    Thread& thread = thread_at(state, place);
    thread.performed |= std::uint64_t{1} << operation;
    settle(block_class.roles[place.role], thread);
    if (thread.performed == block_class.roles[place.role].every_operation()) {
        exit_threads(state, place, block_class.node);
        exit_blocks_if_done(state, place.block, block_class.node);
    }
    normalise(code, state);
}

// ---- control -------------------------------------------------------------------------------------------------------

/// wait.direct-dependencies-only: the upstreams of programmatic type, and no others.
bool may_return_from_wait(const Code& code, const State& state, std::size_t node) {
    const std::vector<Dependency>& dependencies = code.nodes[node].dependencies;
    return std::all_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
        return dependency.type != DependencyType::programmatic || is_complete(code, state, dependency.upstream);
    });
}

void wait(const Code& code, const std::vector<NodeState>& nodes, std::size_t node, Thread& thread) {
    for (const Dependency& dependency : code.nodes[node].dependencies) {
        if (dependency.type == DependencyType::programmatic) {
            join(thread.known.causal, nodes[dependency.upstream].completion);
        }
    }
}

/// Only the first trigger of a block counts (trigger.repeat-idempotent).
void trigger(State& state, const Place& place, std::size_t node) {
    auto& [block, count] = state.blocks[place.block];
    if (!block.triggered) {
        block.triggered = true;
        state.nodes[node].triggered_or_exited += count;
        join(state.nodes[node].trigger, thread_at(state, place).known.released[static_cast<std::size_t>(Level::gpu)]);
    }
}

/// Whether another trigger of the block could come first, and be the one that counts.
bool has_other_trigger(const Code& code, const State& state, const Place& place) {
    const Block& block = state.blocks[place.block].first;
    const BlockClass& block_class = class_of(code, state, place);
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        const std::vector<Operation>& operations = block_class.roles[role].operations;
        for (std::size_t thread = 0; thread < block.roles[role].size(); ++thread) {
            const auto& [other, count] = block.roles[role][thread];
            const bool itself = role == place.role && thread == place.thread && count == 1;
            for (std::size_t operation = 0; operation < operations.size(); ++operation) {
                const bool pending = (other.performed >> operation & 1) == 0;
                // Its own later triggers come later.
                if (!itself && pending && operations[operation].kind == Kind::trigger) {
                    return true;
                }
            }
        }
    }
    return false;
}

/// bar.sync: all threads of the block that have not exited stand before a barrier, and leave it together, each
/// knowing what any of them knew. Gives the barrier's place in each thread's code, or nothing.
std::optional<std::vector<std::vector<std::size_t>>> barrier_of(const Code& code, const State& state,
                                                                std::size_t index) {
    const Block& block = state.blocks[index].first;
    std::vector<std::vector<std::size_t>> barriers(block.roles.size());
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        const std::vector<Operation>& operations = code.classes[block.block_class].roles[role].operations;
        for (const auto& [thread, count] : block.roles[role]) {
            std::size_t next = 0;
            while ((thread.performed >> next & 1) != 0) {
                ++next;
            }
            const Operation& operation = operations[next];
            if (operation.kind != Kind::barrier || (operation.after & ~thread.performed) != 0) {
                return std::nullopt;
            }
            barriers[role].push_back(next);
        }
    }
    return barriers;
}

void pass_barrier(const Code& code, State& state, std::size_t index,
                  const std::vector<std::vector<std::size_t>>& barriers) {
    Block& block = state.blocks[index].first;
    const BlockClass& block_class = code.classes[block.block_class];
    View joined;
    for (const Counted<Thread>& threads : block.roles) {
        for (const auto& [thread, count] : threads) {
            join(joined, thread.known.causal);
        }
    }
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        for (std::size_t index_in_role = block.roles[role].size(); index_in_role-- > 0;) {
            Thread& thread = block.roles[role][index_in_role].first;
            thread.performed |= std::uint64_t{1} << barriers[role][index_in_role];
            join(thread.known.causal, joined);
            if (thread.performed == block_class.roles[role].every_operation()) {
                exit_threads(state, {index, role, index_in_role}, block_class.node);
            }
        }
    }
    exit_blocks_if_done(state, index, block_class.node);
    normalise(code, state);
}

// ---- steps that need no choice -------------------------------------------------------------------------------------

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

/// Whether an operation that may be performed now touches nothing but its own thread, or only lets others do more, so
/// that performing it first loses no execution.
bool needs_no_choice(const Code& code, const State& state, const Place& place, std::size_t index) {
    const Operation& operation = class_of(code, state, place).roles[place.role].operations[index];
    switch (operation.kind) {
    case Kind::exit:
        return true;
    case Kind::wait:
        return may_return_from_wait(code, state, class_of(code, state, place).node);
    case Kind::trigger:
        return state.blocks[place.block].first.triggered || !has_other_trigger(code, state, place);
    case Kind::fence:
        // A fence that orders everything of its thread; fence.sc operations stand in one order with others, and one of
        // block scope may leave its thread's accesses open.
        return operation.ordering != Ordering::sc && operation.scope != Scope::cta;
    default:
        return false;
    }
}

/// The operations that a thread may perform now, the earliest first.
template <typename Function>
void for_each_open_operation(const Code& code, const State& state, const Place& place, const Function& function) {
    const std::vector<Operation>& operations = class_of(code, state, place).roles[place.role].operations;
    const std::uint64_t performed = thread_at(state, place).performed;
    for (std::size_t index = 0; index < operations.size(); ++index) {
        if ((performed >> index & 1) == 0 && (operations[index].after & ~performed) == 0) {
            function(index);
        }
    }
}

template <typename Function>
void for_each_thread(const State& state, const Function& function) {
    for (std::size_t block = 0; block < state.blocks.size(); ++block) {
        for (std::size_t role = 0; role < state.blocks[block].first.roles.size(); ++role) {
            for (std::size_t thread = 0; thread < state.blocks[block].first.roles[role].size(); ++thread) {
                function(Place{block, role, thread});
            }
        }
    }
}

void perform_without_choice(const Code& code, State& state, const Place& place, std::size_t index) {
    const std::size_t node = class_of(code, state, place).node;
    const Operation& operation = class_of(code, state, place).roles[place.role].operations[index];
    if (operation.kind == Kind::trigger) {
        trigger(state, place, node);
    } else if (operation.kind == Kind::wait) {
        wait(code, state.nodes, node, thread_at(state, place));
    } else if (operation.kind == Kind::fence) {
        fence(code, state, place, operation);
    }
    finish(code, state, place, index);
}

/// One step that every execution may as well take first. All threads and blocks that are alike take it together.
bool step_without_choice(const Code& code, const State& state, const Found& found) {
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        if (!state.nodes[node].begun && is_eligible(code, state, node)) {
            State next = state;
            begin(code, next, node);
            normalise(code, next);
            found(std::move(next), {Step::Kind::begin, static_cast<std::uint16_t>(node), 0, 0, 0, 0});
            return true;
        }
    }
    for (std::size_t block = 0; block < state.blocks.size(); ++block) {
        if (const auto barriers = barrier_of(code, state, block)) {
            State next = state;
            pass_barrier(code, next, block, *barriers);
            found(std::move(next),
                  {Step::Kind::barrier, state.blocks[block].first.block_class, 0, 0, 0, state.blocks[block].second});
            return true;
        }
    }
    bool taken = false;
    for_each_thread(state, [&](const Place& place) {
        for_each_open_operation(code, state, place, [&](std::size_t index) {
            if (!taken && needs_no_choice(code, state, place, index)) {
                taken = true;
                State next = state;
                perform_without_choice(code, next, place, index);
                found(std::move(next), perform_step(state, place, index, 0, alike(state, place)));
            }
        });
    });
    return taken;
}

// ---- steps that need a choice --------------------------------------------------------------------------------------

void add_result(State& state, int result, std::uint32_t value) {
    const std::pair<int, std::uint32_t> entry{result, value};
    const auto position = std::lower_bound(state.results.begin(), state.results.end(), entry);
    if (result >= 0 && (position == state.results.end() || *position != entry)) {
        state.results.insert(position, entry);
    }
}

void perform(const Code& code, const State& state, const Place& place, std::size_t index, const Found& found) {
    const Operation& operation = class_of(code, state, place).roles[place.role].operations[index];
    const std::size_t node = class_of(code, state, place).node;
    State alone = state;
    const Place own = single_out(alone, place);
    const auto done = [&](State&& next, std::uint32_t value) {
        add_result(next, operation.result, value);
        finish(code, next, own, index);
        found(std::move(next), perform_step(state, place, index, value, 1));
    };
    switch (operation.kind) {
    case Kind::trigger:
        trigger(alone, own, node);
        done(std::move(alone), 0);
        break;
    case Kind::fence:
        fence(code, alone, own, operation);
        done(std::move(alone), 0);
        break;
    case Kind::load:
        load(code, alone, own, operation, done);
        break;
    case Kind::store:
        store(code, alone, own, operation, done);
        break;
    case Kind::atomic:
        atomic(code, alone, own, operation, done);
        break;
    case Kind::await:
        await(code, alone, own, operation, done);
        break;
    case Kind::wait:    // returns without choice, or not yet
    case Kind::barrier: // all threads of the block pass it together
    case Kind::exit:    // needs no choice
        break;
    }
}

} // namespace

void for_each_step(const Code& code, const State& state, const Found& found) {
    if (step_without_choice(code, state, found)) {
        return;
    }
    for_each_thread(state, [&](const Place& place) {
        for_each_open_operation(code, state, place,
                                [&](std::size_t index) { perform(code, state, place, index, found); });
    });
}

std::string print(const Code& code, const Step& step) {
    if (step.kind == Step::Kind::none) {
        return "";
    }
    if (step.kind == Step::Kind::begin) {
        return code.nodes[step.subject].text + " begins";
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
    if (!role.text.empty()) {
        line += (block_class.text.empty() ? " " : ", ") + one_of(role.threads, role.text);
    }
    line += ": " + operation.text + together;
    if (operation.kind == Kind::await) {
        line += step.value == 1 ? " (sees it)" : " (gives up)";
    } else if (operation.result >= 0) {
        line += " (reads " + std::to_string(step.value) + ")";
    }
    return line;
}

} // namespace pdlcts::machine
