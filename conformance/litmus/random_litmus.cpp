// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/random_litmus.hpp"

#include "conformance/litmus/random_choice.hpp"
#include "conformance/litmus/random_grid.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace pdlcts {

namespace {

class Generator {
public:
    explicit Generator(std::mt19937& random) : choose_(random) {}

    Program program();
    void edit(Program& program);
    Chooser& choose() { return choose_; }

private:
    std::string stream() { return streams_.empty() ? only_stream : choose_.pick(streams_); }
    std::string event() { return choose_.pick<std::string>({"e", "f", "event_2"}); }
    Grid grid();
    HostInstruction host_instruction();
    std::optional<Memcpy> memcpy();
    std::optional<HostOperation> synchronisation(unsigned kind);
    std::optional<HostOperation> host_operation(unsigned kind);
    Condition condition(unsigned depth, std::optional<Condition::Kind> not_kind = {});
    Claim claim();

    Chooser choose_;
    RandomNames names_;
    std::set<std::string> peer_streams_;
    std::vector<std::string> streams_; ///< empty where the program names none
    std::vector<std::string> events_;  ///< recorded so far
    unsigned grids_ = 0;
    unsigned host_functions_ = 0;
};

Grid Generator::grid() {
    Grid grid;
    grid.name = std::string("grid_").append(std::to_string(grids_++));
    grid.blocks = choose_.pick<unsigned>({1, 1, 1, 2, 8, 5000, 2147483647});
    grid.threads = choose_.pick<unsigned>({1, 32, 64, 100, 1024});
    grid.stream = stream();
    grid.peer = peer_streams_.contains(grid.stream);
    if (grid.blocks % 2 == 0 && choose_.chance(60)) {
        grid.cluster = grid.blocks == 2 ? 2 : choose_.pick<unsigned>({2, 4, 8});
    }
    if (choose_.chance(20)) {
        grid.priority = choose_.pick<int>({-100, -1, 0, 5, 100});
    }
    if (choose_.chance(20)) {
        grid.domain = choose_.pick({Domain::standard, Domain::remote});
    }
    if (choose_.chance(20)) {
        grid.shared_memory = choose_.pick<unsigned>({0, 1, 65536, 232448});
    }
    if (choose_.chance(50)) {
        grid.pss = choose_.pick<int>({1, 1, 1, 0, 2, 2147483647});
    }
    if (choose_.chance(20)) {
        grid.programmatic_event = ProgrammaticEvent{event(), choose_.chance(50)};
        events_.push_back(grid.programmatic_event->event);
    }
    if (choose_.chance(20)) {
        grid.launch_completion_event = event();
    }
    if (grid.programmatic_event && grid.launch_completion_event == grid.programmatic_event->event) {
        grid.launch_completion_event.reset();
    }
    if (grid.launch_completion_event) {
        events_.push_back(*grid.launch_completion_event);
    }
    fill_grid(choose_, names_, grid);
    return grid;
}

HostInstruction Generator::host_instruction() {
    const Element element = random_element(choose_, choose_.pick(names_.host_memory));
    if (choose_.chance(50)) {
        return HostRead{element, random_register(names_, false)};
    }
    return HostWrite{element, random_value(choose_, Width::u32)};
}

std::optional<Memcpy> Generator::memcpy() {
    std::vector<std::pair<std::string, std::string>> pairs;
    std::vector<Location> all = names_.memory;
    all.insert(all.end(), names_.host_memory.begin(), names_.host_memory.end());
    for (const Location& destination : all) {
        for (const Location& source : all) {
            if (destination.name != source.name && destination.width == source.width &&
                destination.elements() == source.elements()) {
                pairs.emplace_back(destination.name, source.name);
            }
        }
    }
    if (pairs.empty()) {
        return std::nullopt;
    }
    const auto& [destination, source] = choose_.pick(pairs);
    return Memcpy{destination, source, stream()};
}

std::optional<HostOperation> Generator::synchronisation(unsigned kind) {
    if (kind == 0) {
        return SyncStream{stream()};
    }
    if (kind == 1) {
        return SyncDevice{};
    }
    return events_.empty() ? std::nullopt : std::optional<HostOperation>(SyncEvent{choose_.pick(events_)});
}

std::optional<HostOperation> Generator::host_operation(unsigned kind) {
    switch (kind) {
    case 0:
        events_.push_back(event());
        return Record{events_.back(), stream()};
    case 1:
        return events_.empty() ? std::nullopt
                               : std::optional<HostOperation>(WaitEvent{choose_.pick(events_), stream()});
    case 2:
        return names_.memory.empty()
                   ? std::nullopt
                   : std::optional<HostOperation>(Memset{choose_.pick(names_.memory).name,
                                                         static_cast<std::uint8_t>(choose_.below(256)), stream()});
    case 3:
        return memcpy();
    case 4: {
        HostFunction function{std::string("publish_").append(std::to_string(host_functions_++)), stream(), {}};
        for (unsigned count = names_.host_memory.empty() ? 0 : choose_.below(4); count > 0; --count) {
            function.instructions.push_back(host_instruction());
        }
        return function;
    }
    case 5:
        return synchronisation(choose_.below(3));
    case 6:
        if (names_.host_memory.empty()) {
            return std::nullopt;
        }
        return std::visit([](auto each) { return HostOperation{std::move(each)}; }, host_instruction());
    default:
        return grid();
    }
}

Condition Generator::condition(unsigned depth, std::optional<Condition::Kind> not_kind) {
    const Condition::Kind kind =
        depth == 0 ? Condition::Kind::comparison
                   : choose_.pick<Condition::Kind>(
                         {Condition::Kind::comparison, Condition::Kind::conjunction, Condition::Kind::disjunction});
    if (kind == Condition::Kind::comparison || kind == not_kind) {
        const RandomRegister& compared = choose_.pick(names_.registers);
        const Quantifier quantifier =
            compared.of_class ? choose_.pick<Quantifier>({Quantifier::single, Quantifier::any, Quantifier::all})
                              : Quantifier::single;
        return Condition{Condition::Kind::comparison,
                         {quantifier, compared.name, choose_.chance(60), random_value(choose_, Width::u32)},
                         {}};
    }
    Condition junction{kind, {}, {}};
    for (unsigned count = 2 + choose_.below(3); count > 0; --count) {
        junction.operands.push_back(condition(depth - 1, kind));
    }
    return junction;
}

Claim Generator::claim() {
    Claim claim;
    if (!names_.registers.empty()) {
        if (choose_.chance(60)) {
            claim.never = condition(choose_.below(4));
        } else if (choose_.chance(70)) {
            claim.sometimes = condition(choose_.below(4));
        }
        if (choose_.chance(40)) {
            claim.armed = condition(choose_.below(4));
        }
    }
    claim.ends = (!claim.never && !claim.sometimes) || choose_.chance(20);
    return claim;
}

Program Generator::program() {
    Program program;
    for (const char* name : {"x", "y", "flag", "_z9"}) {
        if (choose_.chance(60)) {
            program.memory.push_back(random_location(choose_, name, false));
        }
    }
    for (const char* name : {"h", "host_2"}) {
        if (choose_.chance(50)) {
            program.host_memory.push_back(random_location(choose_, name, true));
        }
    }
    names_ = {program.memory, program.host_memory};
    if (choose_.chance(50)) {
        for (const char* name : {"s", "t", "u"}) {
            if (choose_.chance(60)) {
                streams_.push_back(name);
            }
        }
    }
    std::shuffle(streams_.begin(), streams_.end(), choose_.engine());
    if (choose_.chance(15)) {
        peer_streams_.insert(stream());
    }
    for (unsigned count = choose_.below(6); count > 0; --count) {
        if (auto operation = host_operation(choose_.below(12))) {
            program.operations.push_back(std::move(*operation));
        }
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
    auto& operation = operations[choose_.below(static_cast<unsigned>(operations.size()))];
    if (auto* grid = std::get_if<Grid>(&operation)) {
        switch (choose_.below(4)) {
        case 0:
            grid->pss = grid->pss ? std::nullopt : std::optional(1);
            break;
        case 3:
            grid->domain = grid->domain ? std::nullopt : std::optional(Domain::remote);
            break;
        case 1:
            grid->threads = std::max(grid->threads, choose_.pick<unsigned>({32, 64, 1024}));
            break;
        default:
            if (grid->agents.empty()) {
                break;
            }
            auto& instructions = grid->agents[choose_.below(static_cast<unsigned>(grid->agents.size()))].instructions;
            if (!instructions.empty() && std::holds_alternative<Wait>(instructions.front())) {
                instructions.erase(instructions.begin());
            } else {
                instructions.insert(instructions.begin(), Trigger{});
            }
        }
    } else if (auto* function = std::get_if<HostFunction>(&operation);
               function != nullptr && !edited.host_memory.empty()) {
        function->instructions.emplace_back(HostWrite{random_element(choose_, edited.host_memory.front()), 5});
    } else if (choose_.chance(50)) {
        operations.insert(operations.begin(), Record{"early", edited.streams.front()});
    } else {
        operations.push_back(Record{"late", edited.streams.back()});
    }
    const bool names_streams = edited.streams.front() != only_stream;
    if (choose_.chance(15) && names_streams && edited.streams.back() != "extra") {
        edited.streams.push_back("extra");
    }
    if (choose_.chance(15) && !edited.memory.empty()) {
        edited.memory.front().initial.back() = 3;
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
    for (unsigned count = generator.choose().below(4); count > 0; --count) {
        litmus.description.push_back(generator.choose().pick(lines));
    }
    for (const char* id : {"trigger.only-first-counts", "wait.blocks", "f.a_2"}) {
        if (generator.choose().chance(40)) {
            litmus.checks.push_back(id);
        }
    }
    for (const Report& report :
         {Report{"NVIDIA/cccl", Report::Kind::issue, 9134}, Report{"a-b/c.d", Report::Kind::pull, 1}}) {
        if (generator.choose().chance(30)) {
            litmus.because.push_back(report);
        }
    }
    for (const Route route : all_routes) {
        if (generator.choose().chance(30)) {
            litmus.routes.push_back(route);
        }
    }
    std::shuffle(litmus.routes.begin(), litmus.routes.end(), random);
    litmus.program = generator.program();
    if (generator.choose().chance(25)) {
        return litmus;
    }
    litmus.control = litmus.program;
    for (unsigned count = 1 + generator.choose().below(6); count > 0; --count) {
        generator.edit(*litmus.control);
    }
    if (litmus.control == litmus.program) {
        litmus.control.reset();
    }
    return litmus;
}

} // namespace pdlcts
