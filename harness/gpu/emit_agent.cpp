// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/emit_agent.hpp"

#include "conformance/litmus/printer.hpp"
#include "harness/gpu/location_key.hpp"
#include "harness/gpu/stamps.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace pdlcts {
namespace {

/// `block <= 6`, `threadIdx.x == 0`; empty where every index is meant.
std::string in_range(std::string_view index, const Range& range, unsigned count) {
    if (range.first == 0 && range.last + 1 == count) {
        return "";
    }
    if (range.size() == 1) {
        return fmt::format("{} == {}", index, range.first);
    }
    if (range.first == 0) {
        return fmt::format("{} <= {}", index, range.last);
    }
    if (range.last + 1 == count) {
        return fmt::format("{} >= {}", index, range.first);
    }
    return fmt::format("{0} >= {1} && {0} <= {2}", index, range.first, range.last);
}

/// What a thread adds to the address of a register's first slot: nothing where the agent has one index.
std::string offset_of(std::string_view index, const Range& range, unsigned bytes) {
    if (range.size() == 1) {
        return "";
    }
    return range.first == 0 ? fmt::format(" + {}ull * {}", bytes, index)
                            : fmt::format(" + {}ull * ({} - {})", bytes, index, range.first);
}

/// The address of a thread's slot of a register.
std::string slot_of(const std::string& result, const Agent& agent, const Layout& layout) {
    constexpr unsigned word_bytes = sizeof(std::uint32_t);
    return fmt::format("record + {}", layout.result(result).first_word * word_bytes) +
           offset_of("block", agent.blocks, word_bytes * agent.threads.size()) +
           offset_of("threadIdx.x", agent.threads, word_bytes);
}

/// What an instruction accesses.
struct Accessed {
    std::string key; ///< location_key
    std::string address;
    AccessType type;
};

struct AgentEmitter {
    KernelText& out;
    const Agent& agent;
    const unsigned depth;
    AgentStamps stamps{out, depth};
    /// Results of loads and atomics. They are stored last: a store of what a load returned would wait for the load and
    /// so order it before the next instruction.
    std::vector<std::string> pending = {};
    /// What waits, at the end, for bulk copies that the agent did not see complete.
    std::vector<std::string> settling = {};
    /// Where a trial that measures leaves how long the polls took.
    std::vector<std::string> latencies = {};
    std::vector<std::string> times = {}; ///< variables of the agent's polls and delays, in order
    std::size_t next_time = 0;

    void call(const std::string& function, std::string_view arguments) {
        out.line(depth, fmt::format("{}({});", function, arguments));
    }

    void keep(const std::string& result, std::string_view expression) {
        out.line(depth, fmt::format("const word result_{} = {};", result, expression));
    }

    void store_result(const std::string& result, std::string_view word) {
        call(out.functions.store(Store{}), fmt::format("{}, {}", slot_of(result, agent, out.layout), word));
    }

    Accessed access(const Element& element, std::size_t lanes = 1) {
        const std::string key = location_key(out.grid, element.location);
        const bool shared = shared_location(out.grid, element.location) != nullptr;
        const Width width = out.layout.encoding.width(key);
        std::string address = "location_" + element.location;
        if (element.position() != 0) {
            address += fmt::format(" + {}", element.position() * bytes_of(width));
        }
        return {key,
                of_rank(element, address),
                {!shared        ? StateSpace::global
                 : element.rank ? StateSpace::cluster
                                : StateSpace::shared,
                 width, static_cast<unsigned>(lanes)}};
    }

    std::string of_rank(const Element& element, const std::string& address) {
        return element.rank ? fmt::format("{}({}, {})", out.functions.map_to_rank(), address, *element.rank) : address;
    }

    void operator()(const Trigger&) {
        stamps.before_trigger();
        call(out.functions.trigger(), "");
    }
    void operator()(const Wait&) {
        stamps.before_wait();
        call(out.functions.wait(), "");
        stamps.behind_wait();
    }
    void operator()(const Exit&) {} // every agent ends with the return that exits
    void operator()(const Barrier& barrier) { call(out.functions.barrier(barrier), ""); }
    void operator()(const ClusterArrive& arrive) { call(out.functions.cluster_arrive(arrive), ""); }
    void operator()(const ClusterWait&) { call(out.functions.cluster_wait(), ""); }
    void operator()(const Fence& fence) { call(out.functions.fence(fence), ""); }
    void operator()(const ProxyFence&) { call(out.functions.proxy_fence(), ""); }
    void operator()(const Load& load);
    void operator()(const Store& store);
    void operator()(const Atomic& atomic);
    void operator()(const Await& await);
    void operator()(const MbarrierArrive& arrive);
    void operator()(const MbarrierWait& wait);
    void operator()(const BulkCopy& copy);
    void operator()(const BulkCommit&) { call(out.functions.bulk_commit(), ""); }
    void operator()(const BulkWait& wait) { call(out.functions.bulk_wait(wait), ""); }
    void operator()(const Delay&) { call(out.functions.delay(), times.at(next_time++)); }

    void begin();
    std::string poll(const std::string& function, const std::string& arguments,
                     const std::optional<std::string>& result);

    bool fills(const std::string& mbarrier) const {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), [&](const Instruction& each) {
            const auto* copy = std::get_if<BulkCopy>(&each);
            return copy != nullptr && copy->mbarrier == mbarrier;
        });
    }
};

void AgentEmitter::operator()(const Load& load) {
    const Accessed accessed = access(load.element, load.results.size());
    const std::string function = out.functions.load(load, accessed.type);
    pending.insert(pending.end(), load.results.begin(), load.results.end());
    if (load.results.size() == 1) {
        keep(load.results.front(), fmt::format("{}({})", function, accessed.address));
        return;
    }
    std::string results;
    for (const std::string& result : load.results) {
        results += (results.empty() ? "result_" : ", result_") + result;
    }
    out.line(depth, fmt::format("word {};", results));
    call(function, accessed.address + ", " + results);
}

void AgentEmitter::operator()(const Store& store) {
    const Accessed accessed = access(store.element, store.values.size());
    std::string arguments = accessed.address;
    for (const Value value : store.values) {
        arguments += ", " + out.value(accessed.key, value);
    }
    call(out.functions.store(store, accessed.type), arguments);
}

void AgentEmitter::operator()(const Atomic& atomic) {
    const Accessed accessed = access(atomic.element);
    const std::uint32_t salt_mask = out.layout.encoding.salt_mask();
    const auto plain = static_cast<std::uint32_t>(atomic.operand);
    std::string arguments = accessed.address;
    switch (atomic.operation) {
    case AtomicOperation::add: // what is added is a difference, which the salt does not change
    case AtomicOperation::bit_or:
    case AtomicOperation::bit_xor:
        arguments += fmt::format(", {}u", plain);
        break;
    case AtomicOperation::bit_and: // ones keep the salt
        arguments += fmt::format(", {}u", plain | salt_mask);
        break;
    case AtomicOperation::cas:
        arguments += ", " + out.value(accessed.key, atomic.compare);
        [[fallthrough]];
    case AtomicOperation::exch:
    case AtomicOperation::min:
    case AtomicOperation::max:
        arguments += ", " + out.value(accessed.key, atomic.operand);
        break;
    }
    const std::string function = out.functions.atomic(atomic, accessed.type.space);
    if (!atomic.result) {
        call(function, arguments);
        return;
    }
    keep(*atomic.result, fmt::format("{}({})", function, arguments));
    pending.push_back(*atomic.result);
}

void AgentEmitter::operator()(const Await& await) {
    const Accessed accessed = access(await.element);
    poll(out.functions.await_equal(accessed.type),
         fmt::format("{}, {}", accessed.address, out.value(accessed.key, await.value)), await.result);
}

void AgentEmitter::operator()(const MbarrierArrive& arrive) {
    const StateSpace space = arrive.mbarrier.rank ? StateSpace::cluster : StateSpace::shared;
    std::string arguments = of_rank(arrive.mbarrier, "location_" + arrive.mbarrier.location);
    if (arrive.expected_bytes) {
        arguments += fmt::format(", {}u", *arrive.expected_bytes);
    }
    call(out.functions.mbarrier_arrive(arrive, space), arguments);
}

void AgentEmitter::operator()(const MbarrierWait& wait) {
    const std::string function = out.functions.mbarrier_wait(wait);
    const std::string arguments = fmt::format("location_{}, {}u", wait.mbarrier, wait.parity);
    const std::size_t number = next_time;
    const std::string complete = poll(function, arguments, wait.result);
    if (fills(wait.mbarrier)) {
        settling.push_back(fmt::format("if ({} == 0) {}({}, {}, elapsed_{});", complete, function, arguments,
                                       settling_nanoseconds, number));
    }
}

void AgentEmitter::operator()(const BulkCopy& copy) {
    const Element whole{copy.into_shared() ? copy.destination : copy.source, std::nullopt, std::nullopt};
    const Location& shared = *shared_location(out.grid, whole.location);
    std::string arguments = fmt::format("location_{}, location_{}, {}u", copy.destination, copy.source, shared.bytes());
    if (copy.into_shared()) {
        arguments += ", location_" + *copy.mbarrier;
    }
    call(out.functions.bulk_copy(copy), arguments);
}

/// The agent's times, from its trial's record.
void AgentEmitter::begin() {
    std::string late;
    const auto read = [&](const Timing& timing) {
        return fmt::format("{}(record + {})", out.functions.load(Load{}), timing.word * sizeof(std::uint32_t));
    };
    late = fmt::format("if (starts_late != 0) {}({});", out.functions.delay(), read(out.next_timing()));
    for (const Instruction& instruction : agent.instructions) {
        const bool is_delay = std::holds_alternative<Delay>(instruction);
        if (!is_delay && !std::holds_alternative<Await>(instruction) &&
            !std::holds_alternative<MbarrierWait>(instruction)) {
            continue;
        }
        const Timing& timing = out.next_timing();
        times.push_back(fmt::format("{}_{}", is_delay ? "time" : "within", times.size()));
        out.line(depth, fmt::format("const nanoseconds {} = {};", times.back(), read(timing)));
        if (!is_delay) {
            const std::size_t number = times.size() - 1;
            out.line(depth, fmt::format("nanoseconds elapsed_{} = 0;", number));
            latencies.push_back(fmt::format("{}(record + {}, satisfied_{}, elapsed_{})", out.functions.note_latency(),
                                            timing.latency_word * sizeof(std::uint32_t), number, number));
        }
    }
    out.line(depth, late);
    out.uses_record = true;
}

/// Emits a poll, whose arguments lack its bound, and returns the variable that says whether it was satisfied.
std::string AgentEmitter::poll(const std::string& function, const std::string& arguments,
                               const std::optional<std::string>& result) {
    const std::size_t number = next_time++;
    const std::string satisfied = fmt::format("satisfied_{}", number);
    out.line(depth, fmt::format("const word {} = {}({}, {}, elapsed_{});", satisfied, function, arguments,
                                times.at(number), number));
    if (result) {
        out.uses_salt = true;
        store_result(*result, "salt + " + satisfied);
    }
    return satisfied;
}

/// The element of an instruction that may be in another block's shared memory.
const Element* element_of(const Instruction& instruction) {
    return std::visit(
        [](const auto& each) -> const Element* {
            if constexpr (requires { each.element; }) {
                return &each.element;
            } else if constexpr (requires { each.mbarrier.rank; }) {
                return &each.mbarrier;
            } else {
                return nullptr;
            }
        },
        instruction);
}

} // namespace

void KernelText::line(unsigned depth, std::string_view content) {
    text.append(std::size_t{4} * depth, ' ');
    text += content;
    text += '\n';
}

const Timing& KernelText::next_timing() {
    std::size_t number = 0;
    for (const Timing& timing : layout.timings) {
        if (timing.grid == grid.name && number++ == timings) {
            ++timings;
            return timing;
        }
    }
    throw std::out_of_range("the layout of the program has no more timings for grid " + grid.name);
}

std::string KernelText::value(const std::string& location, Value value) {
    const Encoding& encoding = layout.encoding;
    if (encoding.is_raw(location, value)) {
        return fmt::format("{}u", value);
    }
    uses_salt = true;
    const Width width = encoding.width(location);
    if (width == Width::u32) {
        return fmt::format("salt + {}u", value);
    }
    return fmt::format("((salt >> {}) + {}u & {}u)", encoding.shift(location), value, largest_value_of(width));
}

bool reaches_other_blocks(const Grid& grid) {
    return std::any_of(grid.agents.begin(), grid.agents.end(), [](const Agent& agent) {
        return std::any_of(agent.instructions.begin(), agent.instructions.end(), [](const Instruction& each) {
            const Element* element = element_of(each);
            return element != nullptr && element->rank;
        });
    });
}

std::string condition_of(const Agent& agent, const Grid& grid) {
    const std::string blocks = in_range("block", agent.blocks, grid.blocks);
    const std::string threads = in_range("threadIdx.x", agent.threads, grid.threads);
    return blocks + (blocks.empty() || threads.empty() ? "" : " && ") + threads;
}

void emit_agent(KernelText& out, const Agent& agent) {
    out.line(1, "// " + print_header(agent, out.grid) + ":");
    const std::string condition = condition_of(agent, out.grid);
    out.line(1, condition.empty() ? "{" : fmt::format("if ({}) {{", condition));
    AgentEmitter emitter{out, agent, 2};
    emitter.begin();
    for (const Instruction& instruction : agent.instructions) {
        out.line(2, "// " + print(instruction));
        std::visit(emitter, instruction);
    }
    for (const std::string& result : emitter.pending) {
        emitter.store_result(result, "result_" + result);
    }
    if (!emitter.settling.empty()) {
        out.line(2, "// The block must not leave while a bulk copy still writes its shared memory.");
    }
    for (const std::string& poll : emitter.settling) {
        out.line(2, poll);
    }
    for (const std::string& latency : emitter.latencies) {
        out.line(2, fmt::format("if (measures != 0) {};", latency));
    }
    emitter.stamps.finish();
    out.line(2, "return;");
    out.line(1, "}");
}

} // namespace pdlcts
