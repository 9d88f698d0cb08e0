// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/state.hpp"

#include <algorithm>
#include <bit>

namespace pdlcts::machine {

State initial_state(const Code& code) {
    State state;
    const std::size_t locations = code.locations.size();
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        state.nodes.push_back({false, 0, 0, View(locations), View(locations)});
    }
    for (const Value value : code.initial) {
        Message message;
        message.value = static_cast<std::uint32_t>(value);
        message.strong = true;
        state.memory.push_back({message});
    }
    state.sc_fences = View(locations);
    return state;
}

bool is_complete(const Code& code, const State& state, std::size_t node) {
    return state.nodes[node].exited == code.nodes[node].blocks;
}

bool is_final(const Code& code, const State& state) {
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        if (!is_complete(code, state, node)) {
            return false;
        }
    }
    return true;
}

namespace {

bool has_fired(const Code& code, const State& state, const Dependency& dependency) {
    const std::size_t upstream = dependency.upstream;
    switch (dependency.port) {
    case Port::full:
        return is_complete(code, state, upstream);
    case Port::programmatic:
        return state.nodes[upstream].triggered_or_exited == code.nodes[upstream].blocks;
    case Port::launch_completion:
        // event.lc.inversion-allowed: a launch-completion event is best effort and orders nothing.
        return dependency.type == DependencyType::full || state.nodes[upstream].begun;
    }
    return false;
}

template <typename Function>
void for_each_view(Knowledge& knowledge, const Function& function) {
    function(knowledge.causal);
    for (std::size_t level = 0; level < level_count; ++level) {
        function(knowledge.acquirable[level]);
        function(knowledge.released[level]);
    }
}

/// Calls a function with every view of the state.
template <typename Function>
void for_each_view(State& state, const Function& function) {
    for (auto& [block, blocks] : state.blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                for_each_view(thread.known, function);
                function(thread.coherent);
                for (auto& [operation, learned] : thread.ahead) {
                    for_each_view(learned, function);
                }
            }
        }
    }
    for (NodeState& node : state.nodes) {
        function(node.completion);
        function(node.trigger);
    }
    for (std::vector<Message>& messages : state.memory) {
        for (Message& message : messages) {
            function(message.released);
            for (auto& [block, released] : message.released_in_block) {
                function(released);
            }
        }
    }
    function(state.sc_fences);
}

/// For each location whether some instruction that has not been performed accesses it.
std::vector<bool> live_locations(const Code& code, const State& state) {
    std::vector<bool> live(code.locations.size());
    const auto mark = [&](const Role& role, std::uint64_t performed) {
        for (std::size_t index = 0; index < role.operations.size(); ++index) {
            const Operation& operation = role.operations[index];
            if (accesses_memory(operation) && (performed >> index & 1) == 0) {
                live[operation.location] = true;
            }
        }
    };
    for (const BlockClass& block_class : code.classes) {
        if (!state.nodes[block_class.node].begun) {
            for (const Role& role : block_class.roles) {
                mark(role, 0);
            }
        }
    }
    for (const auto& [block, blocks] : state.blocks) {
        for (std::size_t role = 0; role < block.roles.size(); ++role) {
            for (const auto& [thread, count] : block.roles[role]) {
                mark(code.classes[block.block_class].roles[role], thread.performed);
            }
        }
    }
    return live;
}

template <typename T>
void merge(Counted<T>& counted) {
    std::sort(counted.begin(), counted.end());
    std::size_t kept = 0;
    for (std::size_t index = 0; index < counted.size(); ++index) {
        if (kept > 0 && counted[kept - 1].first == counted[index].first) {
            counted[kept - 1].second += counted[index].second;
        } else {
            if (kept != index) {
                counted[kept] = std::move(counted[index]);
            }
            ++kept;
        }
    }
    counted.resize(kept);
}

bool has_unfinished_dependent(const Code& code, const State& state, std::size_t node) {
    const std::vector<std::size_t>& dependents = code.nodes[node].dependents;
    return std::any_of(dependents.begin(), dependents.end(),
                       [&](std::size_t dependent) { return !is_complete(code, state, dependent); });
}

} // namespace

bool is_eligible(const Code& code, const State& state, std::size_t node) {
    const std::vector<Dependency>& dependencies = code.nodes[node].dependencies;
    return std::all_of(dependencies.begin(), dependencies.end(),
                       [&](const Dependency& dependency) { return has_fired(code, state, dependency); });
}

void join(View& view, const View& other) {
    if (view.size() < other.size()) {
        view.resize(other.size());
    }
    for (std::size_t location = 0; location < other.size(); ++location) {
        view[location] = std::max(view[location], other[location]);
    }
}

void join(Knowledge& knowledge, const Knowledge& other) {
    join(knowledge.causal, other.causal);
    for (std::size_t level = 0; level < level_count; ++level) {
        join(knowledge.acquirable[level], other.acquirable[level]);
        join(knowledge.released[level], other.released[level]);
    }
}

Knowledge knowledge_before(const Thread& thread, std::size_t operation) {
    Knowledge knowledge = thread.known;
    for (const auto& [ahead, learned] : thread.ahead) {
        if (ahead < operation) {
            join(knowledge, learned);
        }
    }
    return knowledge;
}

namespace {

/// Whether an operation would know too much if it knew what a later one of its thread has learned. Of plain accesses
/// only a release would: they have learned of no more than their own write, in another location.
bool can_tell(const Operation& earlier, const Operation& later) {
    return later.kind == Kind::fence || acquires(later) || earlier.kind == Kind::fence || releases(earlier);
}

} // namespace

void settle(const Role& role, Thread& thread) {
    std::erase_if(thread.ahead, [&](const auto& entry) {
        const auto& [operation, learned] = entry;
        for (std::size_t earlier = 0; earlier < operation; ++earlier) {
            if ((thread.performed >> earlier & 1) == 0 &&
                can_tell(role.operations[earlier], role.operations[operation])) {
                return false;
            }
        }
        join(thread.known, learned);
        return true;
    });
}

void insert_message(State& state, std::uint16_t location, std::uint16_t place, Message message) {
    for_each_view(state, [&](View& view) {
        if (location < view.size() && view[location] >= place) {
            ++view[location];
        }
    });
    std::vector<Message>& messages = state.memory[location];
    for (Message& other : messages) {
        other.read += other.atomic && other.read >= place ? 1 : 0;
    }
    messages.insert(messages.begin() + place, std::move(message));
}

namespace {

void forget_zeros(View& view) {
    if (std::all_of(view.begin(), view.end(), [](std::uint16_t place) { return place == 0; })) {
        view.clear();
    }
}

/// Coherence says nothing of a location where causality says as much.
void forget_implied(Thread& thread) {
    const View& causal = thread.known.causal;
    for (std::size_t location = 0; location < std::min(thread.coherent.size(), causal.size()); ++location) {
        if (thread.coherent[location] <= causal[location]) {
            thread.coherent[location] = 0;
        }
    }
    forget_zeros(thread.coherent);
}

} // namespace

void normalise(const Code& code, State& state) {
    const std::vector<bool> live = live_locations(code, state);
    for (std::size_t location = 0; location < live.size(); ++location) {
        if (!live[location] && state.memory[location].size() > 1) {
            state.memory[location] = {Message{}};
        }
    }
    for_each_view(state, [&](View& view) {
        for (std::size_t location = 0; location < view.size(); ++location) {
            if (!live[location]) {
                view[location] = 0;
            }
        }
        forget_zeros(view);
    });
    for (std::vector<Message>& messages : state.memory) {
        for (Message& message : messages) {
            std::erase_if(message.released_in_block, [](const auto& entry) { return entry.second.empty(); });
        }
    }
    for (std::size_t node = 0; node < state.nodes.size(); ++node) {
        if (!has_unfinished_dependent(code, state, node)) {
            state.nodes[node].completion.clear();
            state.nodes[node].trigger.clear();
        }
    }
    for (auto& [block, blocks] : state.blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                forget_implied(thread);
            }
            merge(threads);
        }
    }
    merge(state.blocks);
}

namespace {

/// Moves one of what is counted to the end of the list.
template <typename T>
std::size_t split(Counted<T>& counted, std::size_t index) {
    if (counted[index].second == 1) {
        return index;
    }
    --counted[index].second;
    counted.emplace_back(counted[index].first, 1);
    return counted.size() - 1;
}

} // namespace

Thread& thread_at(State& state, const Place& place) {
    return state.blocks[place.block].first.roles[place.role][place.thread].first;
}
const Thread& thread_at(const State& state, const Place& place) {
    return state.blocks[place.block].first.roles[place.role][place.thread].first;
}

Place single_out(State& state, const Place& place) {
    Place alone = place;
    alone.block = split(state.blocks, place.block);
    alone.thread = split(state.blocks[alone.block].first.roles[place.role], place.thread);
    return alone;
}

} // namespace pdlcts::machine
