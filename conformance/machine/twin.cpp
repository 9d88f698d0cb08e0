// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin.hpp"

#include "conformance/machine/twin_code.hpp"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <vector>

namespace pdlcts::twin {
namespace {

// ---- states --------------------------------------------------------------------------------------------------------

/// What an instruction that has been performed has done.
struct Done {
    Events gained = 0;   ///< writes that happen before what follows in the thread: its own, and what it acquired
    Events observed = 0; ///< the write that a strong read has read, if morally strong
    Events heard = 0;    ///< the releases that a strong read has seen, for a later fence to acquire
    Events released = 0; ///< of a fence or a release: the writes it releases
    Events carried = 0;  ///< of a write: the releases that who reads it sees
    Value written = 0;
    Value read = -1;
    std::size_t read_from = 0; ///< of an atomic
    auto operator<=>(const Done&) const = default;
};

struct State {
    Events performed = 0;
    std::vector<Done> done;
    std::vector<std::vector<std::size_t>> coherence; ///< for each location its writes
    std::vector<bool> begun;                         ///< blocks
    std::vector<bool> triggered;                     ///< blocks
    std::vector<Events> begin_view;                  ///< blocks
    std::vector<Events> trigger_view;                ///< nodes
    Events sc_fences = 0;
    auto operator<=>(const State&) const = default;
};

struct Search {
    const Code& code;
    std::set<State> met;
    std::vector<const State*> pending;

    void meet(State state) {
        const auto [entry, added] = met.insert(std::move(state));
        if (added) {
            pending.push_back(&*entry);
        }
    }

    // What a state says.
    bool has_exited(const State& state, std::size_t block) const {
        return state.begun[block] && (code.blocks[block].events() & ~state.performed) == 0;
    }
    template <typename Predicate>
    bool all_blocks(std::size_t node, const Predicate& predicate) const {
        for (std::size_t block = 0; block < code.blocks.size(); ++block) {
            if (code.blocks[block].node == node && !predicate(block)) {
                return false;
            }
        }
        return true;
    }
    bool is_complete(const State& state, std::size_t node) const {
        return all_blocks(node, [&](std::size_t block) { return has_exited(state, block); });
    }
    Events gained(const State& state, Events events) const {
        Events all = 0;
        for_each(events & state.performed, [&](std::size_t event) { all |= state.done[event].gained; });
        return all;
    }
    Events completion_view(const State& state, std::size_t node) const {
        Events all = 0;
        for (std::size_t block = 0; block < code.blocks.size(); ++block) {
            if (code.blocks[block].node == node) {
                all |= state.begin_view[block] | gained(state, code.blocks[block].events());
            }
        }
        return all;
    }
    Events known(const State& state, std::size_t event) const {
        const Instance& instance = code.events[event];
        return state.begin_view[instance.block] | gained(state, instance.earlier);
    }
    std::size_t place(const State& state, std::size_t write) const {
        const auto& order = state.coherence[code.events[write].location];
        return static_cast<std::size_t>(std::find(order.begin(), order.end(), write) - order.begin());
    }

    // Scopes.
    bool include_each_other(std::size_t left, std::size_t right) const {
        return code.events[left].block == code.events[right].block ||
               (code.events[left].wide && code.events[right].wide);
    }
    bool morally_strong(std::size_t left, std::size_t right) const {
        return code.events[left].strong && code.events[right].strong && include_each_other(left, right);
    }

    // Steps.
    bool has_fired(const State& state, const Dependency& dependency) const;
    bool may_begin(const State& state, std::size_t block) const;
    void begin(const State& state, std::size_t block);
    bool pass_barrier(const State& state, std::size_t block);
    bool perform(const State& state, std::size_t event);

    std::size_t floor(const State& state, std::size_t event) const;
    Events acquire(const State& state, std::size_t event, Events releases) const;
    void read(State& state, std::size_t event, std::size_t from) const;
    void write(const State& state, std::size_t event, Value value, std::size_t first);
    void finish(State state, std::size_t event) {
        state.performed |= only(event);
        meet(std::move(state));
    }
    bool step(const State& state);
};

// ---- blocks --------------------------------------------------------------------------------------------------------

bool Search::has_fired(const State& state, const Dependency& dependency) const {
    if (dependency.port == Port::full) {
        return is_complete(state, dependency.upstream);
    }
    if (dependency.port == Port::programmatic) {
        return all_blocks(dependency.upstream,
                          [&](std::size_t block) { return state.triggered[block] || has_exited(state, block); });
    }
    return dependency.type == DependencyType::full ||
           all_blocks(dependency.upstream, [&](std::size_t block) { return state.begun[block]; });
}

bool Search::may_begin(const State& state, std::size_t block) const {
    const std::vector<Dependency>& dependencies = code.plan.nodes[code.blocks[block].node].dependencies;
    return !state.begun[block] && std::all_of(dependencies.begin(), dependencies.end(),
                                              [&](const Dependency& one) { return has_fired(state, one); });
}

void Search::begin(const State& state, std::size_t block) {
    State next = state;
    next.begun[block] = true;
    for (const Dependency& dependency : code.plan.nodes[code.blocks[block].node].dependencies) {
        if (dependency.port == Port::full) {
            next.begin_view[block] |= completion_view(state, dependency.upstream);
        } else if (dependency.port == Port::programmatic) {
            next.begin_view[block] |= state.trigger_view[dependency.upstream];
        }
    }
    meet(std::move(next));
}

/// All threads of the block that have not exited stand before a barrier, and leave it together.
bool Search::pass_barrier(const State& state, std::size_t block) {
    Events barriers = 0;
    Events joined = state.begin_view[block];
    for (const Events thread : code.blocks[block].threads) {
        const Events left = thread & ~state.performed;
        joined |= left != 0 ? gained(state, thread) : 0;
        barriers |= left & (~left + 1);
    }
    bool all = barriers != 0 && state.begun[block];
    for_each(barriers, [&](std::size_t event) {
        all = all && std::holds_alternative<Barrier>(code.events[event].instruction) &&
              (code.events[event].after & ~state.performed) == 0;
    });
    if (all) {
        State next = state;
        next.performed |= barriers;
        for_each(barriers, [&](std::size_t event) { next.done[event].gained = joined; });
        meet(std::move(next));
    }
    return all;
}

// ---- memory --------------------------------------------------------------------------------------------------------

/// The place in the location's order before which nothing may be read: what happens before, and for a strong access
/// what the thread's strong reads of this location have seen.
std::size_t Search::floor(const State& state, std::size_t event) const {
    const Instance& instance = code.events[event];
    Events seen = known(state, event);
    for_each(instance.strong ? instance.earlier & state.performed : 0,
             [&](std::size_t earlier) { seen |= state.done[earlier].observed; });
    std::size_t place = 0;
    for (std::size_t at = 0; at < state.coherence[instance.location].size(); ++at) {
        place = (seen & only(state.coherence[instance.location][at])) != 0 ? at : place;
    }
    return place;
}

/// What an acquire gains from releases of a scope that includes it, and that its own includes.
Events Search::acquire(const State& state, std::size_t event, Events releases) const {
    Events all = 0;
    for_each(releases, [&](std::size_t release) {
        all |= include_each_other(release, event) ? state.done[release].released : 0;
    });
    return all;
}

void Search::read(State& state, std::size_t event, std::size_t from) const {
    Done& done = state.done[event];
    if (morally_strong(event, from)) {
        done.observed = only(from);
        done.heard = state.done[from].carried;
        done.gained |= code.events[event].acquires ? acquire(state, event, done.heard) : 0;
    }
}

/// Puts a write at every place from `first` on that atomicity leaves open: between what an atomic has read and what it
/// has written comes no write that is morally strong with it.
void Search::write(const State& state, std::size_t event, Value value, std::size_t first) {
    const Instance& instance = code.events[event];
    const std::vector<std::size_t>& order = state.coherence[instance.location];
    const bool is_atomic = instance.reads;
    for (std::size_t at = first; at <= order.size(); ++at) {
        if (is_atomic && at > first && morally_strong(event, order[at - 1])) {
            break;
        }
        bool splits = false;
        for (std::size_t other = at; other < order.size(); ++other) {
            splits = splits || (code.events[order[other]].reads && morally_strong(event, order[other]) &&
                                place(state, state.done[order[other]].read_from) < at);
        }
        if (splits) {
            continue;
        }
        State next = state;
        Done& done = next.done[event];
        done.written = value;
        done.gained |= only(event);
        if (instance.releases) {
            done.released = known(state, event) | done.gained;
            done.carried |= only(event);
        }
        for_each(instance.strong ? instance.earlier & state.performed : 0,
                 [&](std::size_t earlier) { done.carried |= code.events[earlier].is_fence ? only(earlier) : 0; });
        if (is_atomic && morally_strong(event, done.read_from)) {
            done.carried |= state.done[done.read_from].carried;
        }
        auto& placed = next.coherence[instance.location];
        placed.insert(placed.begin() + static_cast<std::ptrdiff_t>(at), event);
        finish(std::move(next), event);
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

// ---- instructions --------------------------------------------------------------------------------------------------

bool Search::perform(const State& state, std::size_t event) {
    const Instance& instance = code.events[event];
    const std::size_t node = code.blocks[instance.block].node;
    State next = state;
    Done& done = next.done[event];
    const auto from_floor = [&](const auto& function, std::size_t first) {
        const std::vector<std::size_t>& order = state.coherence[instance.location];
        for (std::size_t at = first; at < order.size(); ++at) {
            function(at, order[at]);
        }
    };
    return std::visit(
        Overloaded{[&](const Trigger&) {
                       if (!state.triggered[instance.block]) {
                           next.triggered[instance.block] = true;
                           for_each(instance.earlier, [&](std::size_t earlier) {
                               if (code.events[earlier].is_fence && code.events[earlier].wide) {
                                   next.trigger_view[node] |= state.done[earlier].released;
                               }
                           });
                       }
                       finish(std::move(next), event);
                       return true;
                   },
                   [&](const Wait&) {
                       for (const Dependency& dependency : code.plan.nodes[node].dependencies) {
                           if (dependency.type == DependencyType::programmatic) {
                               if (!is_complete(state, dependency.upstream)) {
                                   return false;
                               }
                               done.gained |= completion_view(state, dependency.upstream);
                           }
                       }
                       finish(std::move(next), event);
                       return true;
                   },
                   [&](const Exit&) {
                       finish(std::move(next), event);
                       return true;
                   },
                   [](const Barrier&) { return false; }, [](const Delay&) { return false; },
                   [&](const Fence& fence) {
                       for_each(instance.earlier & state.performed, [&](std::size_t earlier) {
                           done.gained |= acquire(state, event, state.done[earlier].heard);
                       });
                       const bool sc = fence.ordering == Ordering::sc && instance.wide;
                       done.gained |= sc ? state.sc_fences : 0;
                       done.released = known(state, event) | done.gained;
                       next.sc_fences |= sc ? done.released : 0;
                       finish(std::move(next), event);
                       return true;
                   },
                   [&](const Load& load) {
                       from_floor(
                           [&](std::size_t, std::size_t from) {
                               State choice = state;
                               read(choice, event, from);
                               choice.done[event].read = state.done[from].written;
                               finish(std::move(choice), event);
                           },
                           load.cache == CacheOperator::nc ? 0 : floor(state, event));
                       return true;
                   },
                   [&](const Store& store) {
                       write(state, event, store.value, floor(state, event) + 1);
                       return true;
                   },
                   [&](const Atomic& atomic) {
                       from_floor(
                           [&](std::size_t at, std::size_t from) {
                               State choice = state;
                               // A reduction gives its thread no value, so it acquires nothing.
                               if (atomic.result) {
                                   read(choice, event, from);
                               }
                               const auto old = static_cast<std::uint32_t>(state.done[from].written);
                               choice.done[event].read = atomic.result ? Value{old} : Value{-1};
                               choice.done[event].read_from = from;
                               write(choice, event,
                                     updated(atomic.operation, old, static_cast<std::uint32_t>(atomic.operand)),
                                     at + 1);
                           },
                           floor(state, event));
                       return true;
                   },
                   [&](const Await& await) {
                       from_floor(
                           [&](std::size_t, std::size_t from) {
                               if (state.done[from].written == await.value) {
                                   State choice = state;
                                   read(choice, event, from);
                                   choice.done[event].read = 1;
                                   finish(std::move(choice), event);
                               }
                           },
                           floor(state, event));
                       done.read = 0;
                       finish(std::move(next), event);
                       return true;
                   }},
        instance.instruction);
}

bool Search::step(const State& state) {
    bool moved = false;
    for (std::size_t block = 0; block < code.blocks.size(); ++block) {
        if (may_begin(state, block)) {
            begin(state, block);
            moved = true;
        }
        moved = pass_barrier(state, block) || moved;
        for_each(state.begun[block] ? code.blocks[block].events() & ~state.performed : 0, [&](std::size_t event) {
            if ((code.events[event].after & ~state.performed) == 0) {
                moved = perform(state, event) || moved;
            }
        });
    }
    return moved;
}

Outcome outcome_of(const Code& code, const State& state) {
    Outcome outcome;
    for (std::size_t event = 0; event < code.events.size(); ++event) {
        if (code.events[event].result) {
            outcome[*code.events[event].result].insert(state.done[event].read);
        }
    }
    return outcome;
}

} // namespace

std::optional<Exploration> explore(const Program& program, const Plan& plan, std::size_t limit) {
    const Code code = spell_out(program, plan);
    if (code.events.size() > 64) {
        return std::nullopt;
    }
    State first;
    first.done.resize(code.events.size());
    for (std::size_t location = 0; location < program.memory.size(); ++location) {
        first.performed |= only(location);
        first.done[location].written = program.memory[location].initial;
        first.coherence.push_back({location});
    }
    first.begun.resize(code.blocks.size());
    first.triggered.resize(code.blocks.size());
    first.begin_view.resize(code.blocks.size());
    first.trigger_view.resize(plan.nodes.size());
    Search search{code, {}, {}};
    search.meet(std::move(first));
    Exploration exploration;
    while (!search.pending.empty()) {
        if (search.met.size() > limit) {
            return std::nullopt;
        }
        const State& state = *search.pending.back();
        search.pending.pop_back();
        bool final = true;
        for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
            final = final && search.is_complete(state, node);
        }
        if (final) {
            exploration.outcomes.insert(outcome_of(code, state));
        } else {
            exploration.stuck = !search.step(state) || exploration.stuck;
        }
    }
    exploration.states = search.met.size();
    return exploration;
}

} // namespace pdlcts::twin
