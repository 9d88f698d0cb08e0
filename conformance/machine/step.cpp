// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/step.hpp"

#include "conformance/machine/memory.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

using Found = std::function<void(State&&, const Step&)>;

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

/// Takes a block that has no thread left out of the state.
void exit_block_if_done(State& state, std::size_t index, std::size_t node) {
    const Block& block = state.blocks[index];
    const bool done = std::all_of(block.roles.begin(), block.roles.end(),
                                  [](const std::vector<Thread>& threads) { return threads.empty(); });
    if (!done) {
        return;
    }
    NodeState& node_state = state.nodes[node];
    ++node_state.exited;
    // trigger.exit-counts-as-trigger
    node_state.triggered_or_exited += block.triggered ? 0 : 1;
    state.blocks.erase(state.blocks.begin() + static_cast<std::ptrdiff_t>(index));
}

void exit_thread(State& state, const Place& place, std::size_t node) {
    std::vector<Thread>& threads = state.blocks[place.block].roles[place.role];
    Thread& thread = threads[place.thread];
    join(state.nodes[node].completion, thread.causal);
    threads.erase(threads.begin() + static_cast<std::ptrdiff_t>(place.thread));
}

void begin_blocks(const Code& code, const State& state, const Found& found) {
    for (std::size_t index = 0; index < code.classes.size(); ++index) {
        const BlockClass& block_class = code.classes[index];
        if (state.not_begun[index] == 0 || !is_eligible(code, state, block_class.node)) {
            continue;
        }
        State next = state;
        Step step{Step::Kind::begin, static_cast<std::uint16_t>(index), 0, 0, 0};
        const bool empty = std::all_of(block_class.roles.begin(), block_class.roles.end(),
                                       [](const Role& role) { return role.operations.empty(); });
        if (empty) {
            // Blocks whose threads exit at once touch nothing, so only the moment when the last of them has begun
            // can be told from the moments before.
            NodeState& node = next.nodes[block_class.node];
            join(node.completion, begin_view(code, state, block_class.node));
            node.exited += next.not_begun[index];
            node.triggered_or_exited += next.not_begun[index];
            next.not_begun[index] = 0;
        } else {
            --next.not_begun[index];
            Block block;
            block.block_class = static_cast<std::uint16_t>(index);
            Thread thread;
            thread.causal = begin_view(code, state, block_class.node);
            thread.causal.resize(code.locations.size());
            thread.coherent = thread.causal;
            for (const Role& role : block_class.roles) {
                block.roles.emplace_back(role.operations.empty() ? 0 : role.threads, thread);
            }
            next.blocks.push_back(std::move(block));
        }
        normalise(code, next);
        found(std::move(next), step);
    }
}

/// wait.direct-dependencies-only: the upstreams of programmatic type, and no others.
bool may_return_from_wait(const Code& code, const State& state, std::size_t node) {
    const std::vector<Dependency>& dependencies = code.nodes[node].dependencies;
    return std::all_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
        return dependency.type != DependencyType::programmatic || is_complete(code, state, dependency.upstream);
    });
}

void wait(const Code& code, State& state, std::size_t node, Thread& thread) {
    for (const Dependency& dependency : code.nodes[node].dependencies) {
        if (dependency.type == DependencyType::programmatic) {
            join(thread.causal, state.nodes[dependency.upstream].completion);
        }
    }
    join(thread.coherent, thread.causal);
}

void trigger(State& state, std::size_t node, Block& block, const Thread& thread) {
    if (block.triggered) {
        return; // trigger.repeat-idempotent
    }
    block.triggered = true;
    ++state.nodes[node].triggered_or_exited;
    join(state.nodes[node].trigger, thread.released[static_cast<std::size_t>(Level::gpu)]);
}

/// bar.sync: all threads of the block that have not exited stand before a barrier, and leave it together, each
/// knowing what any of them knew.
void pass_barrier(const Code& code, const State& state, std::size_t index, const Found& found) {
    const Block& block = state.blocks[index];
    const BlockClass& block_class = code.classes[block.block_class];
    std::vector<std::vector<std::size_t>> barriers(block.roles.size());
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        const std::vector<Operation>& operations = block_class.roles[role].operations;
        for (const Thread& thread : block.roles[role]) {
            std::size_t next = 0;
            while ((thread.performed >> next & 1) != 0) {
                ++next;
            }
            const Operation& operation = operations[next];
            if (operation.kind != Kind::barrier || (operation.after & ~thread.performed) != 0) {
                return;
            }
            barriers[role].push_back(next);
        }
    }
    State after = state;
    Block& left = after.blocks[index];
    View joined;
    for (const std::vector<Thread>& threads : left.roles) {
        for (const Thread& thread : threads) {
            join(joined, thread.causal);
        }
    }
    for (std::size_t role = 0; role < left.roles.size(); ++role) {
        for (std::size_t thread = 0; thread < left.roles[role].size(); ++thread) {
            Thread& passing = left.roles[role][thread];
            passing.performed |= std::uint64_t{1} << barriers[role][thread];
            join(passing.causal, joined);
            join(passing.coherent, joined);
        }
    }
    for (std::size_t role = 0; role < left.roles.size(); ++role) {
        for (std::size_t thread = left.roles[role].size(); thread-- > 0;) {
            if (left.roles[role][thread].performed == block_class.roles[role].every_operation()) {
                exit_thread(after, {index, role, thread}, block_class.node);
            }
        }
    }
    exit_block_if_done(after, index, block_class.node);
    normalise(code, after);
    found(std::move(after), {Step::Kind::barrier, block.block_class, 0, 0, 0});
}

/// Marks an operation as performed, lets the thread exit after its last one, and hands the state on.
void finish(const Code& code, State&& state, const Place& place, std::size_t operation, std::uint32_t value,
            const Found& found) {
    Block& block = state.blocks[place.block];
    const std::uint16_t class_index = block.block_class;
    const BlockClass& block_class = code.classes[class_index];
    const Role& role = block_class.roles[place.role];
    Thread& thread = block.roles[place.role][place.thread];
    thread.performed |= std::uint64_t{1} << operation;
    const int result = role.operations[operation].result;
    if (result >= 0) {
        const std::pair<int, std::uint32_t> entry{result, value};
        const auto position = std::lower_bound(state.results.begin(), state.results.end(), entry);
        if (position == state.results.end() || *position != entry) {
            state.results.insert(position, entry);
        }
    }
    if (thread.performed == role.every_operation()) {
        exit_thread(state, place, block_class.node);
        exit_block_if_done(state, place.block, block_class.node);
    }
    normalise(code, state);
    found(std::move(state), {Step::Kind::perform, class_index, static_cast<std::uint8_t>(place.role),
                             static_cast<std::uint8_t>(operation), value});
}

void perform(const Code& code, const State& state, const Place& place, std::size_t index, const Found& found) {
    const std::uint16_t class_index = state.blocks[place.block].block_class;
    const std::size_t node = code.classes[class_index].node;
    const Operation& operation = code.classes[class_index].roles[place.role].operations[index];
    const auto done = [&](State&& next, std::uint32_t value) {
        finish(code, std::move(next), place, index, value, found);
    };
    switch (operation.kind) {
    case Kind::trigger: {
        State next = state;
        Block& block = next.blocks[place.block];
        trigger(next, node, block, block.roles[place.role][place.thread]);
        done(std::move(next), 0);
        break;
    }
    case Kind::wait: {
        if (may_return_from_wait(code, state, node)) {
            State next = state;
            wait(code, next, node, next.blocks[place.block].roles[place.role][place.thread]);
            done(std::move(next), 0);
        }
        break;
    }
    case Kind::exit:
        done(State(state), 0);
        break;
    case Kind::barrier:
        break; // pass_barrier: not a step of one thread
    case Kind::fence:
        done(fence(code, state, place, operation), 0);
        break;
    case Kind::load:
        load(code, state, place, operation, done);
        break;
    case Kind::store:
        store(code, state, place, operation, done);
        break;
    case Kind::atomic:
        atomic(code, state, place, operation, done);
        break;
    case Kind::await:
        await(code, state, place, operation, done);
        break;
    }
}

} // namespace

void for_each_step(const Code& code, const State& state, const Found& found) {
    begin_blocks(code, state, found);
    for (std::size_t block = 0; block < state.blocks.size(); ++block) {
        if (block > 0 && state.blocks[block] == state.blocks[block - 1]) {
            continue; // counted: equal blocks lead to equal states
        }
        pass_barrier(code, state, block, found);
        const BlockClass& block_class = code.classes[state.blocks[block].block_class];
        for (std::size_t role = 0; role < block_class.roles.size(); ++role) {
            const std::vector<Thread>& threads = state.blocks[block].roles[role];
            for (std::size_t thread = 0; thread < threads.size(); ++thread) {
                if (thread > 0 && threads[thread] == threads[thread - 1]) {
                    continue;
                }
                const std::vector<Operation>& operations = block_class.roles[role].operations;
                for (std::size_t index = 0; index < operations.size(); ++index) {
                    const bool performed = (threads[thread].performed >> index & 1) != 0;
                    if (!performed && (operations[index].after & ~threads[thread].performed) == 0) {
                        perform(code, state, {block, role, thread}, index, found);
                    }
                }
            }
        }
    }
}

std::string print(const Code& code, const Step& step) {
    const BlockClass& block_class = code.classes[step.block_class];
    std::string line = code.nodes[block_class.node].text;
    if (!block_class.text.empty()) {
        line += " " + block_class.text;
    }
    switch (step.kind) {
    case Step::Kind::none:
        return "";
    case Step::Kind::begin:
        return line + " begins";
    case Step::Kind::barrier:
        return line + ": bar.sync (all threads of the block)";
    case Step::Kind::perform:
        break;
    }
    const Role& role = block_class.roles[step.role];
    const Operation& operation = role.operations[step.operation];
    if (!role.text.empty()) {
        line += (block_class.text.empty() ? " " : ", ") + role.text;
    }
    line += ": " + operation.text;
    if (operation.kind == Kind::load) {
        line += " (reads " + std::to_string(step.value) + ")";
    } else if (operation.kind == Kind::await) {
        line += step.value == 1 ? " (sees it)" : " (gives up)";
    } else if (operation.kind == Kind::atomic && operation.result >= 0) {
        line += " (reads " + std::to_string(step.value) + ")";
    }
    return line;
}

} // namespace pdlcts::machine
