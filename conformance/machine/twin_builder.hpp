// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/twin_events.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// How a plan is spelled out as events: nodes (twin_events.cpp), and the threads of their grids (twin_threads.cpp).
namespace pdlcts::twin {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

/// A bulk copy's events.
struct Copy {
    std::vector<std::size_t> reads;
    std::vector<std::size_t> writes;
};

/// A thread while its instructions are spelled out.
struct Thread {
    const Grid* grid = nullptr;
    Event place;
    unsigned block = 0; ///< within its grid
    std::vector<std::size_t> all;
    std::vector<std::size_t> last_step;
    std::size_t last_control = none;
    std::map<unsigned, unsigned> barriers_used; ///< by their number
    unsigned cluster_arrivals = 0;
    unsigned cluster_waits = 0;
    std::vector<Copy> open_group;
    std::vector<std::vector<Copy>> groups;
};

class Builder {
public:
    Builder(const Program& program, const Plan& plan) : program_(program), plan_(plan) {}
    std::optional<Code> code();

private:
    bool too_many() const { return code_.events.size() > most_events; }
    std::size_t add(Event event) {
        code_.events.push_back(std::move(event));
        return code_.events.size() - 1;
    }
    void both(std::size_t earlier, std::size_t later) {
        base_.emplace_back(earlier, later);
        time_.emplace_back(earlier, later);
    }
    std::size_t point() { return add(Event{}); }

    void node(std::size_t node);
    void depend(std::size_t node);
    void grid(std::size_t node, const Grid& grid);
    Event host_place(std::size_t node);
    void host_instruction(Thread& thread, const HostInstruction& instruction);
    void whole_location(std::size_t node, const std::string& destination, const std::string* source, Value value);

    void instruction(Thread& thread, const Instruction& instruction);
    void step(Thread& thread, const std::vector<std::size_t>& events);
    std::size_t control(Thread& thread, std::size_t event);
    std::size_t control(Thread& thread) { return control(thread, add(next(thread))); }
    Event next(const Thread& thread) const {
        Event event = thread.place;
        event.step = thread.all.size();
        return event;
    }
    Event access(const Thread& thread, const Element& element, Ordering ordering, Scope scope, unsigned lane = 0);
    void barrier(Thread& thread, const Barrier& barrier);
    void bulk_copy(Thread& thread, const BulkCopy& copy);
    void bulk_wait(Thread& thread, const BulkWait& wait);

    /// A location, and whether it is in shared memory, of a grid's thread.
    std::pair<const Location&, bool> location(const Thread* thread, const std::string& name) const;
    std::size_t block_of(const Thread* thread, const std::optional<unsigned>& rank) const;
    std::size_t element(const Thread* thread, const std::string& name, const std::optional<unsigned>& rank,
                        unsigned position);
    std::size_t mbarrier(const Thread& thread, const std::string& name, const std::optional<unsigned>& rank);

    const Program& program_;
    const Plan& plan_;
    Code code_;
    Edges base_;
    Edges time_;
    std::size_t start_ = 0;
    std::vector<std::size_t> complete_;
    std::vector<std::size_t> first_block_; ///< of each node
    std::size_t blocks_ = 0;
    std::size_t threads_ = 0;
    std::size_t elements_ = 0;
    std::map<std::tuple<std::string, std::size_t, unsigned>, std::size_t> element_;
    std::map<std::pair<std::string, std::size_t>, std::size_t> mbarrier_;
    std::map<std::tuple<std::size_t, unsigned, unsigned>, std::size_t> barrier_;         ///< block, number, use
    std::map<std::pair<std::size_t, unsigned>, std::vector<std::size_t>> cluster_waits_; ///< cluster, phase
    std::map<std::pair<std::size_t, unsigned>, std::vector<std::pair<std::size_t, bool>>> cluster_arrivals_;
};

} // namespace pdlcts::twin
