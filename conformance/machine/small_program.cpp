// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/small_program.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace pdlcts {
namespace {

class Generator {
public:
    Generator(std::mt19937& random, unsigned size) : random_(random), left_(size) {}
    Program program();

private:
    unsigned below(unsigned size) { return std::uniform_int_distribution<unsigned>(0, size - 1)(random_); }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <typename T>
    T pick(const std::vector<T>& choices) {
        return choices[below(static_cast<unsigned>(choices.size()))];
    }

    const std::string& stream() { return program_.streams[below(static_cast<unsigned>(program_.streams.size()))]; }
    const std::string& location() { return program_.memory[below(static_cast<unsigned>(program_.memory.size()))].name; }
    std::string result() { return "r" + std::to_string(results_++); }
    /// Mostly values that tell the writes apart.
    Value value() { return chance(70) ? ++values_ : 1; }
    Scope scope() { return chance(block_scope_) ? Scope::cta : pick<Scope>({Scope::gpu, Scope::gpu, Scope::sys}); }
    std::string event() { return pick<std::string>({"e", "f"}); }

    Ordering ordering(Ordering synchronising) {
        return chance(weak_) ? Ordering::weak : (chance(50) ? Ordering::relaxed : synchronising);
    }
    Instruction read(const std::string& location);
    Instruction write(const std::string& location);
    Instruction memory_instruction();
    Instruction between();
    Instruction instruction();
    std::vector<Instruction> instructions(unsigned most);
    void add_agents(Grid& grid);
    Grid grid();
    void add_observer();

    void declare(const std::vector<std::string>& locations, const std::vector<std::string>& streams);
    void anything();
    void shape();
    std::vector<Instruction> around_a_trigger(unsigned most);
    Grid primary(const std::string& on);
    Grid secondary(const std::string& on);
    void triggers();
    void events();

    std::mt19937& random_;
    unsigned left_;
    unsigned memory_share_ = 0; ///< percent
    unsigned block_scope_ = 0;  ///< percent
    unsigned weak_ = 33;        ///< percent
    unsigned results_ = 0;
    Value values_ = 0;
    Program program_;
};

Instruction Generator::read(const std::string& location) {
    if (chance(15)) {
        return Await{location, pick<Value>({1, 1, 2}), chance(85) ? std::optional(result()) : std::nullopt, 0};
    }
    if (chance(15)) {
        return Atomic{pick<Ordering>({Ordering::relaxed, Ordering::acquire, Ordering::release, Ordering::acq_rel}),
                      scope(),
                      pick<AtomicOperation>(
                          {AtomicOperation::add, AtomicOperation::exch, AtomicOperation::min, AtomicOperation::max}),
                      location,
                      value(),
                      result()};
    }
    Load load{ordering(Ordering::acquire), scope(), CacheOperator::unspecified, location, result()};
    if (load.ordering == Ordering::weak) {
        load.scope = Load{}.scope;
        load.cache = chance(10) ? CacheOperator::nc : CacheOperator::unspecified;
    }
    return load;
}

Instruction Generator::write(const std::string& location) {
    if (chance(20)) {
        return Atomic{pick<Ordering>({Ordering::relaxed, Ordering::release}),
                      scope(),
                      pick<AtomicOperation>({AtomicOperation::add, AtomicOperation::min, AtomicOperation::max}),
                      location,
                      value(),
                      {}};
    }
    Store store{ordering(Ordering::release), scope(), location, value()};
    if (store.ordering == Ordering::weak) {
        store.scope = Store{}.scope;
    }
    return store;
}

Instruction Generator::memory_instruction() {
    return chance(50) ? read(location()) : write(location());
}

Instruction Generator::between() {
    switch (below(5)) {
    case 0:
        return Trigger{};
    case 1:
        return Wait{};
    default:
        return Fence{pick<Ordering>({Ordering::acq_rel, Ordering::acq_rel, Ordering::sc}), scope()};
    }
}

Instruction Generator::instruction() {
    return chance(memory_share_) ? memory_instruction() : between();
}

std::vector<Instruction> Generator::instructions(unsigned most) {
    std::vector<Instruction> made;
    for (unsigned count = most == 0 ? 0 : std::min(most, pick<unsigned>({0, 1, 1, 2, 2, 3, 3, 4})); count > 0;
         --count) {
        made.push_back(instruction());
    }
    return made;
}

/// Agents cover the grid's blocks and threads, alone or as classes; some threads belong to none.
void Generator::add_agents(Grid& grid) {
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

Grid Generator::grid() {
    Grid grid;
    grid.name = "g" + std::to_string(program_.operations.size());
    grid.blocks = pick<unsigned>({1, 1, 1, 2, 2, 3});
    grid.threads = pick<unsigned>({1, 1, 2});
    grid.stream = stream();
    if (chance(60)) {
        grid.pss = 1;
    }
    if (chance(program_.streams.size() > 1 ? 40 : 10)) {
        grid.programmatic_event = ProgrammaticEvent{event(), chance(50)};
    }
    if (chance(program_.streams.size() > 1 ? 20 : 5)) {
        grid.launch_completion_event = event();
        if (grid.programmatic_event && grid.programmatic_event->event == *grid.launch_completion_event) {
            grid.launch_completion_event.reset();
        }
    }
    add_agents(grid);
    return grid;
}

/// A last grid that reads what is left in memory.
void Generator::add_observer() {
    Agent agent{{0, 0}, {0, 0}, {}};
    for (const Location& location : program_.memory) {
        agent.instructions.push_back(
            Load{Ordering::weak, Load{}.scope, CacheOperator::unspecified, location.name, result()});
    }
    Grid grid;
    grid.name = "observer";
    grid.stream = program_.streams.front();
    grid.agents.push_back(std::move(agent));
    program_.operations.emplace_back(std::move(grid));
}

void Generator::declare(const std::vector<std::string>& locations, const std::vector<std::string>& streams) {
    for (const std::string& name : locations) {
        program_.memory.push_back({name, 0});
    }
    program_.streams = streams;
}

void Generator::anything() {
    const std::vector<std::string> names = {"x", "y", "z"};
    declare({names.begin(), names.begin() + pick<unsigned>({1, 2, 2, 3})},
            chance(25) ? std::vector<std::string>{"s", "t"} : std::vector<std::string>{only_stream});
    const unsigned grids = pick<unsigned>({1, 2, 2, 2, 3});
    memory_share_ = grids == 1 ? 90 : pick<unsigned>({50, 65, 80});
    block_scope_ = pick<unsigned>({0, 0, 30});
    for (unsigned made = 0; made < grids;) {
        if (program_.streams.size() > 1 && made > 0 && chance(40)) {
            if (chance(30)) {
                program_.operations.emplace_back(Record{event(), stream()});
            } else {
                program_.operations.emplace_back(WaitEvent{event(), stream()});
            }
        } else if (chance(8)) {
            program_.operations.emplace_back(Memset{location(), static_cast<std::uint8_t>(1 + below(2)), stream()});
        } else {
            program_.operations.emplace_back(grid());
            ++made;
        }
    }
    if (chance(40)) {
        add_observer();
    }
}

/// The textbook's shapes, their parts in up to two blocks of up to two threads: message passing, with an atomic in
/// between; store buffering; load buffering; atomics and stores of one word.
void Generator::shape() {
    declare({"x", "y"}, {only_stream});
    block_scope_ = pick<unsigned>({0, 0, 25});
    const std::string data = "x";
    const std::string flag = "y";
    std::vector<std::vector<Instruction>> parts;
    const auto part = [&](Instruction first, std::optional<Instruction> last) {
        parts.push_back({std::move(first)});
        if (last) {
            const unsigned many = pick<unsigned>({0, 1, 1});
            // A fence of block scope orders only where something else does.
            const bool kept_in_order = many > 0 && chance(block_scope_);
            for (unsigned count = 0; count < many + (kept_in_order ? 2 : 0); ++count) {
                parts.back().push_back(kept_in_order && count % 2 == 0 ? Instruction{Trigger{}} : between());
            }
            parts.back().push_back(std::move(*last));
        }
    };
    const auto strong = [&](Instruction instruction) {
        std::visit(
            [](auto& access) {
                if constexpr (requires { access.ordering; }) {
                    access.ordering = access.ordering == Ordering::weak ? Ordering::relaxed : access.ordering;
                }
            },
            instruction);
        return instruction;
    };
    switch (below(5)) {
    case 0:
    case 1:
        part(write(data), strong(write(flag)));
        part(strong(chance(10) ? write(flag) : read(flag)), read(data));
        if (chance(40)) {
            part(Atomic{Ordering::relaxed, scope(), AtomicOperation::add, flag, value(), result()}, std::nullopt);
        }
        break;
    case 2:
        part(write(data), read(flag));
        part(write(flag), read(data));
        break;
    case 3:
        part(read(data), write(flag));
        part(read(flag), write(data));
        break;
    default:
        for (unsigned count = 2 + below(2); count > 0; --count) {
            const Instruction atomic =
                Atomic{Ordering::relaxed, scope(), AtomicOperation::add, data, value(), result()};
            part(chance(60) ? atomic : write(data), std::nullopt);
        }
        part(write(data), chance(50) ? std::optional(read(data)) : std::nullopt);
    }
    Grid grid;
    grid.name = "g";
    grid.blocks = grid.threads = 2;
    std::vector<unsigned> places = {0, 1, 2, 3};
    std::shuffle(places.begin(), places.end(), random_);
    for (std::size_t index = 0; index < parts.size() && index < places.size(); ++index) {
        const unsigned block = places[index] / 2;
        const unsigned thread = places[index] % 2;
        grid.agents.push_back({{block, block}, {thread, thread}, parts[index]});
    }
    program_.operations.emplace_back(std::move(grid));
    if (chance(40)) {
        add_observer();
    }
}

/// What a primary's thread does, or a middle grid's: writes and fences before and behind triggers.
std::vector<Instruction> Generator::around_a_trigger(unsigned most) {
    std::vector<Instruction> made;
    for (unsigned count = std::min(most, 1 + below(4)); count > 0; --count) {
        switch (below(6)) {
        case 0:
        case 1:
            made.emplace_back(Trigger{});
            break;
        case 2:
            made.push_back(read("y"));
            break;
        case 3:
            made.emplace_back(Fence{pick<Ordering>({Ordering::acq_rel, Ordering::sc}), scope()});
            break;
        default:
            made.push_back(write("x"));
        }
    }
    if (chance(30) && made.size() + 2 <= most) {
        made.push_back(Fence{});
        made.emplace_back(Trigger{});
    }
    return made;
}

Grid Generator::primary(const std::string& on) {
    Grid grid;
    grid.name = "g" + std::to_string(program_.operations.size());
    grid.stream = on;
    grid.blocks = pick<unsigned>({1, 1, 2});
    grid.threads = pick<unsigned>({1, 2});
    for (unsigned block = 0; block < grid.blocks; ++block) {
        for (unsigned thread = 0; thread < grid.threads; ++thread) {
            std::vector<Instruction> made = around_a_trigger(left_ > 1 ? left_ - 1 : 0);
            left_ -= static_cast<unsigned>(made.size());
            grid.agents.push_back({{block, block}, {thread, thread}, std::move(made)});
        }
    }
    return grid;
}

Grid Generator::secondary(const std::string& on) {
    Grid grid;
    grid.name = "g" + std::to_string(program_.operations.size());
    grid.stream = on;
    std::vector<Instruction> made;
    for (unsigned count = 1 + below(3); count > 0; --count) {
        switch (below(5)) {
        case 0:
            made.emplace_back(Wait{});
            break;
        case 1:
            made.push_back(write("y"));
            break;
        case 2:
            made.emplace_back(Trigger{});
            break;
        default:
            made.push_back(read("x"));
        }
    }
    grid.agents.push_back({{0, 0}, {0, 0}, std::move(made)});
    return grid;
}

/// A primary with secondaries that may start early.
void Generator::triggers() {
    declare({"x", "y"}, {only_stream});
    program_.operations.emplace_back(primary(only_stream));
    for (unsigned count = pick<unsigned>({1, 1, 2}); count > 0; --count) {
        Grid grid = secondary(only_stream);
        grid.pss = chance(85) ? 1 : 0;
        program_.operations.emplace_back(std::move(grid));
    }
}

/// A primary in one stream, and a secondary in another that waits for one of its events.
void Generator::events() {
    declare({"x", "y"}, {"s", "t"});
    if (chance(40)) {
        // The primary's own beginning depends on something.
        program_.operations.emplace_back(primary("s"));
    }
    Grid grid = primary("s");
    const unsigned kind = below(4);
    if (kind < 2) {
        grid.programmatic_event = ProgrammaticEvent{"e", kind == 0};
    } else if (kind == 2) {
        grid.launch_completion_event = "e";
    }
    program_.operations.emplace_back(std::move(grid));
    if (kind == 3) {
        program_.operations.emplace_back(Record{"e", "s"});
    }
    program_.operations.emplace_back(WaitEvent{"e", "t"});
    for (unsigned count = pick<unsigned>({1, 1, 2}); count > 0; --count) {
        Grid dependent = secondary(count == 1 && chance(80) ? "t" : stream());
        dependent.pss = chance(30) ? 1 : 0;
        program_.operations.emplace_back(std::move(dependent));
    }
}

Program Generator::program() {
    switch (below(5)) {
    case 0:
    case 1:
        shape();
        break;
    case 2:
        triggers();
        break;
    case 3:
        events();
        break;
    default:
        anything();
    }
    program_.claim.ends = true;
    return program_;
}

} // namespace

Program small_random_program(std::mt19937& random, unsigned size) {
    return Generator(random, size).program();
}

} // namespace pdlcts
