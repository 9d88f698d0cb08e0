// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/memory.hpp"

#include "conformance/machine/coherence.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts::machine {
namespace {

/// PTX 8.7.1, of an operation that is strong and a write by another thread. Writes of the own thread are known to it
/// anyway, whatever their strength.
bool is_morally_strong(const Code& code, const Operation& operation, std::uint16_t who, const Message& message) {
    const Level level = code.levels[who][message.who];
    return operation.strong && message.strong && includes(operation.scope, level) && includes(message.scope, level);
}

bool is_morally_strong(const Code& code, const Message& one, const Message& other) {
    const Level level = code.levels[one.who][other.who];
    return one.strong && other.strong && includes(one.scope, level) && includes(other.scope, level);
}

std::uint16_t key_of(const Code& code, const Operation& operation, Cell cell) {
    return static_cast<std::uint16_t>(operation.asynchronous ? code.cells.size() + cell : cell);
}

std::uint16_t read_key(const Code& code, Cell cell) {
    return static_cast<std::uint16_t>(2 * code.cells.size() + cell);
}

constexpr std::uint8_t bit_of(Scope scope) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(scope));
}

/// Message::unfinished of an atomic that has read an unfinished write.
constexpr std::uint8_t inherited = 0x80;

/// Of knowing fence.sc operations, by their places in State::sc_fences, from 1 on.
std::uint16_t fence_key(const Code& code) {
    return static_cast<std::uint16_t>(3 * code.cells.size());
}

bool is_performed(const Thread& thread, const Operation& operation) {
    return (thread.performed >> operation.index & 1) != 0;
}

/// Calls a function with every operation of a thread that has been performed before an earlier one of it, `first` or
/// later, and with the entry of its write.
template <typename Function>
bool all_ahead(const Role& role, const Thread& thread, std::size_t first, const Function& function) {
    for (const auto& [last, learned] : thread.ahead) {
        for (std::size_t index = first; index < role.operations.size(); ++index) {
            const Operation& operation = role.operations[index];
            if (operation.last != last || !operation.writes || !is_performed(thread, operation)) {
                continue;
            }
            for (const Entry& entry : learned) {
                if (entry.key == operation.cell && !function(operation, entry)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// A read may not return what its own thread writes later, nor, where all are morally strong, what comes behind that.
bool reads_own_future(const Code& code, const State& state, const Place& place, const Operation& operation, Cell cell,
                      std::uint16_t at) {
    const Messages& messages = state.memory[cell];
    const std::uint16_t who = class_at(code, state, place).who;
    return !all_ahead(role_at(code, state, place), thread_at(state, place), operation.last + std::size_t{1},
                      [&](const Operation& later, const Entry& entry) {
                          if (later.cell != cell || later.asynchronous != operation.asynchronous) {
                              return true;
                          }
                          const Message& own = messages[entry.place];
                          const bool strong = own.strong && is_morally_strong(code, operation, who, messages[at]) &&
                                              is_morally_strong(code, own, messages[at]);
                          return entry.place != at && !(strong && precedes(messages, entry.place, at));
                      });
}

struct Reading {
    std::uint16_t at = 0;
    bool morally_strong = false;
};

/// Whether an acquire by someone, with a scope, would have to wait for what a write is still to release.
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

/// Whether an atomic that precedes a write in causality order has read it, or has observed, through others, one that
/// did: an atomic precedes, by observation order, those that read it morally strongly.
bool has_read(const Code& code, const Messages& messages, std::uint16_t atomic, std::uint16_t read) {
    while (messages[atomic].atomic) {
        const std::uint16_t source = messages[atomic].read;
        if (source == read) {
            return true;
        }
        if (!is_morally_strong(code, messages[atomic], messages[source])) {
            return false;
        }
        atomic = source;
    }
    return false;
}

/// Where a read knows of writes that are unrelated to the one that it returns, they must stay so, or come before it.
void note_read(const Code& code, State& state, const Operation& operation, Cell cell, std::uint16_t at,
               const View& known) {
    if (operation.non_coherent) {
        return;
    }
    Messages& messages = state.memory[cell];
    for (const Entry& entry : known) {
        if (entry.key == key_of(code, operation, cell) && entry.place != at && !precedes(messages, entry.place, at)) {
            std::vector<std::uint16_t>& never = messages[at].never_before;
            const auto place = std::lower_bound(never.begin(), never.end(), entry.place);
            if (place == never.end() || *place != entry.place) {
                never.insert(place, entry.place);
            }
        }
    }
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

/// PTX 8.8: a fence acquires for the strong reads before it, an acquire for those of the same cell. Nothing when what
/// one of them has seen is not released yet.
std::optional<View> collected(const Code& code, const State& state, const Place& place, const Operation& operation) {
    const std::uint16_t who = class_at(code, state, place).who;
    View learned;
    for (const Acquirable& acquirable : thread_at(state, place).acquirable) {
        const bool earlier = acquirable.last < operation.index || acquirable.last == 0;
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

/// What a strong write releases.
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

bool has_pending_before(const Role& role, const Thread& thread, const Operation& operation) {
    return std::any_of(role.operations.begin(), role.operations.begin() + operation.index, [&](const Operation& each) {
        return each.last < operation.index && !is_performed(thread, each) && !each.non_coherent;
    });
}

/// Whether something pending before an operation could still make its thread know more.
bool has_pending_acquire(const Role& role, const Thread& thread, const Operation& operation) {
    return std::any_of(role.operations.begin(), role.operations.begin() + operation.index, [&](const Operation& each) {
        return each.last < operation.index && !is_performed(thread, each) &&
               (each.acquires || each.kind == Kind::fence);
    });
}

/// The scopes of what a write that runs ahead is still to release.
std::uint8_t pending_releases(const Role& role, const Thread& thread, const Operation& operation) {
    std::uint8_t scopes = operation.releases ? bit_of(operation.scope) : std::uint8_t{0};
    for (const Operation& earlier : role.operations) {
        const bool begins_pattern = earlier.kind == Kind::fence || (earlier.releases && earlier.cell == operation.cell);
        if (earlier.last < operation.index && !is_performed(thread, earlier) && begins_pattern) {
            scopes = static_cast<std::uint8_t>(scopes | bit_of(earlier.scope));
        }
    }
    return scopes;
}

/// PTX 8.10.3: no write that is morally strong with an atomic comes between it and the write that it read. And nothing
/// that has been read may turn out to precede what its reader knew (8.10.6).
bool is_consistent(const Code& code, const Messages& messages) {
    for (std::size_t index = 0; index < messages.size(); ++index) {
        for (const std::uint16_t known : messages[index].never_before) {
            if (precedes(messages, static_cast<std::uint16_t>(index), known)) {
                return false;
            }
        }
    }
    for (std::size_t atomic = 0; atomic < messages.size(); ++atomic) {
        if (!messages[atomic].atomic) {
            continue;
        }
        for (std::size_t other = messages[atomic].read + std::size_t{1}; other < atomic; ++other) {
            if (is_morally_strong(code, messages[atomic], messages[other]) &&
                precedes(messages, messages[atomic].read, static_cast<std::uint16_t>(other)) &&
                precedes(messages, static_cast<std::uint16_t>(other), static_cast<std::uint16_t>(atomic))) {
                return false;
            }
        }
    }
    return true;
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

bool may_run_ahead(const Role& role, const Thread& thread, const Operation& operation) {
    if (!operation.writes) {
        return false;
    }
    bool passes = false;
    for (std::size_t index = 0; index < operation.index; ++index) {
        const Operation& earlier = role.operations[index];
        if (is_performed(thread, earlier)) {
            continue;
        }
        // Of two stores the earlier one can run ahead first.
        if (is_control_point(earlier) || (earlier.kind == Kind::store && earlier.cell == operation.cell)) {
            return false;
        }
        // An .nc load takes place whenever it likes before the next control point. And fence.sc operations stand in an
        // order that what others read of writes behind them says nothing about.
        passes = passes || (earlier.reads && !earlier.non_coherent) ||
                 (earlier.kind == Kind::fence && earlier.ordering == Ordering::sc);
    }
    return passes;
}

View acquired(const Code& code, const std::vector<Release>& releases, std::uint16_t who, Scope scope) {
    View view;
    for (const Release& release : releases) {
        const Level level = code.levels[who][release.who];
        if (includes(scope, level) && includes(release.scope, level)) {
            join(view, release.view);
        }
    }
    return view;
}

namespace {

/// How a write that is being learned stands to what has run ahead of the operation that learns it: it has to precede
/// all of that, in causality order.
struct Standing {
    enum class Kind { precedes, contradicts, races };
    Kind kind = Kind::precedes;
    std::uint16_t ahead = 0; ///< the write that it races with
};

Standing stand(const Code& code, State& state, const Place& place, const Operation& operation, const Entry& known) {
    const std::size_t cells = code.cells.size();
    const bool is_read = known.key >= 2 * cells;
    if ((!is_read && known.key >= cells) || known.key == fence_key(code)) {
        return {};
    }
    Standing standing;
    all_ahead(role_at(code, state, place), thread_at(state, place), operation.last + std::size_t{1},
              [&](const Operation& later, const Entry& own) {
                  if (later.cell != known.key % cells || later.asynchronous) {
                      return true;
                  }
                  const Messages& messages = state.memory[later.cell];
                  const Message& ahead = messages[own.place];
                  const bool contradicts = is_read ? own.place == known.place
                                                   : own.place == known.place ||
                                                         precedes(messages, own.place, known.place) ||
                                                         has_read(code, messages, known.place, own.place) ||
                                                         (ahead.atomic && precedes(messages, ahead.read, known.place));
                  if (contradicts) {
                      standing.kind = Standing::Kind::contradicts;
                      return false;
                  }
                  if (is_read) {
                      return true;
                  }
                  if (ahead.atomic) {
                      note_read(code, state, later, later.cell, ahead.read, {known});
                  }
                  if (!precedes(messages, known.place, own.place)) {
                      standing = {Standing::Kind::races, own.place};
                      return false;
                  }
                  return true;
              });
    return standing;
}

/// Writes that are in causality order race no more. Places change with that: what is being learned moves along.
bool relate_learned(const Code& code, State& state, const Place& place, View& learned, Entry known,
                    std::uint16_t ahead) {
    Thread& thread = thread_at(state, place);
    thread.ahead.emplace_back(std::uint8_t{63}, std::move(learned));
    const bool possible = relate(code, state, known.key, known.place, ahead);
    learned = std::move(thread.ahead.back().second);
    thread.ahead.pop_back();
    return possible && is_consistent(code, state.memory[known.key]);
}

} // namespace

bool learn(const Code& code, State& state, const Place& place, const Operation& operation, View learned) {
    if (learned.empty()) {
        return true;
    }
    for (std::size_t index = 0; index < learned.size();) {
        const Standing standing = stand(code, state, place, operation, learned[index]);
        if (standing.kind == Standing::Kind::contradicts) {
            return false;
        }
        if (standing.kind == Standing::Kind::precedes) {
            ++index;
            continue;
        }
        if (!relate_learned(code, state, place, learned, learned[index], standing.ahead)) {
            return false;
        }
        index = 0;
    }
    Thread& thread = thread_at(state, place);
    const auto at = std::lower_bound(thread.ahead.begin(), thread.ahead.end(), operation.last,
                                     [](const auto& entry, std::uint8_t last) { return entry.first < last; });
    if (at != thread.ahead.end() && at->first == operation.last) {
        join(at->second, learned);
    } else {
        thread.ahead.emplace(at, operation.last, std::move(learned));
    }
    return true;
}

namespace {

/// Who has read a write before it was finished can acquire now what it has released.
void tell_readers(State& state, const Entry& finished) {
    const Message message = state.memory[finished.key][finished.place];
    for (auto& [block, blocks] : state.blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                std::vector<Acquirable> told;
                for (const Acquirable& acquirable : thread.acquirable) {
                    const bool waited = acquirable.unfinished != 0 && acquirable.unfinished == finished.place &&
                                        acquirable.cell == finished.key;
                    for (std::size_t index = 0; waited && index < message.releases.size(); ++index) {
                        told.push_back({acquirable.last, acquirable.cell, message.releases[index], 0});
                    }
                    if (!waited) {
                        told.push_back(acquirable);
                    }
                }
                thread.acquirable = std::move(told);
            }
        }
    }
}

/// A write is finished: those who have read it learn what it releases, and atomics that observed it hand that on.
void pass_on(const Code& code, State& state, const Entry& finished) {
    tell_readers(state, finished);
    Messages& messages = state.memory[finished.key];
    for (std::size_t index = 0; index < messages.size(); ++index) {
        Message& atomic = messages[index];
        const Message& source = messages[finished.place];
        if (!atomic.atomic || atomic.read != finished.place || (atomic.unfinished & inherited) == 0 ||
            !is_morally_strong(code, atomic, source)) {
            continue;
        }
        for (const Release& release : source.releases) {
            add(atomic.releases, release);
        }
        atomic.unfinished = static_cast<std::uint8_t>(atomic.unfinished & ~inherited);
        if (atomic.unfinished == 0) {
            pass_on(code, state, Entry{finished.key, static_cast<std::uint16_t>(index)});
        }
    }
}

} // namespace

void finish_writes(const Code& code, State& state, const Place& place) {
    const Role& role = role_at(code, state, place);
    for (std::size_t index = 0; index < thread_at(state, place).unfinished.size();) {
        const auto [operation, entry] = thread_at(state, place).unfinished[index];
        if (has_pending_before(role, thread_at(state, place), role.operations[operation])) {
            ++index;
            continue;
        }
        Message& message = state.memory[entry.key][entry.place];
        View own;
        for (const auto& [last, learned] : thread_at(state, place).ahead) {
            if (last == operation && role.operations[operation].reads) {
                own = learned;
            }
        }
        for (const Release& release : releases_of(code, state, place, role.operations[operation], own)) {
            add(message.releases, release);
        }
        message.ahead = false;
        message.unfinished &= inherited;
        if (message.unfinished == 0) {
            pass_on(code, state, entry);
        }
        std::vector<std::pair<std::uint8_t, Entry>>& unfinished = thread_at(state, place).unfinished;
        unfinished.erase(unfinished.begin() + static_cast<std::ptrdiff_t>(index));
    }
}

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
