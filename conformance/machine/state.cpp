// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/state.hpp"

#include <algorithm>
#include <cstring>

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

/// Calls a function with every view of the state.
template <typename Function>
void for_each_view(State& state, const Function& function) {
    for (auto& [block, blocks] : state.blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                function(thread.causal);
                function(thread.coherent);
                for (std::size_t level = 0; level < level_count; ++level) {
                    function(thread.acquirable[level]);
                    function(thread.released[level]);
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
            for (View& released : message.released) {
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
            const Kind kind = role.operations[index].kind;
            const bool accesses =
                kind == Kind::load || kind == Kind::store || kind == Kind::atomic || kind == Kind::await;
            if (accesses && (performed >> index & 1) == 0) {
                live[role.operations[index].location] = true;
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

void insert_message(State& state, std::uint16_t location, std::uint16_t place, Message message) {
    for_each_view(state, [&](View& view) {
        if (location < view.size() && view[location] >= place) {
            ++view[location];
        }
    });
    std::vector<Message>& messages = state.memory[location];
    messages.insert(messages.begin() + place, std::move(message));
}

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
        if (std::all_of(view.begin(), view.end(), [](std::uint16_t place) { return place == 0; })) {
            view.clear();
        }
    });
    for (std::size_t node = 0; node < state.nodes.size(); ++node) {
        if (!has_unfinished_dependent(code, state, node)) {
            state.nodes[node].completion.clear();
            state.nodes[node].trigger.clear();
        }
    }
    for (auto& [block, blocks] : state.blocks) {
        for (Counted<Thread>& threads : block.roles) {
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

Place single_out(State& state, const Place& place) {
    Place alone = place;
    alone.block = split(state.blocks, place.block);
    alone.thread = split(state.blocks[alone.block].first.roles[place.role], place.thread);
    return alone;
}

// ---- packing -----------------------------------------------------------------------------------------------------

namespace {

/// Seven bits a byte: most numbers of a state are small.
void put(std::string& bytes, std::uint64_t number) {
    while (number >= 0x80) {
        bytes.push_back(static_cast<char>(number | 0x80));
        number >>= 7;
    }
    bytes.push_back(static_cast<char>(number));
}

void put(std::string& bytes, const View& view) {
    put(bytes, view.size());
    for (const std::uint16_t place : view) {
        put(bytes, std::uint64_t{place});
    }
}

struct Reader {
    const std::string& bytes;
    std::size_t position = 0;

    std::uint64_t number() {
        std::uint64_t result = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(bytes[position++]);
            result |= std::uint64_t{byte & 0x7fU} << shift;
            if (byte < 0x80) {
                return result;
            }
        }
    }
    View view() {
        View result(number());
        for (std::uint16_t& place : result) {
            place = static_cast<std::uint16_t>(number());
        }
        return result;
    }
};

void put(std::string& bytes, const Thread& thread) {
    put(bytes, thread.performed);
    put(bytes, thread.causal);
    put(bytes, thread.coherent);
    for (std::size_t level = 0; level < level_count; ++level) {
        put(bytes, thread.acquirable[level]);
        put(bytes, thread.released[level]);
    }
}

Thread get_thread(Reader& reader) {
    Thread thread;
    thread.performed = reader.number();
    thread.causal = reader.view();
    thread.coherent = reader.view();
    for (std::size_t level = 0; level < level_count; ++level) {
        thread.acquirable[level] = reader.view();
        thread.released[level] = reader.view();
    }
    return thread;
}

void put(std::string& bytes, const Message& message) {
    put(bytes, std::uint64_t{message.value});
    put(bytes, std::uint64_t{message.strong} | std::uint64_t{message.atomic} << 1 |
                   static_cast<std::uint64_t>(message.scope) << 2);
    put(bytes, std::uint64_t{message.block});
    for (const View& released : message.released) {
        put(bytes, released);
    }
}

Message get_message(Reader& reader) {
    Message message;
    message.value = static_cast<std::uint32_t>(reader.number());
    const std::uint64_t flags = reader.number();
    message.strong = (flags & 1) != 0;
    message.atomic = (flags & 2) != 0;
    message.scope = static_cast<Scope>(flags >> 2);
    message.block = static_cast<std::uint16_t>(reader.number());
    for (View& released : message.released) {
        released = reader.view();
    }
    return message;
}

} // namespace

std::string pack(const State& state) {
    std::string bytes;
    bytes.reserve(128);
    put(bytes, state.blocks.size());
    for (const auto& [block, blocks] : state.blocks) {
        put(bytes, std::uint64_t{blocks});
        put(bytes, std::uint64_t{block.block_class} << 1 | std::uint64_t{block.triggered});
        for (const Counted<Thread>& threads : block.roles) {
            put(bytes, threads.size());
            for (const auto& [thread, count] : threads) {
                put(bytes, std::uint64_t{count});
                put(bytes, thread);
            }
        }
    }
    for (const NodeState& node : state.nodes) {
        put(bytes, std::uint64_t{node.triggered_or_exited} << 1 | std::uint64_t{node.begun});
        put(bytes, std::uint64_t{node.exited});
        put(bytes, node.completion);
        put(bytes, node.trigger);
    }
    for (const std::vector<Message>& messages : state.memory) {
        put(bytes, messages.size());
        for (const Message& message : messages) {
            put(bytes, message);
        }
    }
    put(bytes, state.sc_fences);
    put(bytes, state.results.size());
    for (const auto& [result, value] : state.results) {
        put(bytes, static_cast<std::uint64_t>(result));
        put(bytes, std::uint64_t{value});
    }
    return bytes;
}

State unpack(const Code& code, const std::string& bytes) {
    Reader reader{bytes};
    State state;
    state.blocks.resize(reader.number());
    for (auto& [block, blocks] : state.blocks) {
        blocks = static_cast<unsigned>(reader.number());
        const std::uint64_t head = reader.number();
        block.block_class = static_cast<std::uint16_t>(head >> 1);
        block.triggered = (head & 1) != 0;
        block.roles.resize(code.classes[block.block_class].roles.size());
        for (Counted<Thread>& threads : block.roles) {
            threads.resize(reader.number());
            for (auto& [thread, count] : threads) {
                count = static_cast<unsigned>(reader.number());
                thread = get_thread(reader);
            }
        }
    }
    for (std::size_t index = 0; index < code.nodes.size(); ++index) {
        NodeState node;
        const std::uint64_t head = reader.number();
        node.begun = (head & 1) != 0;
        node.triggered_or_exited = static_cast<unsigned>(head >> 1);
        node.exited = static_cast<unsigned>(reader.number());
        node.completion = reader.view();
        node.trigger = reader.view();
        state.nodes.push_back(std::move(node));
    }
    for (std::size_t index = 0; index < code.locations.size(); ++index) {
        const std::size_t count = reader.number();
        std::vector<Message> messages;
        for (std::size_t message = 0; message < count; ++message) {
            messages.push_back(get_message(reader));
        }
        state.memory.push_back(std::move(messages));
    }
    state.sc_fences = reader.view();
    const std::size_t results = reader.number();
    for (std::size_t index = 0; index < results; ++index) {
        const auto result = static_cast<int>(reader.number());
        state.results.emplace_back(result, static_cast<std::uint32_t>(reader.number()));
    }
    return state;
}

} // namespace pdlcts::machine
