// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/memory.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

constexpr Level levels[level_count] = {Level::block, Level::gpu};

std::size_t index_of(Level level) {
    return static_cast<std::size_t>(level);
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

/// The first place at which the thread may read.
std::uint16_t first_readable(const Thread& thread, const Operation& operation) {
    const std::uint16_t causal = known(knowledge_before(thread, operation.index).causal, operation.location);
    return is_strong(operation) ? std::max(causal, known(thread.coherent, operation.location)) : causal;
}

/// Where a thread keeps what an operation lets it know, until settle (state.hpp) moves it.
Knowledge& learned(Thread& thread, const Operation& operation) {
    const auto behind = std::find_if(thread.ahead.begin(), thread.ahead.end(),
                                     [&](const auto& entry) { return entry.first >= operation.index; });
    if (behind != thread.ahead.end() && behind->first == operation.index) {
        return behind->second;
    }
    return thread.ahead.insert(behind, {operation.index, Knowledge{}})->second;
}

View& released_in_block(Message& message, std::uint16_t block) {
    auto& views = message.released_in_block;
    const auto behind =
        std::find_if(views.begin(), views.end(), [&](const auto& entry) { return entry.first >= block; });
    if (behind != views.end() && behind->first == block) {
        return behind->second;
    }
    return views.insert(behind, {block, View{}})->second;
}

/// What a strong read of a message does to its thread: coherence, and what the message has released.
void observe(const Code& code, Thread& thread, const Operation& operation, std::uint16_t block, const Message& message,
             std::uint16_t place) {
    if (!is_morally_strong(code, operation, block, message)) {
        return;
    }
    advance(code, thread.coherent, operation.location, place);
    Knowledge& knowledge = learned(thread, operation);
    const auto hear = [&](Level level, const View& released) {
        join(knowledge.acquirable[index_of(level)], released);
        if (acquires(operation) && includes(operation.scope, level)) {
            join(knowledge.causal, released);
        }
    };
    hear(Level::gpu, message.released);
    for (const auto& [own, released] : message.released_in_block) {
        if (own == block) {
            hear(Level::block, released);
        }
    }
}

/// Puts a thread's write at a place, and lets the thread know of it. A release write carries what precedes it in
/// program order, the write itself included; any strong write carries what release fences before it knew.
void write(const Code& code, State& state, const Place& place, const Operation& operation, std::uint16_t at,
           Message written) {
    const std::uint16_t block = written.block;
    learned(thread_at(state, place), operation);
    insert_message(state, operation.location, at, std::move(written));
    Thread& thread = thread_at(state, place);
    Knowledge& own = learned(thread, operation);
    advance(code, own.causal, operation.location, at);
    Message& message = state.memory[operation.location][at];
    if (message.strong) {
        advance(code, thread.coherent, operation.location, at);
        Knowledge knowledge = knowledge_before(thread, operation.index);
        join(knowledge, own);
        const auto release = [&](Level level, View& released) {
            join(released, knowledge.released[index_of(level)]);
            if (releases(operation) && includes(operation.scope, level)) {
                join(released, knowledge.causal);
            }
        };
        release(Level::gpu, message.released);
        if (code.blocks_differ) {
            release(Level::block, released_in_block(message, block));
        }
    }
    if (message.atomic) {
        // An atomic passes on what the write that it read has released (observation order).
        const Message& read = state.memory[operation.location][message.read];
        if (is_morally_strong(code, operation, block, read)) {
            join(message.released, read.released);
            for (const auto& [other, released] : read.released_in_block) {
                join(released_in_block(message, other), released);
            }
        }
    }
}

/// Whether a write at this place would come between what an atomic that is morally strong with it has read, and what
/// that has written (PTX 8.10, atomicity).
bool splits_atomic(const Code& code, const Operation& operation, std::uint16_t block,
                   const std::vector<Message>& messages, std::size_t at) {
    return std::any_of(messages.begin() + static_cast<std::ptrdiff_t>(at), messages.end(), [&](const Message& other) {
        return other.atomic && other.read < at && is_morally_strong(code, operation, block, other);
    });
}

Message message_of(const Operation& operation, std::uint16_t block, std::uint32_t value) {
    Message message;
    message.value = value;
    message.strong = is_strong(operation);
    message.scope = message.strong ? operation.scope : Scope::sys;
    message.block = block;
    return message;
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
    const Knowledge before = knowledge_before(thread, operation.index);
    Knowledge& own = learned(thread, operation);
    own.causal = before.causal;
    for (const Level level : levels) {
        if (includes(operation.scope, level)) {
            join(own.causal, before.acquirable[index_of(level)]);
        }
    }
    // PTX 8.10: fence.sc operations that are morally strong stand in one order, and each synchronises with the later
    // ones. Of block scope only the acquire and release are kept, which allows no less.
    if (operation.ordering == Ordering::sc && includes(operation.scope, Level::gpu)) {
        join(own.causal, state.sc_fences);
        join(state.sc_fences, own.causal);
    }
    for (const Level level : levels) {
        if (includes(operation.scope, level) && (level != Level::block || code.blocks_differ)) {
            own.released[index_of(level)] = own.causal;
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
    const std::uint16_t block = block_of(code, state, place);
    const std::vector<Message>& messages = state.memory[operation.location];
    const std::size_t first = first_readable(thread_at(state, place), operation) + std::size_t{1};
    for (std::size_t at = first; at <= messages.size(); ++at) {
        if (splits_atomic(code, operation, block, messages, at)) {
            continue;
        }
        State next = state;
        write(code, next, place, operation, static_cast<std::uint16_t>(at),
              message_of(operation, block, static_cast<std::uint32_t>(operation.value)));
        performed(std::move(next), 0);
    }
}

void atomic(const Code& code, const State& state, const Place& place, const Operation& operation,
            const Performed& performed) {
    const std::uint16_t block = block_of(code, state, place);
    const std::vector<Message>& messages = state.memory[operation.location];
    for (std::size_t read = first_readable(thread_at(state, place), operation); read < messages.size(); ++read) {
        for (std::size_t at = read + 1; at <= messages.size(); ++at) {
            if (at > read + 1 && is_morally_strong(code, operation, block, messages[at - 1])) {
                break;
            }
            if (splits_atomic(code, operation, block, messages, at)) {
                continue;
            }
            State next = state;
            // A reduction gives its thread no value, so what it reads is not acquired.
            if (operation.result >= 0) {
                observe(code, thread_at(next, place), operation, block, messages[read],
                        static_cast<std::uint16_t>(read));
            }
            Message message = message_of(
                operation, block,
                updated(operation.atomic, messages[read].value, static_cast<std::uint32_t>(operation.value)));
            message.atomic = true;
            message.read = static_cast<std::uint16_t>(read);
            write(code, next, place, operation, static_cast<std::uint16_t>(at), std::move(message));
            performed(std::move(next), messages[read].value);
        }
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
