// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin.hpp"

#include "conformance/machine/twin_search.hpp"

#include <algorithm>

namespace pdlcts::twin {

// ---- choices -------------------------------------------------------------------------------------------------------

/// Which thread's trigger is the first of its block: it lets dependents begin, and brings the fences before it.
void Search::choose_trigger(const Attempt& attempt, std::size_t block) {
    if (block == code_.triggers.size()) {
        order_mbarrier(attempt, 0, {}, none);
        return;
    }
    for (const std::size_t trigger : code_.triggers[block]) {
        Attempt next = attempt;
        for (const std::size_t other : code_.triggers[block]) {
            if (other != trigger) {
                next.time.add(trigger, other);
            }
        }
        for (std::size_t node = 0; node < plan_.nodes.size(); ++node) {
            for (const Dependency& dependency : plan_.nodes[node].dependencies) {
                if (dependency.upstream != events_[trigger].node || dependency.port != Port::programmatic) {
                    continue;
                }
                next.time.add(trigger, code_.begin[node]);
                for (std::size_t fence = 0; fence < events_.size(); ++fence) {
                    if (events_[fence].fence && in_program_order(fence, trigger) && reaches(fence, node)) {
                        next.base.add(fence, code_.begin[node]);
                    }
                }
            }
        }
        if (next.time.acyclic()) {
            choose_trigger(next, block + 1);
        }
    }
}

/// Puts the operations on each mbarrier in an order. A phase is complete when its arrivals have come and no byte is
/// missing; another arrival before that is undefined.
void Search::order_mbarrier(const Attempt& attempt, std::size_t index, const Phases& phases, std::size_t last) {
    if (index == code_.mbarriers.size()) {
        choose_failures(attempt, 0);
        return;
    }
    const Mbarrier& mbarrier = code_.mbarriers[index];
    bool all = true;
    for (const std::size_t operation : mbarrier.operations) {
        if (attempt.answers[operation] != other_value) {
            continue;
        }
        all = false;
        Attempt next = attempt;
        next.answers[operation] = 0;
        if (last != none) {
            next.time.add(last, operation);
        }
        for (const std::size_t other : mbarrier.operations) {
            if (next.answers[other] == other_value) {
                next.time.add(operation, other);
            }
        }
        if (++found_.attempts > limit_ || !next.time.acyclic()) {
            continue;
        }
        Phases after = phases;
        after.current.push_back(operation);
        after.bytes += events_[operation].bytes;
        after.arrived += events_[operation].thread != none ? 1 : 0;
        if (after.arrived > mbarrier.arrivals) {
            undefined_ = true;
            return;
        }
        if (after.arrived == mbarrier.arrivals && after.bytes == 0) {
            after.complete.push_back(std::exchange(after.current, {}));
            after.arrived = 0;
        }
        order_mbarrier(next, index, after, operation);
    }
    if (all) {
        choose_wait(attempt, index, phases, 0);
    }
}

/// A wait may always have given up. Or it has seen that the latest phase to complete is of its parity: then it comes
/// before the next one completes, and behind the arrivals of this one.
void Search::choose_wait(const Attempt& attempt, std::size_t index, const Phases& phases, std::size_t wait) {
    const Mbarrier& mbarrier = code_.mbarriers[index];
    if (wait == mbarrier.waits.size()) {
        order_mbarrier(attempt, index + 1, {}, none);
        return;
    }
    const std::size_t event = mbarrier.waits[wait];
    Attempt next = attempt;
    next.answers[event] = 0;
    choose_wait(next, index, phases, wait + 1);
    for (std::size_t seen = 0; seen <= phases.complete.size(); ++seen) {
        if ((seen & 1U) == *events_[event].parity) {
            continue; // The phase of this parity is the one that goes on.
        }
        next = attempt;
        next.answers[event] = 1;
        for (const std::size_t operation : seen > 0 ? phases.complete[seen - 1] : std::vector<std::size_t>{}) {
            next.time.add(operation, event);
            const bool copied = events_[operation].thread == none;
            if (copied || (includes(operation, event) && includes(event, operation))) {
                next.base.add(operation, event);
            }
        }
        if (seen < phases.complete.size()) {
            next.time.add(event, phases.complete[seen].back());
        }
        if (next.time.acyclic()) {
            choose_wait(next, index, phases, wait + 1);
        }
    }
}

/// Which atom.cas find another value than theirs. Whether they write back what they found is open: the instruction's
/// description says so (PTX, atom), and the memory model has atomics that do not result in a write (8.4).
void Search::choose_failures(const Attempt& attempt, std::size_t event) {
    while (event < events_.size() && events_[event].operation != AtomicOperation::cas) {
        ++event;
    }
    if (event == events_.size()) {
        choose_source(attempt, 0);
        return;
    }
    Attempt next = attempt;
    choose_failures(next, event + 1);
    next.failed.set(event);
    choose_failures(next, event + 1);
    next.writeless.set(event);
    choose_failures(next, event + 1);
}

/// Which write each read reads from.
void Search::choose_source(const Attempt& attempt, std::size_t event) {
    while (event < events_.size() && !events_[event].reads) {
        ++event;
    }
    if (event == events_.size()) {
        finish(attempt);
        return;
    }
    const Event& reader = events_[event];
    if (reader.awaited) {
        Attempt given_up = attempt;
        given_up.answers[event] = 0;
        choose_source(given_up, event + 1);
    }
    for (const std::size_t write : accesses_[reader.element]) {
        if (write == event || !writes(attempt, write) || attempt.time.before(event, write) ||
            found_.attempts > limit_) {
            continue;
        }
        Attempt next = attempt;
        next.source[event] = write;
        next.answers[event] = 1;
        next.time.add(write, event);
        if (is_consistent(next)) {
            choose_source(next, event + 1);
        }
    }
}

void Search::finish(const Attempt& attempt) {
    const auto result = outcome(attempt);
    if (result && !found_.outcomes.contains(*result) && has_fence_order(attempt)) {
        found_.outcomes.insert(*result);
    }
}

// ---- values --------------------------------------------------------------------------------------------------------

namespace {

Value updated(const Event& atomic, std::uint32_t old) {
    const auto operand = static_cast<std::uint32_t>(atomic.value);
    switch (*atomic.operation) {
    case AtomicOperation::add:
        return static_cast<std::uint32_t>(old + operand);
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
    case AtomicOperation::exch:
    case AtomicOperation::cas:
        break;
    }
    return operand;
}

} // namespace

Value Search::read(const Attempt& attempt, std::size_t event) const {
    return written(attempt, attempt.source[event]);
}

/// Ends, because no write comes before what it is made of: no value is out of thin air (8.10.4).
Value Search::written(const Attempt& attempt, std::size_t event) const {
    const Event& write = events_[event];
    if (write.copied_from != none) {
        return read(attempt, write.copied_from);
    }
    if (attempt.failed[event]) {
        return read(attempt, event);
    }
    return write.operation ? updated(write, static_cast<std::uint32_t>(read(attempt, event))) : write.value;
}

/// Nothing if a value is not what it was taken for.
std::optional<Outcome> Search::outcome(const Attempt& attempt) const {
    Outcome outcome;
    for (std::size_t event = 0; event < events_.size(); ++event) {
        const Event& each = events_[event];
        const bool answers = each.awaited || each.parity;
        if (each.awaited && attempt.answers[event] == 1 && read(attempt, event) != *each.awaited) {
            return std::nullopt;
        }
        if (each.operation == AtomicOperation::cas && (read(attempt, event) != each.compare) != attempt.failed[event]) {
            return std::nullopt;
        }
        if (each.result) {
            outcome[*each.result].insert(answers ? attempt.answers[event] : read(attempt, event));
        }
    }
    return outcome;
}

std::optional<Exploration> Search::explore() {
    if (!code_.time.acyclic()) {
        found_.stuck = true;
        return found_;
    }
    choose_trigger({code_.base,
                    code_.time,
                    std::vector<std::size_t>(events_.size(), none),
                    {},
                    {},
                    std::vector<Value>(events_.size(), other_value)},
                   0);
    if (undefined_ || found_.attempts > limit_) {
        return std::nullopt;
    }
    return found_;
}

std::optional<Exploration> explore(const Program& program, const Plan& plan, std::size_t limit) {
    const std::optional<Code> code = spell_out(program, plan);
    return code ? Search(plan, *code, limit).explore() : std::nullopt;
}

} // namespace pdlcts::twin
