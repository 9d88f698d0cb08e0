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

    /// In a textbook shape the last location is a flag.
    Ordering ordering(const std::string& location, Ordering synchronising) {
        const bool is_flag = shaped_ && location == program_.memory.back().name;
        return chance(is_flag ? 10 : 33) ? Ordering::weak : (chance(50) ? Ordering::relaxed : synchronising);
    }
    Instruction read(const std::string& location);
    Instruction write(const std::string& location);
    Instruction memory_instruction();
    Instruction between();
    Instruction instruction();
    std::vector<Instruction> idiom();
    std::vector<Instruction> instructions(unsigned most);
    void add_agents(Grid& grid);
    Grid grid();
    void add_observer();

    std::mt19937& random_;
    unsigned left_;
    bool shaped_ = false;       ///< every agent takes a part in a textbook shape
    unsigned memory_share_ = 0; ///< percent
    unsigned block_scope_ = 0;  ///< percent
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
    Load load{ordering(location, Ordering::acquire), scope(), CacheOperator::unspecified, location, result()};
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
    Store store{ordering(location, Ordering::release), scope(), location, value()};
    if (store.ordering == Ordering::weak) {
        store.scope = Store{}.scope;
    }
    return store;
}

Instruction Generator::memory_instruction() {
    return chance(50) ? read(location()) : write(location());
}

Instruction Generator::between() {
    switch (below(shaped_ ? 12 : 5)) {
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

/// One part of a shape that accidents seldom make: message passing, store buffering, load buffering.
std::vector<Instruction> Generator::idiom() {
    const std::string& data = program_.memory.front().name;
    const std::string& flag = program_.memory.back().name;
    const bool swapped = chance(15);
    const std::string& first = swapped ? flag : data;
    const std::string& last = swapped ? data : flag;
    std::vector<Instruction> made;
    const unsigned shape = below(6);
    made.push_back(shape < 3 ? write(first) : read(shape == 3 ? first : flag));
    for (unsigned count = pick<unsigned>({0, 1, 1, 1, 1, 2}); count > 0; --count) {
        made.push_back(between());
    }
    made.push_back(shape < 2 || shape == 3 ? write(last) : read(shape == 2 ? last : data));
    return made;
}

std::vector<Instruction> Generator::instructions(unsigned most) {
    if (shaped_ || chance(40)) {
        std::vector<Instruction> made = idiom();
        if (made.size() <= most) {
            return made;
        }
    }
    std::vector<Instruction> made;
    for (unsigned count = most == 0 ? 0 : std::min(most, pick<unsigned>({0, 1, 1, 2, 2, 3, 3, 4})); count > 0;
         --count) {
        made.push_back(instruction());
    }
    return made;
}

/// Agents cover the grid's blocks and threads, alone or as classes; some threads belong to none.
void Generator::add_agents(Grid& grid) {
    const bool has_barriers = grid.threads > 1 && chance(shaped_ ? 10 : 40);
    const bool blocks_alike = chance(shaped_ ? 10 : 40);
    const bool threads_alike = chance(shaped_ ? 10 : 35);
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
    grid.blocks = shaped_ ? pick<unsigned>({1, 2, 2, 2, 3}) : pick<unsigned>({1, 1, 1, 2, 2, 3});
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

Program Generator::program() {
    const std::vector<std::string> names = {"x", "y", "z"};
    shaped_ = chance(50);
    const unsigned locations = shaped_ ? pick<unsigned>({2, 2, 3}) : pick<unsigned>({1, 2, 2, 3});
    for (unsigned index = 0; index < locations; ++index) {
        program_.memory.push_back({names[index], 0});
    }
    program_.streams = {only_stream};
    if (chance(25)) {
        program_.streams = {"s", "t"};
    }
    // Half of the programs are about one grid's memory accesses, the others about several grids.
    const unsigned grids = shaped_ ? pick<unsigned>({1, 1, 2}) : pick<unsigned>({1, 2, 2, 2, 3});
    memory_share_ = grids == 1 ? 90 : pick<unsigned>({50, 65, 80});
    block_scope_ = pick<unsigned>({0, 0, 30});
    bool recorded = false;
    for (unsigned made = 0; made < grids;) {
        if (program_.streams.size() > 1 && made > 0 && chance(40)) {
            if (!recorded && chance(30)) {
                program_.operations.emplace_back(Record{event(), stream()});
            } else {
                program_.operations.emplace_back(WaitEvent{event(), stream()});
            }
            recorded = true;
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
    program_.claim.ends = true;
    return program_;
}

} // namespace

Program small_random_program(std::mt19937& random, unsigned size) {
    return Generator(random, size).program();
}

} // namespace pdlcts
