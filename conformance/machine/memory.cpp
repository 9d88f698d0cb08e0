// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/memory.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

constexpr Level levels[level_count] = {Level::block, Level::gpu};

std::size_t index_of(Level level) {
    return static_cast<std::size_t>(level);
}

Thread& thread_at(State& state, const Place& place) {
    return state.blocks[place.block].first.roles[place.role][place.thread].first;
}
const Thread& thread_at(const State& state, const Place& place) {
    return state.blocks[place.block].first.roles[place.role][place.thread].first;
}

std::uint16_t known(const View& view, std::uint16_t location) {
    return location < view.size() ? view[location] : std::uint16_t{0};
}

void advance(const Code& code, View& view, std::uint16_t location, std::uint16_t place) {
    view.resize(code.locations.size());
    view[location] = std::max(view[location], place);
}

/// What tells the thread's block from others in messages.
std::uint16_t block_of(const Code& code, const State& state, const Place& place) {
    return code.blocks_differ ? static_cast<std::uint16_t>(state.blocks[place.block].first.block_class + 1)
                              : std::uint16_t{0};
}

Level level_between(const Code& code, std::uint16_t block, const Message& message) {
    return code.blocks_differ && message.block == block ? Level::block : Level::gpu;
}

bool is_strong(const Operation& operation) {
    return operation.ordering != Ordering::weak;
}

/// PTX 8.1, morally strong: both are strong, and each one's scope includes the other.
bool is_morally_strong(const Code& code, const Operation& operation, std::uint16_t block, const Message& message) {
    const Level level = level_between(code, block, message);
    return is_strong(operation) && message.strong && includes(operation.scope, level) && includes(message.scope, level);
}

bool acquires(const Operation& operation) {
    return operation.ordering == Ordering::acquire || operation.ordering == Ordering::acq_rel;
}

bool releases(const Operation& operation) {
    return operation.ordering == Ordering::release || operation.ordering == Ordering::acq_rel;
}

/// The first place at which the thread may read.
std::uint16_t first_readable(const Thread& thread, const Operation& operation) {
    const std::uint16_t causal = known(thread.causal, operation.location);
    return is_strong(operation) ? std::max(causal, known(thread.coherent, operation.location)) : causal;
}

/// What a strong read of a message does to its thread: coherence, and what the message has released.
void observe(const Code& code, Thread& thread, const Operation& operation, std::uint16_t block, const Message& message,
             std::uint16_t place) {
    if (!is_morally_strong(code, operation, block, message)) {
        return;
    }
    advance(code, thread.coherent, operation.location, place);
    const std::size_t level = index_of(level_between(code, block, message));
    const View& released = message.released[level];
    join(thread.acquirable[level], released);
    if (acquires(operation)) {
        join(thread.causal, released);
        join(thread.coherent, thread.causal);
    }
}

/// The message that a strong or weak write of this thread is. A release write carries what its thread knows, the
/// write itself included; any strong write carries what the last release fence knew.
Message message_of(const Code& code, const Thread& thread, const Operation& operation, std::uint16_t block,
                   std::uint32_t value) {
    Message message;
    message.value = value;
    message.strong = is_strong(operation);
    message.scope = message.strong ? operation.scope : Scope::sys;
    message.block = block;
    for (const Level level : levels) {
        if (!message.strong || !includes(operation.scope, level) || (level == Level::block && !code.blocks_differ)) {
            continue;
        }
        message.released[index_of(level)] = thread.released[index_of(level)];
        if (releases(operation)) {
            join(message.released[index_of(level)], thread.causal);
            message.released[index_of(level)].resize(code.locations.size());
        }
    }
    return message;
}

/// Puts a thread's write at a place, and lets the thread know of it.
void write(const Code& code, State& state, const Place& place, const Operation& operation, std::uint16_t at,
           Message message) {
    insert_message(state, operation.location, at, std::move(message));
    Thread& thread = thread_at(state, place);
    advance(code, thread.causal, operation.location, at);
    advance(code, thread.coherent, operation.location, at);
    if (releases(operation)) {
        for (View& released : state.memory[operation.location][at].released) {
            if (!released.empty()) {
                released[operation.location] = std::max(released[operation.location], at);
            }
        }
    }
}

std::uint32_t updated(AtomicOperation operation, std::uint32_t old, std::uint32_t operand) {
    switch (operation) {
    case AtomicOperation::add:
        return old + operand;
    case AtomicOperation::exch:
        return operand;
    case AtomicOperation::min:
        return std::min(old, operand);
    case AtomicOperation::max:
        return std::max(old, operand);
    }
    return old;
}

} // namespace

void fence(const Code& code, State& state, const Place& place, const Operation& operation) {
    Thread& thread = thread_at(state, place);
    for (const Level level : levels) {
        if (includes(operation.scope, level)) {
            join(thread.causal, thread.acquirable[index_of(level)]);
        }
    }
    // PTX 8.10: fence.sc operations that are morally strong stand in one order, and each synchronises with the later
    // ones. Of block scope only the acquire and release are kept, which allows no less.
    if (operation.ordering == Ordering::sc && includes(operation.scope, Level::gpu)) {
        join(thread.causal, state.sc_fences);
        join(state.sc_fences, thread.causal);
    }
    join(thread.coherent, thread.causal);
    for (const Level level : levels) {
        if (includes(operation.scope, level) && (level != Level::block || code.blocks_differ)) {
            thread.released[index_of(level)] = thread.causal;
        }
    }
}

void load(const Code& code, const State& state, const Place& place, const Operation& operation,
          const Performed& performed) {
    const std::vector<Message>& messages = state.memory[operation.location];
    const std::uint16_t block = block_of(code, state, place);
    // visibility.nc-loads-excluded: the memory model says nothing of .nc loads, so nothing hides a write from them.
    const std::uint16_t first =
        operation.non_coherent ? std::uint16_t{0} : first_readable(thread_at(state, place), operation);
    for (std::size_t at = first; at < messages.size(); ++at) {
        State next = state;
        if (is_strong(operation)) {
            observe(code, thread_at(next, place), operation, block, messages[at], static_cast<std::uint16_t>(at));
        }
        performed(std::move(next), messages[at].value);
    }
}

void store(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed) {
    const Thread& thread = thread_at(state, place);
    const std::uint16_t block = block_of(code, state, place);
    const std::vector<Message>& messages = state.memory[operation.location];
    const auto value = static_cast<std::uint32_t>(operation.value);
    for (std::size_t at = first_readable(thread, operation) + std::size_t{1}; at <= messages.size(); ++at) {
        // PTX 8.10, atomicity: no morally strong write comes between an atomic's read and its write.
        if (at < messages.size() && messages[at].atomic && is_morally_strong(code, operation, block, messages[at])) {
            continue;
        }
        State next = state;
        write(code, next, place, operation, static_cast<std::uint16_t>(at),
              message_of(code, thread, operation, block, value));
        performed(std::move(next), 0);
    }
}

void atomic(const Code& code, const State& state, const Place& place, const Operation& operation,
            const Performed& performed) {
    const std::uint16_t block = block_of(code, state, place);
    const std::vector<Message>& messages = state.memory[operation.location];
    for (std::size_t at = first_readable(thread_at(state, place), operation); at < messages.size(); ++at) {
        const std::size_t behind = at + 1;
        if (behind < messages.size() && messages[behind].atomic &&
            is_morally_strong(code, operation, block, messages[behind])) {
            continue;
        }
        State next = state;
        Thread& thread = thread_at(next, place);
        // A reduction gives its thread no value, so what it reads is not acquired.
        if (operation.result >= 0) {
            observe(code, thread, operation, block, messages[at], static_cast<std::uint16_t>(at));
        }
        Message message =
            message_of(code, thread, operation, block,
                       updated(operation.atomic, messages[at].value, static_cast<std::uint32_t>(operation.value)));
        message.atomic = true;
        if (is_morally_strong(code, operation, block, messages[at])) {
            // An atomic passes on what the write that it read has released (observation order).
            for (const Level level : levels) {
                if (includes(operation.scope, level)) {
                    join(message.released[index_of(level)], messages[at].released[index_of(level)]);
                }
            }
        }
        write(code, next, place, operation, static_cast<std::uint16_t>(behind), std::move(message));
        performed(std::move(next), messages[at].value);
    }
}

void await(const Code& code, const State& state, const Place& place, const Operation& operation,
           const Performed& performed) {
    performed(State(state), 0);
    const std::vector<Message>& messages = state.memory[operation.location];
    const std::uint16_t block = block_of(code, state, place);
    for (std::size_t at = first_readable(thread_at(state, place), operation); at < messages.size(); ++at) {
        if (messages[at].value == static_cast<std::uint32_t>(operation.value)) {
            State next = state;
            observe(code, thread_at(next, place), operation, block, messages[at], static_cast<std::uint16_t>(at));
            performed(std::move(next), 1);
        }
    }
}

} // namespace pdlcts::machine
