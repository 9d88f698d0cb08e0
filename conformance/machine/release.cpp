// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/release.hpp"

namespace pdlcts::machine {

bool waits_for_release(const Code& code, const Message& message, std::uint16_t who, Scope scope) {
    if ((message.unfinished & inherited) != 0) {
        return true;
    }
    const Level level = code.levels[who][message.who];
    for (const Scope released : {Scope::cta, Scope::cluster, Scope::gpu, Scope::sys}) {
        if ((message.unfinished & bit_of(released)) != 0 && includes(released, level) && includes(scope, level)) {
            return true;
        }
    }
    return false;
}

View acquired(const Code& code, const std::vector<Release>& releases, std::uint16_t who, Scope scope) {
    View view;
    for (const Release& release : releases) {
        const Level level = code.levels[who][release.who];
        // visibility.flag-other-means
        const bool is_lost = code.fault == Fault::release_between_grids_ignored && level >= Level::gpu;
        if (!is_lost && includes(scope, level) && includes(release.scope, level)) {
            join(view, release.view);
        }
    }
    return view;
}

std::optional<View> collected(const Code& code, const State& state, const Place& place, const Operation& operation) {
    const std::uint16_t who = class_at(code, state, place).who;
    View learned;
    for (const Acquirable& acquirable : thread_at(state, place).acquirable) {
        const bool earlier = acquirable.last < operation.index;
        if (!earlier || (operation.kind != Kind::fence && acquirable.cell != operation.cell)) {
            continue;
        }
        if (acquirable.unfinished != 0) {
            const Message& message = state.memory[acquirable.cell][acquirable.unfinished];
            if (waits_for_release(code, message, who, operation.scope)) {
                return std::nullopt;
            }
        }
        join(learned, acquired(code, {acquirable.release}, who, operation.scope));
    }
    return learned;
}

std::vector<Release> releases_of(const Code& code, const State& state, const Place& place, const Operation& operation,
                                 const View& learned) {
    std::vector<Release> releases;
    if (!operation.publishes) {
        return releases;
    }
    const Thread& thread = thread_at(state, place);
    const std::uint16_t who = class_at(code, state, place).who;
    for (const Published& published : thread.published) {
        if (published.cell == any_location || published.cell == operation.cell) {
            add(releases, {who, published.scope, published.view});
        }
    }
    if (operation.releases) {
        View known = knowledge_before(thread, operation);
        join(known, learned);
        add(releases, {who, operation.scope, std::move(known)});
    }
    return releases;
}

} // namespace pdlcts::machine
