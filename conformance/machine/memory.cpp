// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/memory.hpp"

#include "conformance/machine/ahead.hpp"
#include "conformance/machine/coherence.hpp"
#include "conformance/machine/moral_strength.hpp"
#include "conformance/machine/release.hpp"
#include "conformance/machine/view_keys.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts::machine {
namespace {

struct Reading {
    std::uint16_t at = 0;
    bool morally_strong = false;
};

/// Calls a function with every write that a read may return. False when one was left out because what it releases is
/// not known yet.
template <typename Function>
bool for_each_readable(const Code& code, const State& state, const Place& place, const Operation& operation, Cell cell,
                       const Function& function) {
    const Messages& messages = state.memory[cell];
    const std::uint16_t who = class_at(code, state, place).who;
    const View known = knowledge_before(thread_at(state, place), operation);
    bool all = true;
    for (std::size_t index = 0; index < messages.size(); ++index) {
        const auto at = static_cast<std::uint16_t>(index);
        // visibility.nc-loads-excluded: the memory model says nothing of .nc loads, so nothing hides a write from them.
        if (!operation.non_coherent && (is_hidden(messages, at, known, key_of(code, operation, cell)) ||
                                        reads_own_future(code, state, place, operation, cell, at))) {
            continue;
        }
        const bool morally_strong = is_morally_strong(code, operation, who, messages[at]);
        if (morally_strong && operation.acquires && waits_for_release(code, messages[at], who, operation.scope)) {
            all = false;
            continue;
        }
        function(Reading{at, morally_strong});
    }
    return all;
}

/// What a read learns. Relaxed reads keep what they have seen released for a later fence.
View observe(const Code& code, State& state, const Place& place, const Operation& operation, const Reading& reading) {
    note_read(code, state, operation, operation.cell, reading.at, knowledge_before(thread_at(state, place), operation));
    View learned;
    const Message& message = state.memory[operation.cell][reading.at];
    if ((message.ahead || code.reorders_sc_fences) && !operation.non_coherent) {
        add(learned, Entry{read_key(code, operation.cell), reading.at});
    }
    if (!reading.morally_strong || operation.result < 0) {
        return learned;
    }
    add(learned, Entry{operation.cell, reading.at});
    if (operation.acquires) {
        join(learned, acquired(code, message.releases, class_at(code, state, place).who, operation.scope));
    }
    if (operation.collects) {
        Thread& thread = thread_at(state, place);
        for (const Release& release : message.releases) {
            thread.acquirable.push_back({operation.last, operation.cell, release, 0});
        }
        if (message.unfinished != 0) {
            thread.acquirable.push_back({operation.last, operation.cell, {}, reading.at});
        }
    }
    return learned;
}

/// The same for an access; false when it has to wait for a release.
bool join_collected(const Code& code, const State& state, const Place& place, const Operation& operation,
                    View& learned) {
    if (!operation.acquires) {
        return true;
    }
    const std::optional<View> collection = collected(code, state, place, operation);
    if (collection) {
        join(learned, *collection);
    }
    return collection.has_value();
}

/// Of atomics that are morally strong only one puts its write directly behind a write that precedes both.
bool is_taken(const Code& code, const State& state, const Operation& operation, std::uint16_t who,
              const Reading& reading) {
    const Messages& messages = state.memory[operation.cell];
    for (std::size_t other = reading.at + std::size_t{1}; reading.morally_strong && other < messages.size(); ++other) {
        if (messages[other].atomic && messages[other].read == reading.at &&
            is_morally_strong(code, operation, who, messages[other]) &&
            precedes(messages, reading.at, static_cast<std::uint16_t>(other)) &&
            operation.atomic != AtomicOperation::cas) {
            return true;
        }
    }
    return false;
}

Message message_of(const Operation& operation, std::uint16_t who, std::uint32_t value) {
    Message message;
    message.value = value;
    message.strong = operation.strong;
    message.scope = operation.strong ? operation.scope : Scope::sys;
    message.who = who;
    return message;
}

/// Puts a write everywhere that coherence leaves open. `learned` is what the operation's read has taught; `message`
/// says the rest.
bool write(const Code& code, const State& state, const Place& place, const Operation& operation, const View& learned,
           Message message, const Performed& performed, std::uint32_t read) {
    const Role& role = role_at(code, state, place);
    const Thread& thread = thread_at(state, place);
    const Messages& messages = state.memory[operation.cell];
    std::vector<bool> before(messages.size());
    std::vector<bool> behind(messages.size());
    std::vector<bool> strong(messages.size());
    std::vector<bool> free(messages.size());
    View known = knowledge_before(thread, operation);
    join(known, learned);
    const std::uint16_t key = key_of(code, operation, operation.cell);
    for (const Entry& entry : known) {
        if (entry.key == key) {
            before[entry.place] = true;
        }
    }
    all_ahead(role, thread, operation.last + std::size_t{1}, [&](const Operation& later, const Entry& own) {
        if (later.cell == operation.cell && later.asynchronous == operation.asynchronous) {
            behind[own.place] = true;
        }
        return true;
    });
    const bool knows_less = has_pending_acquire(role, thread, operation);
    for (std::size_t other = 0; other < messages.size(); ++other) {
        strong[other] = is_morally_strong(code, message, messages[other]);
        free[other] = knows_less;
    }
    const bool pending_before = has_pending_before(role, thread, operation);
    message.releases = [&] {
        std::vector<Release> releases = message.releases;
        for (const Release& release : releases_of(code, state, place, operation, learned)) {
            add(releases, release);
        }
        return releases;
    }();
    message.ahead = knows_less;
    const std::uint8_t to_release =
        operation.publishes && pending_before ? pending_releases(role, thread, operation) : std::uint8_t{0};
    message.unfinished = static_cast<std::uint8_t>(message.unfinished | to_release);
    bool all = true;
    for_each_order(messages, before, behind, strong, free, [&](const Sides& sides) {
        State next = state;
        Thread& own = thread_at(next, place);
        if (operation.keeps) {
            View released = knowledge_before(own, operation);
            join(released, learned);
            own.published.push_back({operation.cell, operation.scope, std::move(released)});
        }
        // What has been learned moves along with the writes' places.
        own.ahead.emplace_back(std::uint8_t{63}, learned);
        const std::uint16_t at = insert(code, next, operation.cell, sides, message);
        View known_now = std::move(own.ahead.back().second);
        own.ahead.pop_back();
        if (!is_consistent(code, next.memory[operation.cell])) {
            return;
        }
        if (message.ahead || to_release != 0) {
            own.unfinished.emplace_back(operation.index, Entry{operation.cell, at});
        }
        add(known_now, Entry{operation.cell, at});
        if (operation.asynchronous) {
            add(known_now, Entry{key, at});
        }
        if (!learn(code, next, place, operation, std::move(known_now))) {
            all = false;
            return;
        }
        performed(std::move(next), read);
    });
    return all;
}

std::uint32_t updated(const Operation& operation, std::uint32_t old) {
    const auto operand = static_cast<std::uint32_t>(operation.value);
    switch (operation.atomic) {
    case AtomicOperation::add:
        return old + operand;
    case AtomicOperation::exch:
        return operand;
    case AtomicOperation::min:
        return std::min(old, operand);
    case AtomicOperation::max:
        return std::max(old, operand);
    case AtomicOperation::bit_and:
        return old & operand;
    case AtomicOperation::bit_or:
        return old | operand;
    case AtomicOperation::bit_xor:
        return old ^ operand;
    case AtomicOperation::cas:
        return old == static_cast<std::uint32_t>(operation.compare) ? operand : old;
    }
    return old;
}

} // namespace

bool load(const Code& code, const State& state, const Place& place, const Operation& operation,
          const Performed& performed) {
    bool all = true;
    const bool readable = for_each_readable(code, state, place, operation, operation.cell, [&](const Reading& reading) {
        State next = state;
        View learned = observe(code, next, place, operation, reading);
        if (join_collected(code, next, place, operation, learned) &&
            learn(code, next, place, operation, std::move(learned))) {
            performed(std::move(next), state.memory[operation.cell][reading.at].value);
        } else {
            all = false;
        }
    });
    return readable && all;
}

bool store(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed) {
    const std::uint16_t who = class_at(code, state, place).who;
    return write(code, state, place, operation, {},
                 message_of(operation, who, static_cast<std::uint32_t>(operation.value)), performed, 0);
}

bool atomic(const Code& code, const State& state, const Place& place, const Operation& operation,
            const Performed& performed) {
    const std::uint16_t who = class_at(code, state, place).who;
    bool all = true;
    const auto perform = [&](const Reading& reading) {
        if (is_taken(code, state, operation, who, reading)) {
            return;
        }
        State next = state;
        View learned = observe(code, next, place, operation, reading);
        if (!join_collected(code, next, place, operation, learned)) {
            all = false;
            return;
        }
        const Message& read = state.memory[operation.cell][reading.at];
        const bool fails =
            operation.atomic == AtomicOperation::cas && read.value != static_cast<std::uint32_t>(operation.compare);
        if (fails && !has_pending_before(role_at(code, state, place), thread_at(state, place), operation)) {
            // PTX does not say whether a comparison that fails writes the old value back: here it does not, and is no
            // write that could run ahead; below it does.
            State unwritten = next;
            if (learn(code, unwritten, place, operation, learned)) {
                performed(std::move(unwritten), read.value);
            }
        }
        Message message = message_of(operation, who, updated(operation, read.value));
        message.atomic = true;
        message.read = reading.at;
        if (reading.morally_strong) {
            // Observation order goes through atomics, so they pass on what was released.
            message.releases = read.releases;
            message.unfinished = read.unfinished != 0 ? inherited : std::uint8_t{0};
            // What is read precedes the atomic's own write; a reduction learns no more than that.
            add(learned, Entry{operation.cell, reading.at});
        }
        all = write(code, next, place, operation, learned, std::move(message), performed, read.value) && all;
    };
    const bool readable = for_each_readable(code, state, place, operation, operation.cell, perform);
    return readable && all;
}

bool await(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed) {
    performed(State(state), 0);
    return for_each_readable(code, state, place, operation, operation.cell, [&](const Reading& reading) {
        if (state.memory[operation.cell][reading.at].value == static_cast<std::uint32_t>(operation.value)) {
            State next = state;
            View learned = observe(code, next, place, operation, reading);
            learn(code, next, place, operation, std::move(learned)); // nothing runs ahead of a control point
            performed(std::move(next), 1);
        }
    });
}

bool copy(const Code& code, const State& state, const Place& place, const Operation& operation,
          const Performed& performed) {
    const std::uint16_t who = class_at(code, state, place).who;
    bool all = true;
    const auto perform = [&](const Reading& reading) {
        const std::uint32_t value = state.memory[operation.source][reading.at].value;
        State next = state;
        note_read(code, next, operation, operation.source, reading.at,
                  knowledge_before(thread_at(next, place), operation));
        all = write(code, next, place, operation, {}, message_of(operation, who, value), performed, value) && all;
    };
    const bool readable = for_each_readable(code, state, place, operation, operation.source, perform);
    return readable && all;
}

} // namespace pdlcts::machine
