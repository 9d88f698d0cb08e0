// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"

#include "conformance/litmus/text.hpp"
#include "conformance/litmus/words.hpp"

namespace pdlcts {

namespace {

std::string print_duration(std::uint64_t nanoseconds) {
    for (const auto& unit : time_units) {
        if (nanoseconds != 0 && nanoseconds % unit.value == 0) {
            return std::to_string(nanoseconds / unit.value) + std::string(unit.word);
        }
    }
    return std::to_string(nanoseconds) + "ns";
}

std::string qualifier(std::string_view word) {
    return std::string(".").append(word);
}

std::string print_strength(Ordering ordering, Scope scope) {
    return qualifier(spell(all_orderings, ordering)) +
           (ordering == Ordering::weak ? "" : qualifier(spell(scopes, scope)));
}

std::string print_result(const std::string& result) {
    return " -> " + result;
}

std::string print_element(const Element& element) {
    return element.location + (element.index ? "[" + std::to_string(*element.index) + "]" : "") +
           (element.rank ? "@" + std::to_string(*element.rank) : "");
}

/// One lane stands for itself, several stand in braces.
std::string braced(std::size_t lanes, const std::string& list) {
    return lanes == 1 ? list : "{" + list + "}";
}

std::string print_lanes(std::size_t lanes) {
    return lanes == 1 ? "" : ".v" + std::to_string(lanes);
}

std::string print_instruction(const Trigger&) {
    return "trigger";
}
std::string print_instruction(const Wait&) {
    return "wait";
}
std::string print_instruction(const Exit&) {
    return "exit";
}
std::string print_instruction(const Barrier& barrier) {
    return std::string(barrier.arrive ? "bar.arrive" : "bar.sync") +
           (barrier.number == 0 ? "" : " " + std::to_string(barrier.number) + ", " + std::to_string(barrier.threads));
}
std::string print_instruction(const ClusterArrive& arrive) {
    return "barrier.cluster.arrive" + qualifier(spell(all_orderings, arrive.ordering));
}
std::string print_instruction(const ClusterWait&) {
    return "barrier.cluster.wait.acquire";
}
std::string print_instruction(const ProxyFence&) {
    return "fence.proxy.async";
}
std::string print_instruction(const MbarrierArrive& arrive) {
    return std::string("mbarrier.arrive") + (arrive.expected_bytes ? ".expect_tx" : "") + ".release" +
           qualifier(spell(scopes, arrive.scope)) + " " + print_element(arrive.mbarrier) +
           (arrive.expected_bytes ? ", " + std::to_string(*arrive.expected_bytes) : "");
}
std::string print_instruction(const MbarrierWait& wait) {
    return "mbarrier.wait.acquire" + qualifier(spell(scopes, wait.scope)) + " " + wait.mbarrier + ", " +
           std::to_string(wait.parity) + (wait.result ? print_result(*wait.result) : "") + " within " +
           print_duration(wait.within_nanoseconds);
}
std::string print_instruction(const BulkCopy& copy) {
    return std::string("cp.async.bulk.") + (copy.into_shared() ? "shared.global " : "global.shared ") +
           copy.destination + ", " + copy.source + (copy.mbarrier ? ", " + *copy.mbarrier : "");
}
std::string print_instruction(const BulkCommit&) {
    return "cp.async.bulk.commit_group";
}
std::string print_instruction(const BulkWait& wait) {
    return std::string("cp.async.bulk.wait_group") + (wait.read ? ".read " : " ") + std::to_string(wait.pending);
}
std::string print_instruction(const Fence& fence) {
    return "fence" + print_strength(fence.ordering, fence.scope);
}

std::string print_instruction(const Load& load) {
    const std::string cache =
        load.cache == CacheOperator::unspecified ? "" : qualifier(spell(cache_operators, load.cache));
    return "ld" + print_strength(load.ordering, load.scope) + cache + print_lanes(load.results.size()) + " " +
           print_element(load.element) + print_result(braced(load.results.size(), join(load.results)));
}

std::string print_instruction(const Store& store) {
    return "st" + print_strength(store.ordering, store.scope) + print_lanes(store.values.size()) + " " +
           print_element(store.element) + ", " + braced(store.values.size(), join(store.values, print_number));
}

std::string print_instruction(const Atomic& atomic) {
    return (atomic.result ? "atom" : "red") + print_strength(atomic.ordering, atomic.scope) +
           qualifier(spell(atomic_operations, atomic.operation)) + " " + print_element(atomic.element) + ", " +
           (atomic.operation == AtomicOperation::cas ? std::to_string(atomic.compare) + ", " : "") +
           std::to_string(atomic.operand) + (atomic.result ? print_result(*atomic.result) : "");
}

std::string print_instruction(const Await& await) {
    return "await " + print_element(await.element) + " == " + std::to_string(await.value) +
           (await.result ? print_result(*await.result) : "") + " within " + print_duration(await.within_nanoseconds);
}

std::string print_instruction(const Delay& delay) {
    return "delay " + print_duration(delay.nanoseconds);
}

std::string print_host_instruction(const HostRead& read) {
    return "read " + print_element(read.element) + print_result(read.result);
}
std::string print_host_instruction(const HostWrite& write) {
    return "write " + print_element(write.element) + ", " + std::to_string(write.value);
}

} // namespace

std::string print(const Instruction& instruction) {
    return std::visit([](const auto& each) { return print_instruction(each); }, instruction);
}

std::string print(const HostInstruction& instruction) {
    return std::visit([](const auto& each) { return print_host_instruction(each); }, instruction);
}

std::string print(const Element& element) {
    return print_element(element);
}

} // namespace pdlcts
