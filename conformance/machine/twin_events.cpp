// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin_events.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <variant>

namespace pdlcts::twin {
namespace {

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

// ---- memory --------------------------------------------------------------------------------------------------------

std::pair<const Location&, bool> Builder::location(const Thread* thread, const std::string& name) const {
    const auto named = [&](const Location& each) { return each.name == name; };
    for (const auto* list : {&program_.memory, &program_.host_memory}) {
        if (const auto found = std::find_if(list->begin(), list->end(), named); found != list->end()) {
            return {*found, false};
        }
    }
    return {*std::find_if(thread->grid->shared.begin(), thread->grid->shared.end(), named), true};
}

/// The thread's own block, or the one of that rank in its cluster.
std::size_t Builder::block_of(const Thread* thread, const std::optional<unsigned>& rank) const {
    if (!rank) {
        return thread->place.block;
    }
    return thread->place.block - thread->block % thread->grid->cluster + *rank;
}

/// Gives each element a number of its own, and its initial write.
std::size_t Builder::element(const Thread* thread, const std::string& name, const std::optional<unsigned>& rank,
                             unsigned position) {
    const auto [found, shared] = location(thread, name);
    const std::size_t block = shared ? block_of(thread, rank) : none;
    const auto [entry, added] = element_.try_emplace({name, block, position}, elements_);
    if (added) {
        Event initial;
        initial.element = elements_++;
        initial.writes = true;
        initial.value = found.initial[position];
        both(add(initial), start_);
    }
    return entry->second;
}

std::size_t Builder::mbarrier(const Thread& thread, const std::string& name, const std::optional<unsigned>& rank) {
    const auto [entry, added] = mbarrier_.try_emplace({name, block_of(&thread, rank)}, code_.mbarriers.size());
    if (added) {
        const auto& all = thread.grid->mbarriers;
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
        code_.mbarriers.push_back({found->arrivals, {}, {}});
    }
    return entry->second;
}

Event Builder::access(const Thread& thread, const Element& element, Ordering ordering, Scope scope, unsigned lane) {
    Event event = next(thread);
    event.element = this->element(&thread, element.location, element.rank, element.position() + lane);
    event.strong = ordering != Ordering::weak;
    event.acquires = ordering == Ordering::acquire || ordering == Ordering::acq_rel;
    event.releases = ordering == Ordering::release || ordering == Ordering::acq_rel;
    event.scope = scope;
    return event;
}

// ---- threads -------------------------------------------------------------------------------------------------------

/// What follows in program order. Nothing else orders a thread's instructions but control points.
void Builder::step(Thread& thread, const std::vector<std::size_t>& events) {
    for (const std::size_t event : events) {
        both(code_.begin[thread.place.node], event);
        both(event, complete_[thread.place.node]);
        for (const std::size_t earlier : thread.last_step) {
            base_.emplace_back(earlier, event);
        }
        if (thread.last_control != none) {
            time_.emplace_back(thread.last_control, event);
        }
    }
    thread.last_step = events;
    thread.all.insert(thread.all.end(), events.begin(), events.end());
}

std::size_t Builder::control(Thread& thread, std::size_t event) {
    for (const std::size_t earlier : thread.all) {
        time_.emplace_back(earlier, event);
    }
    step(thread, {event});
    thread.last_control = event;
    return event;
}

/// All that wait at one use of a barrier leave it together: one event. Who only arrives comes before it.
void Builder::barrier(Thread& thread, const Barrier& barrier) {
    const auto [entry, added] = barrier_.try_emplace(
        {thread.place.block, barrier.number, thread.barriers_used[barrier.number]++}, code_.events.size());
    if (added) {
        point();
    }
    if (barrier.arrive) {
        both(control(thread), entry->second);
    } else {
        control(thread, entry->second);
    }
}

/// The copy's accesses are in no program order, but come after what precedes the instruction (8.9.1.1): that much in
/// time. What is before them in causality order is decided by the proxies.
void Builder::bulk_copy(Thread& thread, const BulkCopy& copy) {
    const std::size_t issue = control(thread);
    const Location& source = location(&thread, copy.source).first;
    const std::size_t complete = complete_[thread.place.node];
    Copy made;
    for (unsigned position = 0; position < source.elements(); ++position) {
        Event event;
        event.node = thread.place.node;
        event.block = thread.place.block;
        event.issue = issue;
        Event write = event;
        event.reads = true;
        event.element = element(&thread, copy.source, {}, position);
        const std::size_t read = add(event);
        write.writes = true;
        write.element = element(&thread, copy.destination, {}, position);
        write.copied_from = read;
        const std::size_t written = add(write);
        time_.emplace_back(issue, read);
        both(read, written);
        both(written, complete);
        made.reads.push_back(read);
        made.writes.push_back(written);
    }
    if (!copy.into_shared()) {
        thread.open_group.push_back(std::move(made));
        return;
    }
    Event end;
    end.mbarrier = mbarrier(thread, *copy.mbarrier, {});
    end.bytes = -static_cast<long>(source.bytes());
    const std::size_t ended = add(end);
    for (const std::size_t write : made.writes) {
        both(write, ended);
    }
    code_.mbarriers[end.mbarrier].operations.push_back(ended);
}

void Builder::bulk_wait(Thread& thread, const BulkWait& wait) {
    const std::size_t waited = control(thread);
    for (std::size_t group = 0; group + wait.pending < thread.groups.size(); ++group) {
        for (const Copy& copy : thread.groups[group]) {
            for (const std::size_t event : wait.read ? copy.reads : copy.writes) {
                both(event, waited);
            }
        }
    }
}

void Builder::instruction(Thread& thread, const Instruction& instruction) {
    std::visit(Overloaded{
                   [&](const Trigger&) {
                       const std::size_t event = control(thread);
                       code_.events[event].trigger = true;
                   },
                   [&](const Wait&) {
                       const std::size_t event = control(thread);
                       for (const Dependency& dependency : plan_.nodes[thread.place.node].dependencies) {
                           if (dependency.type == DependencyType::programmatic) {
                               both(complete_[dependency.upstream], event);
                           }
                       }
                   },
                   [](const Exit&) {},
                   [&](const Barrier& each) { barrier(thread, each); },
                   [&](const ClusterArrive& arrive) {
                       cluster_arrivals_[{thread.place.cluster, thread.cluster_arrivals++}].emplace_back(
                           control(thread), arrive.ordering == Ordering::release);
                   },
                   [&](const ClusterWait&) {
                       cluster_waits_[{thread.place.cluster, thread.cluster_waits++}].push_back(control(thread));
                   },
                   [&](const Fence& fence) {
                       Event event = next(thread);
                       event.fence = event.strong = true;
                       event.sequential = fence.ordering == Ordering::sc;
                       event.scope = fence.scope;
                       step(thread, {add(event)});
                   },
                   [&](const ProxyFence&) {
                       Event event = next(thread);
                       event.joins_proxies = true;
                       step(thread, {add(event)});
                   },
                   [&](const Load& load) {
                       std::vector<std::size_t> lanes;
                       for (unsigned lane = 0; lane < load.results.size(); ++lane) {
                           Event event = access(thread, load.element, load.ordering, load.scope, lane);
                           event.reads = true;
                           event.unconstrained = load.cache == CacheOperator::nc;
                           event.result = load.results[lane];
                           lanes.push_back(add(event));
                       }
                       step(thread, lanes);
                   },
                   [&](const Store& store) {
                       std::vector<std::size_t> lanes;
                       for (unsigned lane = 0; lane < store.values.size(); ++lane) {
                           Event event = access(thread, store.element, store.ordering, store.scope, lane);
                           event.writes = true;
                           event.value = store.values[lane];
                           lanes.push_back(add(event));
                       }
                       step(thread, lanes);
                   },
                   [&](const Atomic& atomic) {
                       Event event = access(thread, atomic.element, atomic.ordering, atomic.scope);
                       event.reads = event.writes = true;
                       event.reduction = !atomic.result;
                       event.operation = atomic.operation;
                       event.value = atomic.operand;
                       event.compare = atomic.compare;
                       event.result = atomic.result;
                       step(thread, {add(event)});
                   },
                   [&](const Await& await) {
                       if (await.result) {
                           Event event = access(thread, await.element, Ordering::relaxed, Scope::sys);
                           event.reads = true;
                           event.awaited = await.value;
                           event.result = await.result;
                           control(thread, add(event));
                       }
                   },
                   [&](const MbarrierArrive& arrive) {
                       Event event = next(thread);
                       event.releases = true;
                       event.scope = arrive.scope;
                       event.mbarrier = mbarrier(thread, arrive.mbarrier.location, arrive.mbarrier.rank);
                       event.bytes = arrive.expected_bytes.value_or(0);
                       code_.mbarriers[event.mbarrier].operations.push_back(control(thread, add(event)));
                   },
                   [&](const MbarrierWait& wait) {
                       if (wait.result) {
                           Event event = next(thread);
                           event.scope = wait.scope;
                           event.mbarrier = mbarrier(thread, wait.mbarrier, {});
                           event.parity = wait.parity;
                           event.result = wait.result;
                           code_.mbarriers[event.mbarrier].waits.push_back(control(thread, add(event)));
                       }
                   },
                   [&](const BulkCopy& copy) { bulk_copy(thread, copy); },
                   [&](const BulkCommit&) { thread.groups.push_back(std::exchange(thread.open_group, {})); },
                   [&](const BulkWait& wait) { bulk_wait(thread, wait); },
                   [](const Delay&) {},
               },
               instruction);
}

// ---- nodes ---------------------------------------------------------------------------------------------------------

void Builder::grid(std::size_t node, const Grid& grid) {
    for (const Agent& agent : grid.agents) {
        for (unsigned block = agent.blocks.first; block <= agent.blocks.last && !too_many(); ++block) {
            for (unsigned index = agent.threads.first; index <= agent.threads.last && !too_many(); ++index) {
                Thread thread;
                thread.grid = &grid;
                thread.block = block;
                thread.place.node = node;
                thread.place.block = first_block_[node] + block;
                thread.place.cluster = first_block_[node] + block / grid.cluster;
                thread.place.thread = threads_++;
                thread.place.gpu_scope = gpu_scope(grid);
                for (const Instruction& each : agent.instructions) {
                    instruction(thread, each);
                }
            }
        }
    }
    for (std::size_t block = 0; block < grid.blocks; ++block) {
        std::map<std::size_t, std::size_t> first; // by thread
        for (std::size_t event = 0; event < code_.events.size(); ++event) {
            if (code_.events[event].trigger && code_.events[event].block == first_block_[node] + block) {
                first.try_emplace(code_.events[event].thread, event);
            }
        }
        if (!first.empty()) {
            Triggers& triggers = code_.triggers.emplace_back();
            std::transform(first.begin(), first.end(), std::back_inserter(triggers),
                           [](const auto& each) { return each.second; });
        }
    }
}

Event Builder::host_place(std::size_t node) {
    Event place;
    place.node = node;
    place.thread = threads_++;
    return place;
}

void Builder::host_instruction(Thread& thread, const HostInstruction& instruction) {
    std::visit(Overloaded{[&](const HostRead& read) {
                              Event event = access(thread, read.element, Ordering::acquire, Scope::sys);
                              event.reads = true;
                              event.result = read.result;
                              step(thread, {add(event)});
                          },
                          [&](const HostWrite& write) {
                              Event event = access(thread, write.element, Ordering::release, Scope::sys);
                              event.writes = true;
                              event.value = write.value;
                              step(thread, {add(event)});
                          }},
               instruction);
}

/// memset and memcpy: weak writes of every element, unordered.
void Builder::whole_location(std::size_t node, const std::string& destination, const std::string* source, Value value) {
    for (unsigned position = 0; position < location(nullptr, destination).first.elements(); ++position) {
        Thread writer;
        writer.place = host_place(node);
        Event write = access(writer, {destination, position, {}}, Ordering::weak, Scope::sys);
        write.writes = true;
        write.value = value;
        if (source != nullptr) {
            Thread reader;
            reader.place = host_place(node);
            Event read = access(reader, {*source, position, {}}, Ordering::weak, Scope::sys);
            read.reads = true;
            write.copied_from = add(read);
            step(reader, {write.copied_from});
        }
        step(writer, {add(write)});
        if (source != nullptr) {
            time_.emplace_back(write.copied_from, writer.all.front());
        }
    }
}

/// When a node begins. Blocks have no events of their own: each begins as soon as it may, which keeps nothing from
/// coming late. So a block that has begun is its grid that has.
void Builder::depend(std::size_t node) {
    const std::size_t begin = code_.begin[node];
    std::size_t boundary = none;
    both(start_, begin);
    for (const Dependency& dependency : plan_.nodes[node].dependencies) {
        const std::size_t upstream = dependency.upstream;
        if (dependency.port == Port::full) {
            if (boundary == none) {
                boundary = point();
                code_.events[boundary].joins_proxies = true;
                both(boundary, begin);
            }
            both(complete_[upstream], boundary);
        } else if (dependency.type == DependencyType::programmatic) {
            time_.emplace_back(code_.begin[upstream], begin);
        }
        if (dependency.port == Port::programmatic) {
            // Blocks without a trigger exit; the others are decided at run time.
            for (std::size_t event = 0; event < code_.events.size(); ++event) {
                const Event& each = code_.events[event];
                if (each.node == upstream && each.issue == none &&
                    std::none_of(code_.triggers.begin(), code_.triggers.end(), [&](const Triggers& triggers) {
                        return code_.events[triggers.front()].block == each.block;
                    })) {
                    time_.emplace_back(event, begin);
                }
            }
        }
    }
}

void Builder::node(std::size_t node) {
    code_.begin.push_back(point());
    complete_.push_back(point());
    both(code_.begin[node], complete_[node]);
    first_block_.push_back(blocks_);
    depend(node);
    Thread host;
    host.place = host_place(node);
    code_.gpu_scopes.emplace_back();
    std::visit(Overloaded{[&](const Grid& each) {
                              code_.gpu_scopes.back() = gpu_scope(each);
                              blocks_ += each.blocks;
                              grid(node, each);
                          },
                          [&](const Memset& each) {
                              whole_location(node, each.location, nullptr,
                                             each.element(location(nullptr, each.location).first.width));
                          },
                          [&](const Memcpy& each) { whole_location(node, each.destination, &each.source, 0); },
                          [&](const HostFunction& each) {
                              for (const HostInstruction& instruction : each.instructions) {
                                  host_instruction(host, instruction);
                              }
                          },
                          [&](const HostRead& each) { host_instruction(host, each); },
                          [&](const HostWrite& each) { host_instruction(host, each); }, [](const auto&) {}},
               program_.operations[plan_.nodes[node].operation]);
}

std::optional<Code> Builder::code() {
    start_ = point();
    code_.events[start_].joins_proxies = true;
    for (std::size_t index = 0; index < plan_.nodes.size() && !too_many(); ++index) {
        node(index);
    }
    if (too_many()) {
        return std::nullopt;
    }
    for (const auto& [phase, waits] : cluster_waits_) {
        for (const auto& [arrival, releases] : cluster_arrivals_[phase]) {
            for (const std::size_t wait : waits) {
                time_.emplace_back(arrival, wait);
                if (releases) {
                    base_.emplace_back(arrival, wait);
                }
            }
        }
    }
    code_.base = code_.time = Order(code_.events.size());
    for (const auto& [earlier, later] : base_) {
        code_.base.add(earlier, later);
    }
    for (const auto& [earlier, later] : time_) {
        code_.time.add(earlier, later);
    }
    return std::move(code_);
}

} // namespace

std::optional<Code> spell_out(const Program& program, const Plan& plan) {
    return Builder(program, plan).code();
}

} // namespace pdlcts::twin
