// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/fences.hpp"

#include "conformance/machine/ahead.hpp"
#include "conformance/machine/coherence.hpp"
#include "conformance/machine/release.hpp"
#include "conformance/machine/view_keys.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts::machine {

void know_in_every_proxy(const Code& code, View& view) {
    if (!code.uses_proxies) {
        return;
    }
    const auto cells = static_cast<std::uint16_t>(code.cells.size());
    View all = view;
    for (const Entry& entry : view) {
        add(all, Entry{entry.key < cells ? static_cast<std::uint16_t>(entry.key + cells) : entry.key, entry.place});
    }
    view = std::move(all);
}

namespace {

/// What precedes a fence in its thread, and what it has just learned.
View known_at(const Thread& thread, const Operation& fence) {
    View known = thread.known;
    for (const auto& [last, ahead] : thread.ahead) {
        if (last <= fence.last) {
            join(known, ahead);
        }
    }
    return known;
}

void keep_for_writes(Thread& thread, const Operation& fence) {
    if (fence.keeps) {
        std::erase_if(thread.published, [&](const Published& published) {
            return published.cell == any_location && published.scope == fence.scope;
        });
        thread.published.push_back({any_location, fence.scope, known_at(thread, fence)});
    }
}

/// Whether all of a view is known to a fence.sc: of what has been read that it had been written, of other fences that
/// they stand before it.
bool is_known(const Code& code, const State& state, const View& view, std::size_t fence) {
    const View& known = state.sc_fences[fence].view;
    const std::size_t cells = code.cells.size();
    return std::all_of(view.begin(), view.end(), [&](const Entry& entry) {
        if (entry.key == fence_key(code)) {
            return entry.place <= fence;
        }
        const Entry written{static_cast<std::uint16_t>(entry.key < 2 * cells ? entry.key : entry.key - 2 * cells),
                            entry.place};
        return std::binary_search(known.begin(), known.end(), written) ||
               is_hidden(state.memory[written.key % cells], written.place, known, written.key);
    });
}

/// Puts a fence.sc into the order before those from `at` on.
void insert_sc_fence(const Code& code, State& state, const Place& place, const Operation& operation, std::size_t at) {
    const std::uint16_t key = fence_key(code);
    for_each_view(state, [&](View& view) {
        for (Entry& entry : view) {
            entry.place = static_cast<std::uint16_t>(entry.place + (entry.key == key && entry.place > at ? 1 : 0));
        }
    });
    Thread& thread = thread_at(state, place);
    View known = known_at(thread, operation);
    const Entry own{key, static_cast<std::uint16_t>(at + 1)};
    add(known, own);
    state.sc_fences.insert(state.sc_fences.begin() + static_cast<std::ptrdiff_t>(at),
                           {class_at(code, state, place).who, operation.scope, std::move(known)});
    learn(code, state, place, operation, {own});
}

} // namespace

bool fence(const Code& code, State& state, const Place& place, const Operation& operation) {
    const std::optional<View> learned = collected(code, state, place, operation);
    if (!learned || !learn(code, state, place, operation, *learned)) {
        return false;
    }
    keep_for_writes(thread_at(state, place), operation);
    return true;
}

bool sc_fence(const Code& code, const State& state, const Place& place, const Operation& operation,
              const Performed& performed) {
    const std::optional<View> collection = collected(code, state, place, operation);
    if (!collection) {
        return false;
    }
    const std::uint16_t who = class_at(code, state, place).who;
    if (!code.reorders_sc_fences) {
        // Whatever order they may have, some order of performing them has it.
        State next = state;
        View learned = *collection;
        join(learned, acquired(code, state.sc_fences, who, operation.scope));
        if (!learn(code, next, place, operation, std::move(learned))) {
            return false;
        }
        add(next.sc_fences, {who, operation.scope, known_at(thread_at(next, place), operation)});
        keep_for_writes(thread_at(next, place), operation);
        performed(std::move(next), 0);
        return true;
    }
    std::vector<std::size_t> strong;
    for (std::size_t index = 0; index < state.sc_fences.size(); ++index) {
        const Release& other = state.sc_fences[index];
        const Level level = code.levels[who][other.who];
        if (includes(operation.scope, level) && includes(other.scope, level)) {
            strong.push_back(index);
        }
    }
    bool all = true;
    for (std::size_t cut = 0; cut <= strong.size(); ++cut) {
        View learned = *collection;
        for (std::size_t earlier = 0; earlier < cut; ++earlier) {
            join(learned, state.sc_fences[strong[earlier]].view);
        }
        View known = known_at(thread_at(state, place), operation);
        join(known, learned);
        // The order is one of synchronisation, not of time: the fence may stand before others that were performed
        // earlier, as long as they knew all that it knows, and it does not know them.
        const bool possible =
            std::all_of(strong.begin() + static_cast<std::ptrdiff_t>(cut), strong.end(), [&](std::size_t later) {
                const Entry it{fence_key(code), static_cast<std::uint16_t>(later + 1)};
                return !std::binary_search(known.begin(), known.end(), it) && is_known(code, state, known, later);
            });
        if (!possible) {
            continue;
        }
        State next = state;
        if (!learn(code, next, place, operation, std::move(learned))) {
            all = false;
            continue;
        }
        insert_sc_fence(code, next, place, operation, cut < strong.size() ? strong[cut] : state.sc_fences.size());
        keep_for_writes(thread_at(next, place), operation);
        performed(std::move(next), 0);
    }
    return all;
}

void proxy_fence(const Code& code, State& state, const Place& place) {
    know_in_every_proxy(code, thread_at(state, place).known);
}

} // namespace pdlcts::machine
