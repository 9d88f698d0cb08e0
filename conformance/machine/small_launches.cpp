// SPDX-License-Identifier: Apache-2.0
// Random programs about what grids and the host do to each other.
#include "conformance/machine/small_generator.hpp"

#include <algorithm>
#include <utility>

namespace pdlcts {

// ---- triggers and events -------------------------------------------------------------------------------------------

/// What a primary's thread does, or a middle grid's: writes and fences before and behind triggers.
Instructions SmallGenerator::around_a_trigger(unsigned most) {
    Instructions made;
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
            made.push_back(fence());
            break;
        default:
            made.push_back(write("x"));
        }
    }
    if (chance(30) && made.size() + 2 <= most) {
        made.emplace_back(Fence{});
        made.emplace_back(Trigger{});
    }
    return made;
}

Grid SmallGenerator::primary(const std::string& on) {
    Grid made = grid(on, pick<unsigned>({1, 1, 2}), pick<unsigned>({1, 2}));
    for (unsigned block = 0; block < made.blocks; ++block) {
        for (unsigned thread = 0; thread < made.threads; ++thread) {
            Instructions instructions = around_a_trigger(left_ > 1 ? left_ - 1 : 0);
            left_ -= static_cast<unsigned>(instructions.size());
            add_agent(made, block, thread, std::move(instructions));
        }
    }
    if (chance(10)) {
        made.domain = pick<Domain>({Domain::standard, Domain::remote});
    }
    if (chance(10)) {
        made.priority = -1;
    }
    return made;
}

Grid SmallGenerator::secondary(const std::string& on) {
    Grid made = grid(on);
    Instructions instructions;
    for (unsigned count = 1 + below(3); count > 0; --count) {
        switch (below(5)) {
        case 0:
            instructions.emplace_back(Wait{});
            break;
        case 1:
            instructions.push_back(write("y"));
            break;
        case 2:
            instructions.emplace_back(Trigger{});
            break;
        default:
            instructions.push_back(read("x"));
        }
    }
    add_agent(made, 0, 0, std::move(instructions));
    return made;
}

void SmallGenerator::trigger() {
    declare({only_stream});
    program_.operations.emplace_back(primary(only_stream));
    for (unsigned count = pick<unsigned>({1, 1, 2}); count > 0; --count) {
        Grid made = secondary(only_stream);
        made.pss = chance(85) ? 1 : 0;
        program_.operations.emplace_back(std::move(made));
    }
}

void SmallGenerator::events() {
    declare({"s", "t"});
    if (chance(40)) {
        // The primary's own beginning depends on something.
        program_.operations.emplace_back(primary("s"));
    }
    Grid made = primary("s");
    const unsigned kind = below(4);
    if (kind < 2) {
        made.programmatic_event = ProgrammaticEvent{"e", kind == 0};
    } else if (kind == 2) {
        made.launch_completion_event = "e";
    }
    program_.operations.emplace_back(std::move(made));
    if (kind == 3) {
        program_.operations.emplace_back(Record{"e", "s"});
    }
    if (chance(15)) {
        program_.operations.emplace_back(SyncEvent{"e"});
    } else {
        program_.operations.emplace_back(WaitEvent{"e", "t"});
    }
    for (unsigned count = pick<unsigned>({1, 1, 2}); count > 0; --count) {
        Grid dependent = secondary(count == 1 && chance(80) ? "t" : stream());
        dependent.pss = chance(30) ? 1 : 0;
        program_.operations.emplace_back(std::move(dependent));
    }
}

// ---- the host ------------------------------------------------------------------------------------------------------

HostOperation SmallGenerator::host_operation() {
    const Element word{"y", {}, {}};
    switch (below(9)) {
    case 0:
        return SyncStream{stream()};
    case 1:
        return SyncDevice{};
    case 2:
        return Memcpy{"x", "y", stream()};
    case 3:
        return Memcpy{"y", "x", stream()};
    case 4:
        return Memset{"x", static_cast<std::uint8_t>(1 + below(2)), stream()};
    case 5:
        return HostRead{word, result()};
    case 6:
        return HostWrite{word, value()};
    default: {
        HostFunction made{"f" + std::to_string(program_.operations.size()), stream(), {}};
        for (unsigned count = 1 + below(2); count > 0; --count) {
            if (chance(50)) {
                made.instructions.emplace_back(HostRead{word, result()});
            } else {
                made.instructions.emplace_back(HostWrite{word, value()});
            }
        }
        return made;
    }
    }
}

/// `x` in global and `y` in host memory.
void SmallGenerator::host() {
    program_.streams = chance(40) ? std::vector<std::string>{"s", "t"} : std::vector<std::string>{"s"};
    program_.memory = {{"x", {0}, Width::u32, false}};
    program_.host_memory = {{"y", {0}, Width::u32, false}};
    const unsigned operations = 2 + below(4);
    unsigned grids = 0;
    for (unsigned made = 0; made < operations; ++made) {
        if (chance(50) || (made + 1 == operations && grids == 0)) {
            Grid each = grid(stream());
            each.pss = chance(50) ? 1 : 0;
            Instructions some = instructions(3);
            if (chance(40)) {
                some.insert(some.begin(), strong(chance(50) ? read("y") : write("y")));
            }
            add_agent(each, 0, 0, std::move(some));
            program_.operations.emplace_back(std::move(each));
            ++grids;
        } else {
            program_.operations.push_back(host_operation());
        }
    }
}

// ---- anything ------------------------------------------------------------------------------------------------------

Grid SmallGenerator::any_grid() {
    Grid made = grid(stream(), pick<unsigned>({1, 1, 1, 2, 2, 3}), pick<unsigned>({1, 1, 2}));
    made.peer = second_gpu_ && made.stream == program_.streams.back();
    if (made.blocks == 2 && chance(30)) {
        made.cluster = 2;
    }
    if (chance(60)) {
        made.pss = 1;
    }
    if (chance(program_.streams.size() > 1 ? 40 : 10)) {
        made.programmatic_event = ProgrammaticEvent{new_event(), chance(50)};
    }
    if (chance(program_.streams.size() > 1 ? 20 : 5)) {
        made.launch_completion_event = new_event();
        if (made.programmatic_event && made.programmatic_event->event == *made.launch_completion_event) {
            made.launch_completion_event.reset();
        }
    }
    if (chance(10)) {
        made.domain = Domain::remote;
    }
    add_agents(made);
    return made;
}

void SmallGenerator::anything() {
    declare(chance(25) ? std::vector<std::string>{"s", "t"} : std::vector<std::string>{only_stream});
    second_gpu_ = program_.streams.size() > 1 && chance(25);
    const unsigned grids = pick<unsigned>({1, 2, 2, 2, 3});
    memory_share_ = grids == 1 ? 90 : pick<unsigned>({50, 65, 80});
    narrow_ = pick<unsigned>({0, 0, 30});
    for (unsigned made = 0; made < grids;) {
        if (program_.streams.size() > 1 && made > 0 && chance(40)) {
            if (recorded_.empty() || chance(30)) {
                program_.operations.emplace_back(Record{new_event(), stream()});
            } else {
                program_.operations.emplace_back(WaitEvent{pick(recorded_), stream()});
            }
        } else if (chance(8) && !program_.memory.empty()) {
            const std::string& name = program_.memory.front().name;
            program_.operations.emplace_back(Memset{name, static_cast<std::uint8_t>(1 + below(2)), stream()});
        } else {
            program_.operations.emplace_back(any_grid());
            ++made;
        }
    }
    if (chance(40)) {
        add_observer();
    }
}

} // namespace pdlcts
