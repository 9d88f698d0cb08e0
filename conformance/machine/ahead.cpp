// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/ahead.hpp"

#include "conformance/machine/coherence.hpp"
#include "conformance/machine/moral_strength.hpp"
#include "conformance/machine/release.hpp"
#include "conformance/machine/view_keys.hpp"

#include <algorithm>

namespace pdlcts::machine {

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

bool has_pending_before(const Role& role, const Thread& thread, const Operation& operation) {
    return std::any_of(role.operations.begin(), role.operations.begin() + operation.index, [&](const Operation& each) {
        return each.last < operation.index && !is_performed(thread, each) && !each.non_coherent;
    });
}

bool has_pending_acquire(const Role& role, const Thread& thread, const Operation& operation) {
    return std::any_of(role.operations.begin(), role.operations.begin() + operation.index, [&](const Operation& each) {
        return each.last < operation.index && !is_performed(thread, each) &&
               (each.acquires || each.kind == Kind::fence);
    });
}

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

namespace {

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

void follow_finished(Counted<Block>& all_blocks, const Entry& finished, const std::vector<Release>& releases) {
    for (auto& [block, blocks] : all_blocks) {
        for (Counted<Thread>& threads : block.roles) {
            for (auto& [thread, count] : threads) {
                std::vector<Acquirable> told;
                for (const Acquirable& acquirable : thread.acquirable) {
                    const bool waited = acquirable.unfinished != 0 && acquirable.unfinished == finished.place &&
                                        acquirable.cell == finished.key;
                    for (std::size_t index = 0; waited && index < releases.size(); ++index) {
                        told.push_back({acquirable.last, acquirable.cell, releases[index], 0});
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

namespace {

/// A write is finished: those who have read it learn what it releases, and atomics that observed it hand that on.
void pass_on(const Code& code, State& state, const Entry& finished) {
    Messages& messages = state.memory[finished.key];
    const std::vector<Release> releases = messages[finished.place].releases;
    follow_finished(state.blocks, finished, releases);
    if (state.elsewhere.has_blocks) {
        state.elsewhere.changes.push_back({Change::Kind::finished, finished.key, {}, finished.place, releases});
    }
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

} // namespace pdlcts::machine
