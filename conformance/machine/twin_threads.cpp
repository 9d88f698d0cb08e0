// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin_builder.hpp"

#include <algorithm>
#include <variant>

namespace pdlcts::twin {

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

} // namespace pdlcts::twin
