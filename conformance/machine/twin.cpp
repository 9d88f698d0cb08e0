// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin.hpp"

#include "conformance/machine/twin_events.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace pdlcts::twin {
namespace {

using Relation = std::vector<Events>;

/// An execution, as far as it has been chosen.
struct Attempt {
    Order base;
    Order time;
    std::vector<std::size_t> source; ///< what each read reads from; none: not chosen yet, or nothing
    Events failed;                   ///< atom.cas that find another value than theirs
    Events writeless;                ///< and store nothing
    std::vector<Value> answers;      ///< of waits at mbarriers and of await
};

/// An mbarrier while its operations are put in an order.
struct Phases {
    std::vector<std::vector<std::size_t>> complete; ///< the operations of each phase
    std::vector<std::size_t> current;
    unsigned arrived = 0;
    long bytes = 0;
};

class Search {
public:
    Search(const Plan& plan, const Code& code, std::size_t limit);
    std::optional<Exploration> explore();

private:
    // Choices, one after the other.
    void choose_trigger(const Attempt& attempt, std::size_t block);
    void order_mbarrier(const Attempt& attempt, std::size_t index, const Phases& phases, std::size_t last);
    void choose_wait(const Attempt& attempt, std::size_t index, const Phases& phases, std::size_t wait);
    void choose_failures(const Attempt& attempt, std::size_t event);
    void choose_source(const Attempt& attempt, std::size_t event);
    void finish(const Attempt& attempt);

    // Relations that hold in every execution.
    bool in_program_order(std::size_t earlier, std::size_t later) const;
    bool includes(std::size_t event, std::size_t other) const;
    bool reaches(std::size_t fence, std::size_t dependent) const;
    bool is_morally_strong(std::size_t left, std::size_t right) const;

    // Relations of one execution.
    bool writes(const Attempt& attempt, std::size_t event) const {
        return events_[event].writes && !attempt.writeless[event];
    }
    Relation synchronize(Attempt& attempt) const;
    bool is_proxy_preserved(const Attempt& attempt, std::size_t earlier, std::size_t later) const;
    Relation causality(const Attempt& attempt, const Relation& observed) const;

    // Axioms.
    bool is_consistent(Attempt& attempt);
    bool has_fence_order(Attempt attempt);
    bool has_coherence(const Attempt& attempt, const Relation& causes, Order coherence, std::size_t element) const;
    bool is_coherent(const Attempt& attempt, const Relation& causes, const Order& coherence, std::size_t element) const;

    // Values.
    Value read(const Attempt& attempt, std::size_t event) const;
    Value written(const Attempt& attempt, std::size_t event) const;
    std::optional<Outcome> outcome(const Attempt& attempt) const;

    const Plan& plan_;
    const Code& code_;
    const std::vector<Event>& events_;
    std::size_t limit_;
    Relation morally_strong_;
    std::vector<std::vector<std::size_t>> accesses_;                ///< of each element
    std::vector<std::vector<std::size_t>> release_starts_;          ///< of patterns that end in this write
    std::vector<std::vector<std::size_t>> acquire_ends_;            ///< of patterns that start with this read
    std::vector<std::pair<std::size_t, std::size_t>> fence_orders_; ///< pairs that Fence-SC order relates
    Exploration found_;
    bool undefined_ = false;
};

// ---- what holds in every execution ---------------------------------------------------------------------------------

bool Search::in_program_order(std::size_t earlier, std::size_t later) const {
    return events_[earlier].thread != none && events_[earlier].thread == events_[later].thread &&
           events_[earlier].step < events_[later].step;
}

/// Whether the scope of an event includes the thread of another (8.5; memory synchronization domains: PG-MSD).
bool Search::includes(std::size_t event, std::size_t other) const {
    const Event& one = events_[event];
    const Event& two = events_[other];
    if (one.scope == Scope::sys || one.block == none || two.block == none) {
        return one.scope == Scope::sys;
    }
    return one.scope == Scope::cta       ? one.block == two.block
           : one.scope == Scope::cluster ? one.cluster == two.cluster
                                         : one.gpu_scope == two.gpu_scope;
}

/// Whether a fence that precedes the trigger is of a scope that includes the threads of a dependent grid.
bool Search::reaches(std::size_t fence, std::size_t dependent) const {
    const Event& each = events_[fence];
    return code_.gpu_scopes[dependent] &&
           (each.scope == Scope::sys || (each.scope == Scope::gpu && each.gpu_scope == *code_.gpu_scopes[dependent]));
}

/// 8.7. Every access of an element is as wide as the element.
bool Search::is_morally_strong(std::size_t left, std::size_t right) const {
    const Event& one = events_[left];
    const Event& two = events_[right];
    if (left == right || one.issue != none || two.issue != none || one.unconstrained || two.unconstrained) {
        return false;
    }
    if (one.element != none && two.element != none && one.element != two.element) {
        return false;
    }
    return in_program_order(left, right) || in_program_order(right, left) ||
           (one.strong && two.strong && includes(left, right) && includes(right, left));
}

Search::Search(const Plan& plan, const Code& code, std::size_t limit)
    : plan_(plan), code_(code), events_(code.events), limit_(limit), morally_strong_(events_.size()),
      release_starts_(events_.size()), acquire_ends_(events_.size()) {
    for (std::size_t event = 0; event < events_.size(); ++event) {
        const Event& each = events_[event];
        if (each.element != none) {
            accesses_.resize(std::max(accesses_.size(), each.element + 1));
            accesses_[each.element].push_back(event);
        }
        for (std::size_t other = 0; other < events_.size(); ++other) {
            morally_strong_[event][other] = is_morally_strong(event, other);
            const Event& another = events_[other];
            const bool same = other == event;
            const bool on_element = another.element == each.element;
            // 8.8
            if (each.writes && each.strong && ((another.releases && on_element) || (another.fence && !same)) &&
                (same || in_program_order(other, event))) {
                release_starts_[event].push_back(other);
            }
            if (each.reads && each.strong && !each.reduction &&
                ((another.acquires && on_element) || (another.fence && !same)) &&
                (same || in_program_order(event, other))) {
                acquire_ends_[event].push_back(other);
            }
            if (event < other && each.sequential && another.sequential && morally_strong_[event][other]) {
                fence_orders_.emplace_back(event, other);
            }
        }
    }
}

// ---- relations of one execution ------------------------------------------------------------------------------------

/// Observation order (8.9.2): for each read the writes before it. And what it makes synchronize (8.9.4).
Relation Search::synchronize(Attempt& attempt) const {
    Relation observed(events_.size());
    for (std::size_t event = 0; event < events_.size(); ++event) {
        std::size_t reader = event;
        for (std::size_t from = attempt.source[event]; from != none && morally_strong_[from][reader];
             from = attempt.source[from]) {
            observed[event].set(from);
            for (const std::size_t release : release_starts_[from]) {
                for (const std::size_t acquire : acquire_ends_[event]) {
                    if (morally_strong_[release][acquire]) {
                        attempt.base.add(release, acquire);
                    }
                }
            }
            reader = from;
        }
    }
    return observed;
}

/// 8.9.5, extended to bulk copies: what is to be before one of their accesses has to be before the instruction, and
/// pass a proxy fence or a kernel boundary on the way unless it is a copy of the same block.
bool Search::is_proxy_preserved(const Attempt& attempt, std::size_t earlier, std::size_t later) const {
    const std::size_t issue = events_[later].issue;
    if (issue == none) {
        return attempt.base.before(earlier, later);
    }
    if (events_[earlier].issue != none && events_[earlier].block == events_[later].block) {
        return attempt.base.before(earlier, issue);
    }
    for (std::size_t event = 0; event < events_.size(); ++event) {
        if (events_[event].joins_proxies && attempt.base.before(earlier, event) && attempt.base.before(event, issue)) {
            return true;
        }
    }
    return false;
}

/// Causality order (8.9.5) of the accesses of each element.
Relation Search::causality(const Attempt& attempt, const Relation& observed) const {
    Relation causes(events_.size());
    for (const auto& accesses : accesses_) {
        for (const std::size_t later : accesses) {
            for (const std::size_t earlier : accesses) {
                if (is_proxy_preserved(attempt, earlier, later)) {
                    causes[earlier].set(later);
                    for (const std::size_t write : accesses) {
                        causes[write][later] = causes[write][later] || observed[earlier][write];
                    }
                }
            }
        }
    }
    return causes;
}

// ---- axioms --------------------------------------------------------------------------------------------------------

/// The axioms of 8.10 that speak of one location, for a coherence order that may still grow.
bool Search::is_coherent(const Attempt& attempt, const Relation& causes, const Order& coherence,
                         std::size_t element) const {
    Order per_location(events_.size());
    for (const std::size_t event : accesses_[element]) {
        const std::size_t from = attempt.source[event];
        const bool reads = from != none && !events_[event].unconstrained;
        if (reads && causes[event][from]) {
            return false; // causality, 1
        }
        if (reads && morally_strong_[from][event]) {
            per_location.add(from, event);
        }
        for (const std::size_t other : accesses_[element]) {
            if (in_program_order(event, other)) {
                per_location.add(event, other);
            }
            if (other == event || !writes(attempt, other)) {
                continue;
            }
            const bool strong = morally_strong_[event][other];
            const bool overwritten = reads && coherence.before(from, other);
            if (overwritten && (causes[other][event] || // causality, 2
                                (strong && events_[event].operation && writes(attempt, event) &&
                                 coherence.before(other, event)))) { // atomicity
                return false;
            }
            if (strong && (overwritten || (writes(attempt, event) && coherence.before(event, other)))) {
                per_location.add(event, other);
            }
        }
    }
    return coherence.acyclic() && per_location.acyclic();
}

/// Whether the morally strong writes of a location can be put in an order (8.9.6).
bool Search::has_coherence(const Attempt& attempt, const Relation& causes, Order coherence, std::size_t element) const {
    if (!is_coherent(attempt, causes, coherence, element)) {
        return false;
    }
    for (const std::size_t one : accesses_[element]) {
        for (const std::size_t two : accesses_[element]) {
            if (writes(attempt, one) && writes(attempt, two) && morally_strong_[one][two] &&
                !coherence.before(one, two) && !coherence.before(two, one)) {
                Order turned = coherence;
                turned.add(two, one);
                coherence.add(one, two);
                return has_coherence(attempt, causes, std::move(coherence), element) ||
                       has_coherence(attempt, causes, std::move(turned), element);
            }
        }
    }
    return true;
}

/// Coherence order as far as causality order decides it: the coherence axiom (8.10.1).
Order caused(const std::vector<Event>& events, const Relation& causes, const Events& writeless,
             const std::vector<std::size_t>& accesses) {
    Order coherence(events.size());
    for (const std::size_t one : accesses) {
        for (const std::size_t two : accesses) {
            if (causes[one][two] && events[one].writes && events[two].writes && !writeless[one] && !writeless[two]) {
                coherence.add(one, two);
            }
        }
    }
    return coherence;
}

/// Whether nothing has been chosen yet that contradicts an axiom. More choices never mend that.
bool Search::is_consistent(Attempt& attempt) {
    ++found_.attempts;
    const Relation observed = synchronize(attempt);
    if (!attempt.base.acyclic() || !attempt.time.acyclic()) {
        return false;
    }
    const Relation causes = causality(attempt, observed);
    for (std::size_t element = 0; element < accesses_.size(); ++element) {
        if (!is_coherent(attempt, causes, caused(events_, causes, attempt.writeless, accesses_[element]), element)) {
            return false;
        }
    }
    return true;
}

/// Puts the fences that Fence-SC order relates (8.9.3) in an order that does not contradict causality order (8.10.2).
bool Search::has_fence_order(Attempt attempt) {
    if (!is_consistent(attempt)) {
        return false;
    }
    for (const auto& [one, two] : fence_orders_) {
        if (!attempt.base.before(one, two) && !attempt.base.before(two, one)) {
            Attempt turned = attempt;
            turned.base.add(two, one);
            attempt.base.add(one, two);
            return has_fence_order(std::move(attempt)) || has_fence_order(std::move(turned));
        }
    }
    const Relation causes = causality(attempt, synchronize(attempt));
    for (std::size_t element = 0; element < accesses_.size(); ++element) {
        if (!has_coherence(attempt, causes, caused(events_, causes, attempt.writeless, accesses_[element]), element)) {
            return false;
        }
    }
    return true;
}

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

} // namespace

std::optional<Exploration> explore(const Program& program, const Plan& plan, std::size_t limit) {
    const std::optional<Code> code = spell_out(program, plan);
    return code ? Search(plan, *code, limit).explore() : std::nullopt;
}

} // namespace pdlcts::twin
