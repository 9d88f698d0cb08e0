// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/small_program.hpp"

#include "conformance/machine/small_generator.hpp"

#include <algorithm>
#include <utility>

namespace pdlcts {

Scope SmallGenerator::scope() {
    return chance(narrow_) ? pick<Scope>({Scope::cta, Scope::cta, Scope::cluster})
                           : pick<Scope>({Scope::gpu, Scope::gpu, Scope::sys});
}

// ---- memory --------------------------------------------------------------------------------------------------------

void SmallGenerator::declare(std::vector<std::string> streams) {
    program_.streams = std::move(streams);
    const Width width = chance(15) ? pick<Width>({Width::u8, Width::u16}) : Width::u32;
    for (const std::string name : {"x", "y"}) {
        Location made{name, {0}, width, false};
        if (chance(15)) {
            made.array = true;
            made.initial.resize(2);
        }
        (width == Width::u32 && chance(10) ? program_.host_memory : program_.memory).push_back(std::move(made));
    }
}

/// Moves what is declared into shared memory.
void SmallGenerator::declare_shared(Grid& grid) {
    for (auto* list : {&program_.memory, &program_.host_memory}) {
        shared_.insert(shared_.end(), list->begin(), list->end());
        list->clear();
    }
    grid.shared = shared_;
    if (grid.cluster > 1 && chance(80)) {
        ranks_ = {0};
    }
}

const Location& SmallGenerator::location(const std::string& name) const {
    for (const auto* list : {&program_.memory, &program_.host_memory}) {
        for (const Location& each : *list) {
            if (each.name == name) {
                return each;
            }
        }
    }
    return *std::find_if(shared_.begin(), shared_.end(), [&](const Location& each) { return each.name == name; });
}

Element SmallGenerator::element(const std::string& name) {
    Element made{name, {}, {}};
    if (location(name).array) {
        made.index = chance(80) ? 0 : 1;
    }
    if (!ranks_.empty() && chance(95)) {
        made.rank = pick(ranks_);
    }
    return made;
}

// ---- instructions --------------------------------------------------------------------------------------------------

Instruction SmallGenerator::atomic(const std::string& name, bool with_result) {
    using Operation = AtomicOperation;
    Atomic made;
    made.scope = scope();
    made.element = element(name);
    made.operand = value();
    if (with_result) {
        made.ordering = pick<Ordering>({Ordering::relaxed, Ordering::acquire, Ordering::release, Ordering::acq_rel});
        made.operation =
            pick<Operation>({Operation::add, Operation::add, Operation::exch, Operation::min, Operation::max,
                             Operation::bit_or, Operation::bit_xor, Operation::cas, Operation::cas});
        made.compare = made.operation == Operation::cas ? pick<Value>({0, 0, 1}) : 0;
        made.result = result();
    } else {
        made.ordering = pick<Ordering>({Ordering::relaxed, Ordering::release});
        made.operation = pick<Operation>({Operation::add, Operation::add, Operation::min, Operation::max,
                                          Operation::bit_and, Operation::bit_or, Operation::bit_xor});
    }
    return made;
}

Instruction SmallGenerator::read(const std::string& name) {
    const bool word = location(name).width == Width::u32;
    if (chance(15)) {
        Await await{element(name), pick<Value>({1, 1, 2}), {}, 0};
        if (chance(85)) {
            await.result = result();
        }
        await.element.rank.reset();
        return await;
    }
    if (word && chance(15)) {
        return atomic(name, true);
    }
    Load load{ordering(Ordering::acquire), scope(), CacheOperator::unspecified, element(name), {result()}};
    if (location(name).array && chance(50)) {
        load.element.index = 0;
        load.results.push_back(result());
    }
    if (load.ordering == Ordering::weak) {
        load.scope = Load{}.scope;
        const bool global = shared_.empty() && !program_.memory.empty() &&
                            std::any_of(program_.memory.begin(), program_.memory.end(),
                                        [&](const Location& each) { return each.name == name; });
        load.cache = global && chance(10) ? CacheOperator::nc : CacheOperator::unspecified;
    }
    return load;
}

Instruction SmallGenerator::write(const std::string& name) {
    if (location(name).width == Width::u32 && chance(20)) {
        return atomic(name, false);
    }
    Store store{ordering(Ordering::release), scope(), element(name), {value()}};
    if (location(name).array && chance(50)) {
        store.element.index = 0;
        store.values.push_back(value());
    }
    if (store.ordering == Ordering::weak) {
        store.scope = Store{}.scope;
    }
    return store;
}

Instruction SmallGenerator::fence() {
    return Fence{pick<Ordering>({Ordering::acq_rel, Ordering::acq_rel, Ordering::sc}), scope()};
}

Instruction SmallGenerator::between() {
    switch (below(6)) {
    case 0:
        return Trigger{};
    case 1:
        return Wait{};
    default:
        return fence();
    }
}

Instruction SmallGenerator::strong(Instruction instruction) {
    std::visit(
        [](auto& access) {
            if constexpr (requires { access.ordering; }) {
                access.ordering = access.ordering == Ordering::weak ? Ordering::relaxed : access.ordering;
            }
            if constexpr (requires { access.cache; }) {
                access.cache = CacheOperator::unspecified;
            }
        },
        instruction);
    return instruction;
}

Instructions SmallGenerator::accesses(unsigned most) {
    Instructions made;
    for (unsigned count = below(most + 1); count > 0; --count) {
        made.push_back(access());
    }
    return made;
}

Instructions SmallGenerator::instructions(unsigned most) {
    Instructions made;
    for (unsigned count = most == 0 ? 0 : std::min(most, pick<unsigned>({0, 1, 1, 2, 2, 3, 3, 4})); count > 0;
         --count) {
        made.push_back(chance(memory_share_) ? access() : between());
    }
    return made;
}

// ---- grids ---------------------------------------------------------------------------------------------------------

Grid SmallGenerator::grid(const std::string& on, unsigned blocks, unsigned threads) {
    Grid made;
    made.name = "g" + std::to_string(program_.operations.size());
    made.stream = on;
    made.blocks = blocks;
    made.threads = threads;
    return made;
}

void SmallGenerator::add_agent(Grid& grid, unsigned block, unsigned thread, Instructions instructions) {
    grid.agents.push_back({{block, block}, {thread, thread}, std::move(instructions)});
}

/// Agents cover the grid's blocks and threads, alone or as classes; some threads belong to none.
void SmallGenerator::add_agents(Grid& grid) {
    const bool has_barriers = grid.threads > 1 && chance(40);
    const bool blocks_alike = chance(40);
    const bool threads_alike = chance(35);
    for (unsigned block = 0; block < grid.blocks; block += blocks_alike ? grid.blocks : 1) {
        for (unsigned thread = 0; thread < grid.threads; thread += threads_alike ? grid.threads : 1) {
            Agent agent{{block, blocks_alike ? grid.blocks - 1 : block},
                        {thread, threads_alike ? grid.threads - 1 : thread},
                        {}};
            const unsigned size = agent.blocks.size() * agent.threads.size();
            agent.instructions = instructions(left_ / size);
            left_ -= static_cast<unsigned>(agent.instructions.size()) * size;
            if (has_barriers) {
                const auto place = below(static_cast<unsigned>(agent.instructions.size()) + 1);
                agent.instructions.insert(agent.instructions.begin() + place, Barrier{});
            }
            if (chance(5)) {
                agent.instructions.emplace_back(Exit{});
            }
            grid.agents.push_back(std::move(agent));
        }
    }
}

/// A block whose shared memory others use has to outlive them: all blocks of a cluster end together.
void SmallGenerator::keep_clusters(Grid& grid) {
    for (unsigned block = 0; block < grid.blocks; ++block) {
        if (std::none_of(grid.agents.begin(), grid.agents.end(),
                         [&](const Agent& agent) { return agent.blocks.contains(block); })) {
            add_agent(grid, block, 0, {});
        }
    }
    for (Agent& agent : grid.agents) {
        agent.instructions.emplace_back(ClusterArrive{});
        agent.instructions.emplace_back(ClusterWait{});
    }
}

/// A last grid that reads what is left in memory.
void SmallGenerator::add_observer() {
    Instructions made;
    for (const auto* list : {&program_.memory, &program_.host_memory}) {
        for (const Location& each : *list) {
            Load load;
            load.element.location = each.name;
            load.element.index = each.array ? std::optional(0U) : std::nullopt;
            load.results = {result()};
            made.emplace_back(std::move(load));
        }
    }
    Grid observer = grid(program_.streams.front());
    observer.name = "observer";
    add_agent(observer, 0, 0, std::move(made));
    program_.operations.emplace_back(std::move(observer));
}

// ---- programs ------------------------------------------------------------------------------------------------------

Program SmallGenerator::program(Theme theme) {
    switch (theme) {
    case Theme::shape:
        shape();
        break;
    case Theme::barrier:
        barrier();
        break;
    case Theme::mbarrier:
        mbarrier();
        break;
    case Theme::bulk:
        bulk();
        break;
    case Theme::trigger:
        trigger();
        break;
    case Theme::event:
        events();
        break;
    case Theme::host:
        host();
        break;
    case Theme::anything:
        anything();
        break;
    }
    program_.claim.ends = true;
    return program_;
}

std::string_view name(Theme theme) {
    constexpr const char* names[] = {"shape", "barrier", "mbarrier", "bulk", "trigger", "event", "host", "anything"};
    return names[static_cast<std::size_t>(theme)];
}

Program small_random_program(std::mt19937& random, Theme theme, unsigned size) {
    return SmallGenerator(random, size).program(theme);
}

Program small_random_program(std::mt19937& random, unsigned size) {
    const auto theme = std::uniform_int_distribution<std::size_t>(0, std::size(all_themes) - 1)(random);
    return small_random_program(random, all_themes[theme], size);
}

} // namespace pdlcts
