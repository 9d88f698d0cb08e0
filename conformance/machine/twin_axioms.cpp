// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin_search.hpp"

#include <algorithm>

namespace pdlcts::twin {

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

namespace {

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

} // namespace

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

} // namespace pdlcts::twin
