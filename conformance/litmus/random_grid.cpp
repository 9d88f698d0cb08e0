// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/random_grid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace pdlcts {

namespace {

struct Candidate {
    Location location;
    bool global = false;
};

class GridGenerator {
public:
    GridGenerator(Chooser& choose, RandomNames& names, Grid& grid) : choose_(choose), names_(names), grid_(grid) {}
    void fill();

private:
    std::vector<Candidate> candidates(bool words_only, bool global_only, unsigned lanes) const;
    std::uint64_t duration() {
        return choose_.pick<std::uint64_t>({0, 1, 999, 1000, 1500, 50'000, 2'000'000, 1'000'000'000});
    }
    std::optional<std::string> maybe_result(bool of_class) {
        return choose_.chance(60) ? std::optional(random_register(names_, of_class)) : std::nullopt;
    }
    Scope scope() { return choose_.pick({Scope::cta, Scope::cluster, Scope::gpu, Scope::sys}); }

    Range range(unsigned size);
    void declare();
    void add_agent();
    Instruction load(bool of_class);
    Instruction store();
    Instruction atomic(bool of_class, bool reduction);
    Instruction await(bool of_class);
    Instruction memory_instruction(bool of_class);
    Instruction mbarrier_instruction(bool of_class);
    Instruction instruction(bool of_class);

    /// Each at a random place, in this order.
    void insert(Agent& agent, std::vector<Instruction> added);
    void insert_plain_barriers(Agent& agent);
    void insert_named_barriers();
    void insert_cluster_barriers();
    void insert_ranks(Agent& agent);
    void insert_bulk_copies(Agent& agent);

    Chooser& choose_;
    RandomNames& names_;
    Grid& grid_;
    unsigned barriers_ = 0;
};

std::uint32_t warps_of(const Agent& agent) {
    std::uint32_t warps = 0;
    for (unsigned thread = agent.threads.first; thread <= agent.threads.last; ++thread) {
        warps |= std::uint32_t{1} << (thread / 32);
    }
    return warps;
}

bool meet(const Range& left, const Range& right) {
    return left.contains(right.first) || right.contains(left.first);
}

Range GridGenerator::range(unsigned size) {
    const unsigned first = choose_.below(size);
    const unsigned last = choose_.chance(50) ? first : first + choose_.below(size - first);
    return choose_.chance(30) ? Range{0, size - 1} : Range{first, last};
}

std::vector<Candidate> GridGenerator::candidates(bool words_only, bool global_only, unsigned lanes) const {
    std::vector<Candidate> found;
    for (const std::vector<Location>* locations : {&names_.memory, &names_.host_memory, &grid_.shared}) {
        const bool global = locations == &names_.memory;
        for (const Location& location : *locations) {
            const bool fits = lanes == 1 || (location.array && location.elements() >= lanes);
            if (fits && (global || !global_only) && (!words_only || location.width == Width::u32)) {
                found.push_back({location, global});
            }
        }
    }
    return found;
}

Instruction GridGenerator::load(bool of_class) {
    Load load;
    load.ordering = choose_.pick({Ordering::weak, Ordering::relaxed, Ordering::acquire});
    if (load.ordering == Ordering::weak) {
        load.cache =
            choose_.pick({CacheOperator::unspecified, CacheOperator::ca, CacheOperator::cg, CacheOperator::nc});
    } else {
        load.scope = scope();
    }
    unsigned lanes = choose_.pick({1U, 1U, 2U, 4U});
    auto found = candidates(false, load.cache == CacheOperator::nc, lanes);
    if (found.empty()) {
        lanes = 1;
        found = candidates(false, load.cache == CacheOperator::nc, lanes);
    }
    if (found.empty()) {
        return Wait{};
    }
    load.element = random_element(choose_, choose_.pick(found).location);
    if (lanes > 1) {
        load.element.index = *load.element.index / lanes * lanes;
        const auto elements = std::find_if(found.begin(), found.end(), [&](const Candidate& each) {
                                  return each.location.name == load.element.location;
                              })->location.elements();
        if (*load.element.index + lanes > elements) {
            load.element.index = 0;
        }
    }
    for (unsigned lane = 0; lane < lanes; ++lane) {
        load.results.push_back(random_register(names_, of_class));
    }
    return load;
}

Instruction GridGenerator::store() {
    Store store;
    store.ordering = choose_.pick({Ordering::weak, Ordering::relaxed, Ordering::release});
    if (store.ordering != Ordering::weak) {
        store.scope = scope();
    }
    const Location location = choose_.pick(candidates(false, false, 1)).location;
    const unsigned lanes = choose_.pick({1U, 1U, 2U, 4U});
    store.element = random_element(choose_, location);
    const bool vector = lanes > 1 && location.array && location.elements() >= lanes;
    if (vector) {
        store.element.index = choose_.below(location.elements() / lanes) * lanes;
    }
    for (unsigned lane = 0; lane < (vector ? lanes : 1); ++lane) {
        store.values.push_back(random_value(choose_, location.width));
    }
    return store;
}

Instruction GridGenerator::atomic(bool of_class, bool reduction) {
    const auto found = candidates(true, false, 1);
    if (found.empty()) {
        return Trigger{};
    }
    Atomic atomic;
    using Operation = AtomicOperation;
    atomic.ordering = reduction
                          ? choose_.pick({Ordering::relaxed, Ordering::release})
                          : choose_.pick({Ordering::relaxed, Ordering::acquire, Ordering::release, Ordering::acq_rel});
    atomic.scope = scope();
    atomic.operation =
        reduction ? choose_.pick({Operation::add, Operation::min, Operation::max, Operation::bit_and, Operation::bit_or,
                                  Operation::bit_xor})
                  : choose_.pick({Operation::add, Operation::exch, Operation::min, Operation::max, Operation::bit_and,
                                  Operation::bit_or, Operation::bit_xor, Operation::cas, Operation::cas});
    atomic.element = random_element(choose_, choose_.pick(found).location);
    atomic.operand = random_value(choose_, Width::u32);
    if (atomic.operation == Operation::cas) {
        atomic.compare = random_value(choose_, Width::u32);
    }
    if (!reduction) {
        atomic.result = random_register(names_, of_class);
    }
    return atomic;
}

Instruction GridGenerator::await(bool of_class) {
    const Location location = choose_.pick(candidates(false, false, 1)).location;
    return Await{random_element(choose_, location), random_value(choose_, location.width), maybe_result(of_class),
                 duration()};
}

Instruction GridGenerator::memory_instruction(bool of_class) {
    switch (choose_.below(5)) {
    case 0:
        return load(of_class);
    case 1:
        return store();
    case 2:
        return atomic(of_class, true);
    case 3:
        return atomic(of_class, false);
    default:
        return await(of_class);
    }
}

Instruction GridGenerator::mbarrier_instruction(bool of_class) {
    const std::string& name = choose_.pick(grid_.mbarriers).name;
    const Scope scope = choose_.pick({Scope::cta, Scope::cluster});
    if (choose_.chance(50)) {
        return MbarrierWait{scope, name, choose_.below(2), maybe_result(of_class), duration()};
    }
    MbarrierArrive arrive{scope, {name, {}, {}}, {}};
    if (choose_.chance(50)) {
        arrive.expected_bytes = choose_.pick<std::uint32_t>({1, 16, 64, (1U << 20) - 1});
    }
    return arrive;
}

Instruction GridGenerator::instruction(bool of_class) {
    if (!candidates(false, false, 1).empty() && choose_.chance(60)) {
        return memory_instruction(of_class);
    }
    if (!grid_.mbarriers.empty() && choose_.chance(30)) {
        return mbarrier_instruction(of_class);
    }
    switch (choose_.below(6)) {
    case 0:
        return Trigger{};
    case 1:
        return Wait{};
    case 2:
        return Fence{choose_.pick({Ordering::acq_rel, Ordering::sc}), scope()};
    case 3:
        return ProxyFence{};
    case 4:
        return choose_.chance(50) ? Instruction{BulkCommit{}}
                                  : Instruction{BulkWait{choose_.pick({0U, 1U, 64U}), choose_.chance(50)}};
    default:
        return Delay{duration()};
    }
}

void GridGenerator::insert(Agent& agent, std::vector<Instruction> added) {
    auto& instructions = agent.instructions;
    std::size_t at = 0;
    for (Instruction& each : added) {
        at += choose_.below(instructions.size() - at + 1);
        instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(at), std::move(each));
        ++at;
    }
}

/// An agent that shares no thread with the others, if the first try finds one.
void GridGenerator::add_agent() {
    Agent agent{range(grid_.blocks), range(grid_.threads), {}};
    for (const Agent& other : grid_.agents) {
        if (meet(agent.blocks, other.blocks) && meet(agent.threads, other.threads)) {
            return;
        }
    }
    for (unsigned count = choose_.below(5); count > 0; --count) {
        agent.instructions.push_back(instruction(agent.is_class()));
    }
    insert(agent, std::vector<Instruction>(barriers_, Barrier{}));
    grid_.agents.push_back(std::move(agent));
}

/// One or two agents of the same blocks whose warps no other agent of these blocks is in.
void GridGenerator::insert_named_barriers() {
    for (unsigned number = 1; number <= 15 && choose_.chance(60); number += 1 + choose_.below(7)) {
        const std::size_t first = choose_.below(grid_.agents.size());
        const std::size_t second = choose_.below(grid_.agents.size());
        const bool alone = grid_.agents[first].blocks != grid_.agents[second].blocks;
        const std::set<std::size_t> users = alone ? std::set{first} : std::set{first, second};
        std::uint32_t warps = 0;
        std::uint32_t others = 0;
        for (std::size_t index = 0; index < grid_.agents.size(); ++index) {
            if (meet(grid_.agents[index].blocks, grid_.agents[first].blocks)) {
                (users.contains(index) ? warps : others) |= warps_of(grid_.agents[index]);
            }
        }
        if ((warps & others) != 0) {
            continue;
        }
        const auto threads = static_cast<unsigned>(std::popcount(warps)) * 32;
        const unsigned times = 1 + choose_.below(2);
        for (const std::size_t user : users) {
            for (unsigned count = 0; count < times; ++count) {
                insert(grid_.agents[user], {Barrier{number, threads, choose_.chance(40)}});
            }
        }
    }
}

void GridGenerator::insert_cluster_barriers() {
    const unsigned count = 1 + choose_.below(2);
    for (Agent& agent : grid_.agents) {
        std::vector<Instruction> added;
        for (unsigned barrier = 0; barrier < count; ++barrier) {
            added.emplace_back(ClusterArrive{choose_.pick({Ordering::release, Ordering::release, Ordering::relaxed})});
            added.emplace_back(ClusterWait{});
        }
        insert(agent, std::move(added));
    }
}

/// Accesses of other blocks, before the last cluster barrier that this one arrives at.
void GridGenerator::insert_ranks(Agent& agent) {
    const auto releases = [](const Instruction& each) { return each == Instruction{ClusterArrive{}}; };
    const auto last = std::find_if(agent.instructions.rbegin(), agent.instructions.rend(), releases);
    if (last == agent.instructions.rend()) {
        return;
    }
    const unsigned rank = choose_.below(grid_.cluster);
    Instruction access = Trigger{};
    if (!grid_.mbarriers.empty() && choose_.chance(50)) {
        access = MbarrierArrive{Scope::cluster, {choose_.pick(grid_.mbarriers).name, {}, rank}, {}};
    } else if (!grid_.shared.empty()) {
        const Location& location = choose_.pick(grid_.shared);
        Element element = random_element(choose_, location);
        element.rank = rank;
        if (location.width == Width::u32 && choose_.chance(40)) {
            access = Atomic{Ordering::relaxed, Scope::cluster, AtomicOperation::add, element, 1, 0, {}};
        } else if (choose_.chance(50)) {
            access = Store{Ordering::release, Scope::cluster, element, {random_value(choose_, location.width)}};
        } else {
            access = Load{Ordering::acquire,
                          Scope::cluster,
                          CacheOperator::unspecified,
                          element,
                          {random_register(names_, agent.is_class())}};
        }
    }
    const auto before = static_cast<std::size_t>(std::distance(last, agent.instructions.rend()));
    agent.instructions.insert(agent.instructions.begin() + static_cast<std::ptrdiff_t>(choose_.below(before)),
                              std::move(access));
}

void GridGenerator::insert_bulk_copies(Agent& agent) {
    for (const Location& shared : grid_.shared) {
        for (const Location& global : names_.memory) {
            const bool match = shared.array && global.array && shared.width == global.width &&
                               shared.elements() == global.elements() && shared.bytes() % 16 == 0;
            if (!match || choose_.chance(30)) {
                continue;
            }
            if (!grid_.mbarriers.empty() && choose_.chance(50)) {
                const std::string& mbarrier = choose_.pick(grid_.mbarriers).name;
                insert(agent, {BulkCopy{shared.name, global.name, mbarrier},
                               MbarrierWait{Scope::cta, mbarrier, choose_.below(2), maybe_result(false), duration()}});
            } else if (choose_.chance(50)) {
                insert(agent, {BulkCopy{global.name, shared.name, {}}, BulkCommit{}, BulkWait{0, choose_.chance(50)}});
            } else {
                insert(agent, {BulkCopy{global.name, shared.name, {}}, BulkCommit{}, BulkCommit{}, BulkWait{1, false}});
            }
        }
    }
}

void GridGenerator::declare() {
    for (const char* name : {"tile", "s_1", "flags"}) {
        if (choose_.chance(40)) {
            grid_.shared.push_back(random_location(choose_, name, false));
        }
    }
    for (const char* name : {"full", "empty"}) {
        if (choose_.chance(30)) {
            grid_.mbarriers.push_back({name, choose_.pick({1U, 2U, 32U, (1U << 20) - 1})});
        }
    }
}

void GridGenerator::fill() {
    declare();
    barriers_ = choose_.chance(70) ? 0 : 1 + choose_.below(2);
    for (unsigned tries = choose_.below(5); tries > 0; --tries) {
        add_agent();
    }
    if (grid_.agents.empty()) {
        return;
    }
    if (choose_.chance(30)) {
        insert_named_barriers();
    }
    const auto everywhere = [&](const Agent& agent) { return agent.blocks == Range{0, grid_.blocks - 1}; };
    if (choose_.chance(grid_.cluster > 1 ? 70 : 10)) {
        insert_cluster_barriers();
        if (grid_.cluster > 1 && std::any_of(grid_.agents.begin(), grid_.agents.end(), everywhere)) {
            std::for_each(grid_.agents.begin(), grid_.agents.end(), [&](Agent& agent) { insert_ranks(agent); });
        }
    }
    for (Agent& agent : grid_.agents) {
        if (agent.threads.size() == 1) {
            insert_bulk_copies(agent);
        }
        if (choose_.chance(15)) {
            agent.instructions.emplace_back(Exit{});
        }
    }
}

} // namespace

void fill_grid(Chooser& choose, RandomNames& names, Grid& grid) {
    GridGenerator(choose, names, grid).fill();
}

} // namespace pdlcts
