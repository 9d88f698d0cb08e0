// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/state.hpp"

#include "conformance/machine/coherence.hpp"

#include <algorithm>
#include <tuple>

namespace pdlcts::machine {

State initial_state(const Code& code) {
    State state;
    state.nodes.resize(code.nodes.size());
    for (const Value value : code.initial) {
        Message message;
        message.value = static_cast<std::uint32_t>(value);
        message.strong = true;
        state.memory.push_back({message});
    }
    for (const MbarrierCode& mbarrier : code.mbarriers) {
        state.mbarriers.push_back({mbarrier.arrivals, 0, false, {}, {}});
    }
    for (const std::uint16_t phases : code.clusters) {
        state.clusters.emplace_back(phases);
    }
    return state;
}

bool is_complete(const Code& code, const Shared& state, std::size_t node) {
    return state.nodes[node].exited == code.nodes[node].blocks;
}

bool is_final(const Code& code, const Shared& state) {
    for (std::size_t node = 0; node < code.nodes.size(); ++node) {
        if (!is_complete(code, state, node)) {
            return false;
        }
    }
    return true;
}

void add(std::vector<Release>& releases, const Release& release) {
    const auto same = [&](const Release& other) {
        return std::tie(other.who, other.scope) < std::tie(release.who, release.scope);
    };
    const auto place = std::find_if_not(releases.begin(), releases.end(), same);
    if (place != releases.end() && place->who == release.who && place->scope == release.scope) {
        join(place->view, release.view);
    } else {
        releases.insert(place, release);
    }
}

View knowledge_before(const Thread& thread, const Operation& operation) {
    View knowledge = thread.known;
    for (const auto& [last, learned] : thread.ahead) {
        if (last < operation.index) {
            join(knowledge, learned);
        }
    }
    return knowledge;
}

namespace {

/// Moves one of what is counted to the end of the list.
template <typename T>
std::size_t split(Counted<T>& counted, std::size_t index) {
    if (counted[index].second == 1) {
        return index;
    }
    --counted[index].second;
    T one = counted[index].first;
    counted.emplace_back(std::move(one), 1);
    return counted.size() - 1;
}

} // namespace

Thread& thread_at(State& state, const Place& place) {
    return state.blocks[place.block].first.roles[place.role][place.thread].first;
}

const Thread& thread_at(const State& state, const Place& place) {
    return state.blocks[place.block].first.roles[place.role][place.thread].first;
}

const BlockClass& class_at(const Code& code, const State& state, const Place& place) {
    return code.classes[state.blocks[place.block].first.block_class];
}

const Role& role_at(const Code& code, const State& state, const Place& place) {
    return class_at(code, state, place).roles[place.role];
}

Place single_out(State& state, const Place& place) {
    Place alone = place;
    alone.block = split(state.blocks, place.block);
    alone.thread = split(state.blocks[alone.block].first.roles[place.role], place.thread);
    return alone;
}

} // namespace pdlcts::machine
