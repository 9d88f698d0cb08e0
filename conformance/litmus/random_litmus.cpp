// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/random_litmus.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pdlcts {

namespace {

class Generator {
public:
    explicit Generator(std::mt19937& random) : random_(random) {}

    Program program();
    void edit(Program& program);

    unsigned below(unsigned size) { return std::uniform_int_distribution<unsigned>(0, size - 1)(random_); }
    bool chance(unsigned percent) { return below(100) < percent; }

    template <typename T>
    const T& pick(const std::vector<T>& choices) {
        return choices[below(static_cast<unsigned>(choices.size()))];
    }

private:
    struct Register {
        std::string name;
        bool of_class = false;
    };

    Value value() { return pick<Value>({0, 1, 2, 7, 255, 4294967294, largest_value}); }
    std::uint64_t duration() { return pick<std::uint64_t>({0, 1, 999, 1000, 1500, 50'000, 2'000'000, 1'000'000'000}); }
    Range range(unsigned size);
    std::string result(bool of_class);
    std::string stream() { return streams_.empty() ? only_stream : pick(streams_); }
    const std::string& location() { return pick(locations_); }
    std::string event() { return pick<std::string>({"e", "f", "event_2"}); }
    Instruction instruction(bool of_class);
    Instruction memory_instruction(bool of_class);
    std::optional<Agent> agent(const Grid& grid, unsigned barriers);
    Grid grid();
    HostOperation host_operation();
    Condition condition(unsigned depth, std::optional<Condition::Kind> not_kind = {});
    Claim claim();

    std::mt19937& random_;
    std::vector<std::string> locations_;
    std::vector<std::string> streams_; ///< empty where the program names none
    std::vector<std::string> events_;  ///< recorded so far
    std::vector<Register> registers_;
    unsigned grids_ = 0;
};

Range Generator::range(unsigned size) {
    const unsigned first = below(size);
    const unsigned last = chance(50) ? first : first + below(size - first);
    return chance(15) ? Range{0, size - 1} : Range{first, last};
}

std::string Generator::result(bool of_class) {
    registers_.push_back({std::string("r").append(std::to_string(registers_.size())), of_class});
    return registers_.back().name;
}

Instruction Generator::memory_instruction(bool of_class) {
    const Scope scope = pick<Scope>({Scope::cta, Scope::gpu, Scope::sys});
    switch (below(5)) {
    case 0: {
        Load load{pick<Ordering>({Ordering::weak, Ordering::relaxed, Ordering::acquire}), scope,
                  CacheOperator::unspecified, location(), result(of_class)};
        if (load.ordering == Ordering::weak) {
            load.scope = Load{}.scope;
            load.cache = pick<CacheOperator>(
                {CacheOperator::unspecified, CacheOperator::ca, CacheOperator::cg, CacheOperator::nc});
        }
        return load;
    }
    case 1: {
        Store store{pick<Ordering>({Ordering::weak, Ordering::relaxed, Ordering::release}), scope, location(), value()};
        if (store.ordering == Ordering::weak) {
            store.scope = Store{}.scope;
        }
        return store;
    }
    case 2:
        return Atomic{pick<Ordering>({Ordering::relaxed, Ordering::release}),
                      scope,
                      pick<AtomicOperation>({AtomicOperation::add, AtomicOperation::min, AtomicOperation::max}),
                      location(),
                      value(),
                      {}};
    case 3:
        return Atomic{pick<Ordering>({Ordering::relaxed, Ordering::acquire, Ordering::release, Ordering::acq_rel}),
                      scope,
                      pick<AtomicOperation>(
                          {AtomicOperation::add, AtomicOperation::exch, AtomicOperation::min, AtomicOperation::max}),
                      location(),
                      value(),
                      result(of_class)};
    default:
        return Await{location(), value(), chance(60) ? std::optional(result(of_class)) : std::nullopt, duration()};
    }
}

Instruction Generator::instruction(bool of_class) {
    if (!locations_.empty() && chance(60)) {
        return memory_instruction(of_class);
    }
    switch (below(4)) {
    case 0:
        return Trigger{};
    case 1:
        return Wait{};
    case 2:
        return Fence{pick<Ordering>({Ordering::acq_rel, Ordering::sc}),
                     pick<Scope>({Scope::cta, Scope::gpu, Scope::sys})};
    default:
        return Delay{duration()};
    }
}

/// An agent that shares no thread with the others, if the first try finds one.
std::optional<Agent> Generator::agent(const Grid& grid, unsigned barriers) {
    Agent agent{range(grid.blocks), range(grid.threads), {}};
    const auto meet = [](const Range& left, const Range& right) {
        return left.contains(right.first) || right.contains(left.first);
    };
    for (const Agent& other : grid.agents) {
        if (meet(agent.blocks, other.blocks) && meet(agent.threads, other.threads)) {
            return std::nullopt;
        }
    }
    for (unsigned count = below(5); count > 0; --count) {
        agent.instructions.push_back(instruction(agent.is_class()));
    }
    for (unsigned count = 0; count < barriers; ++count) {
        agent.instructions.insert(
            agent.instructions.begin() + below(static_cast<unsigned>(agent.instructions.size()) + 1), Barrier{});
    }
    if (chance(15)) {
        agent.instructions.emplace_back(Exit{});
    }
    return agent;
}

Grid Generator::grid() {
    Grid grid;
    grid.name = std::string("grid_").append(std::to_string(grids_++));
    grid.blocks = pick<unsigned>({1, 1, 1, 2, 8, 5000, 2147483647});
    grid.threads = pick<unsigned>({1, 32, 64, 1024});
    grid.stream = stream();
    if (chance(50)) {
        grid.pss = pick<int>({1, 1, 1, 0, 2, 2147483647});
    }
    if (chance(20)) {
        grid.programmatic_event = ProgrammaticEvent{event(), chance(50)};
    }
    if (chance(20)) {
        grid.launch_completion_event = event();
    }
    if (grid.programmatic_event && grid.launch_completion_event == grid.programmatic_event->event) {
        grid.launch_completion_event.reset();
    }
    if (grid.programmatic_event) {
        events_.push_back(grid.programmatic_event->event);
    }
    if (grid.launch_completion_event) {
        events_.push_back(*grid.launch_completion_event);
    }
    const unsigned barriers = chance(70) ? 0 : 1 + below(2);
    for (unsigned tries = below(5); tries > 0; --tries) {
        if (auto found = agent(grid, barriers)) {
            grid.agents.push_back(std::move(*found));
        }
    }
    return grid;
}

HostOperation Generator::host_operation() {
    const unsigned kind = below(6);
    if (kind == 0) {
        events_.push_back(event());
        return Record{events_.back(), stream()};
    }
    if (kind == 1 && !events_.empty()) {
        return WaitEvent{pick(events_), stream()};
    }
    if (kind == 2 && !locations_.empty()) {
        return Memset{location(), static_cast<std::uint8_t>(below(256)), stream()};
    }
    return grid();
}

Condition Generator::condition(unsigned depth, std::optional<Condition::Kind> not_kind) {
    const Condition::Kind kind = depth == 0
                                     ? Condition::Kind::comparison
                                     : pick<Condition::Kind>({Condition::Kind::comparison, Condition::Kind::conjunction,
                                                              Condition::Kind::disjunction});
    if (kind == Condition::Kind::comparison || kind == not_kind) {
        const Register& compared = pick(registers_);
        const Quantifier quantifier = compared.of_class
                                          ? pick<Quantifier>({Quantifier::single, Quantifier::any, Quantifier::all})
                                          : Quantifier::single;
        return Condition{Condition::Kind::comparison, {quantifier, compared.name, chance(60), value()}, {}};
    }
    Condition junction{kind, {}, {}};
    for (unsigned count = 2 + below(3); count > 0; --count) {
        junction.operands.push_back(condition(depth - 1, kind));
    }
    return junction;
}

Claim Generator::claim() {
    Claim claim;
    if (!registers_.empty()) {
        if (chance(60)) {
            claim.never = condition(below(4));
        } else if (chance(70)) {
            claim.sometimes = condition(below(4));
        }
        if (chance(40)) {
            claim.armed = condition(below(4));
        }
    }
    claim.ends = (!claim.never && !claim.sometimes) || chance(20);
    return claim;
}

Program Generator::program() {
    Program program;
    for (const char* name : {"x", "y", "flag", "_z9"}) {
        if (chance(60)) {
            program.memory.push_back({name, value()});
            locations_.push_back(name);
        }
    }
    if (chance(50)) {
        for (const char* name : {"s", "t", "u"}) {
            if (chance(60)) {
                streams_.push_back(name);
            }
        }
    }
    std::shuffle(streams_.begin(), streams_.end(), random_);
    for (unsigned count = below(5); count > 0; --count) {
        program.operations.push_back(host_operation());
    }
    if (grids_ == 0) {
        program.operations.push_back(grid());
    }
    program.streams = streams_.empty() ? std::vector<std::string>{only_stream} : streams_;
    program.claim = claim();
    return program;
}

/// A small change that keeps a program valid, as a control has it; now and then none that shows.
void Generator::edit(Program& program) {
    Program edited = program;
    auto& operations = edited.operations;
    auto& operation = operations[below(static_cast<unsigned>(operations.size()))];
    if (auto* grid = std::get_if<Grid>(&operation)) {
        switch (below(3)) {
        case 0:
            grid->pss = grid->pss ? std::nullopt : std::optional(1);
            break;
        case 1:
            grid->threads = std::max(grid->threads, pick<unsigned>({32, 64, 1024}));
            break;
        default:
            if (grid->agents.empty()) {
                break;
            }
            auto& instructions = grid->agents[below(static_cast<unsigned>(grid->agents.size()))].instructions;
            if (!instructions.empty() && std::holds_alternative<Wait>(instructions.front())) {
                instructions.erase(instructions.begin());
            } else {
                instructions.insert(instructions.begin(), Trigger{});
            }
        }
    } else if (chance(50)) {
        operations.insert(operations.begin(), Record{"early", edited.streams.front()});
    } else {
        operations.push_back(Record{"late", edited.streams.back()});
    }
    const bool names_streams = edited.streams.front() != only_stream;
    if (chance(15) && names_streams && edited.streams.back() != "extra") {
        edited.streams.push_back("extra");
    }
    if (chance(15) && !edited.memory.empty()) {
        edited.memory.front().initial = 3;
    }
    program = std::move(edited);
}

} // namespace

Program random_program(std::mt19937& random) {
    return Generator(random).program();
}

Litmus random_litmus(std::mt19937& random) {
    Generator generator(random);
    Litmus litmus;
    const std::vector<std::string> lines = {
        "What is claimed.", "", "  indented # twice", "- not a mark", "\xc3\xa9t\xc3\xa9", "checks  nothing"};
    for (unsigned count = generator.below(4); count > 0; --count) {
        litmus.description.push_back(generator.pick(lines));
    }
    for (const char* id : {"trigger.only-first-counts", "wait.blocks", "f.a_2"}) {
        if (generator.chance(40)) {
            litmus.checks.push_back(id);
        }
    }
    for (const Route route : all_routes) {
        if (generator.chance(30)) {
            litmus.routes.push_back(route);
        }
    }
    std::shuffle(litmus.routes.begin(), litmus.routes.end(), random);
    litmus.program = generator.program();
    if (generator.chance(25)) {
        return litmus;
    }
    litmus.control = litmus.program;
    for (unsigned count = 1 + generator.below(6); count > 0; --count) {
        generator.edit(*litmus.control);
    }
    if (litmus.control == litmus.program) {
        litmus.control.reset();
    }
    return litmus;
}

} // namespace pdlcts
