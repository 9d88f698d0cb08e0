// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/twin.hpp"
#include "conformance/machine/twin_events.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

/// The search of the twin: choices one after the other (twin.cpp), and what PTX's memory model says of an execution
/// (twin_axioms.cpp).
namespace pdlcts::twin {

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

} // namespace pdlcts::twin
