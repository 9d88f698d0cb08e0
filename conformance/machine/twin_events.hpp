// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"

#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

/// A program and its plan spelled out as events, with what orders them in every execution.
namespace pdlcts::twin {

constexpr std::size_t most_events = 256;
using Events = std::bitset<most_events>;

constexpr std::size_t none = ~std::size_t{0};

/// An order of events, kept closed under transitivity.
class Order {
public:
    explicit Order(std::size_t events = 0) : after_(events) {}
    bool before(std::size_t earlier, std::size_t later) const { return after_[earlier][later]; }
    const Events& after(std::size_t event) const { return after_[event]; }
    bool acyclic() const { return acyclic_; }
    void add(std::size_t earlier, std::size_t later) {
        acyclic_ = acyclic_ && earlier != later && !before(later, earlier);
        if (!acyclic_ || before(earlier, later)) {
            return;
        }
        Events reached = after_[later];
        reached.set(later);
        for (std::size_t event = 0; event < after_.size(); ++event) {
            if (event == earlier || before(event, earlier)) {
                after_[event] |= reached;
            }
        }
    }

private:
    std::vector<Events> after_;
    bool acyclic_ = true;
};

/// A read or write of one element, a fence, or a point in a thread's or a grid's life.
struct Event {
    // Where. A barrier's event belongs to every thread that waits there, and names none.
    std::size_t node = none;
    std::size_t block = none; ///< none: a host thread's, or no thread's at all
    std::size_t cluster = none;
    std::size_t thread = none;
    std::size_t step = 0; ///< in program order; lanes of one access share it
    GpuScope gpu_scope;

    // What.
    std::size_t element = none; ///< of an access
    bool reads = false;
    bool writes = false;
    bool strong = false;
    bool acquires = false;
    bool releases = false;
    bool reduction = false;     ///< a red: its read is in no acquire pattern
    bool unconstrained = false; ///< ld.nc: outside of the model
    bool fence = false;
    bool sequential = false; ///< fence.sc
    bool trigger = false;
    bool joins_proxies = false; ///< orders generic accesses and bulk copies: a proxy fence, a kernel boundary
    Scope scope = Scope::sys;
    std::size_t issue = none; ///< of a bulk copy's access: the instruction

    // Values.
    Value value = 0; ///< a store's, an atomic's operand
    std::size_t copied_from = none;
    std::optional<AtomicOperation> operation;
    Value compare = 0;
    std::optional<Value> awaited;
    std::optional<std::string> result;

    // An operation on an mbarrier: an arrival, the end of a copy, or a wait.
    std::size_t mbarrier = none;
    long bytes = 0;
    std::optional<unsigned> parity;
};

struct Mbarrier {
    unsigned arrivals = 0;
    std::vector<std::size_t> operations; ///< arrivals and ends of copies
    std::vector<std::size_t> waits;
};

/// A block's triggers: the first one of each thread that has one.
using Triggers = std::vector<std::size_t>;

struct Code {
    std::vector<Event> events;
    Order base;                                      ///< base causality order, but for what is decided at run time
    Order time;                                      ///< of the steps of an execution
    std::vector<std::size_t> begin;                  ///< of each node
    std::vector<std::optional<GpuScope>> gpu_scopes; ///< of nodes that are grids
    std::vector<Triggers> triggers;
    std::vector<Mbarrier> mbarriers;
};

/// Nothing where there are more than `most_events`.
std::optional<Code> spell_out(const Program& program, const Plan& plan);

} // namespace pdlcts::twin
