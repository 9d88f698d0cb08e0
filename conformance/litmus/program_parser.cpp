// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/program_parser.hpp"

#include "conformance/litmus/condition_parser.hpp"
#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/grid_parser.hpp"
#include "conformance/litmus/grid_rules.hpp"
#include "conformance/litmus/host_parser.hpp"
#include "conformance/litmus/instruction_parser.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pdlcts {

namespace {

/// The order of a file.
enum class Part { memory, host_memory, stream, operations, claims };

/// Locations and mbarriers of a grid, which take 256 bytes each at most: static shared memory is 48 KiB.
constexpr std::size_t most_shared = 64;

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

class ProgramParser {
public:
    Program parse(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column);

private:
    void parse_line(Cursor& cursor, bool indented);
    void parse_memory(Cursor& cursor, Part part, Space space, std::vector<Location>& memory);
    void parse_claim(Cursor& cursor, std::string_view word);
    std::optional<Condition> parse_claimed(Cursor& cursor, const std::optional<Condition>& given, const Cursor& start);

    void open_operation(const Cursor& cursor);
    void open_grid(Cursor& cursor);
    void declare_shared(Cursor& cursor, std::string_view word);
    void open_agent(Cursor& cursor);
    void append_instruction(Cursor& cursor);
    void append_host_instruction(Cursor& cursor, bool indented, bool in_host_function);
    void close_grid();

    void enter(Part part, const Cursor& at);
    Grid& grid() { return std::get<Grid>(program_.operations.back()); }

    Program program_;
    Definitions definitions_;
    Part part_ = Part::memory;
    std::map<std::string, bool> peers_; ///< whether the grids of a stream are on the second GPU
    bool in_grid_ = false;
    bool in_host_function_ = false;   ///< the line before was one or one of its lines
    std::vector<AgentPlaces> places_; ///< of the agents of the open grid
};

void ProgramParser::enter(Part part, const Cursor& at) {
    constexpr std::string_view names[] = {"the memory line", "the host_memory line", "the stream line",
                                          "an operation of the host", "a claim"};
    if (part < part_) {
        at.fail(std::string(names[static_cast<std::size_t>(part)]) + " is out of place",
                "memory, host_memory, stream, operations and claims in this order");
    }
    part_ = part;
    if (part != Part::operations) {
        close_grid();
    }
}

void ProgramParser::parse_memory(Cursor& cursor, Part part, Space space, std::vector<Location>& memory) {
    enter(part, cursor);
    const std::string word(cursor.peek_word());
    if (!memory.empty()) {
        cursor.fail("a second " + word + " line", "all locations on one line");
    }
    cursor.accept_word(word);
    memory = parse_locations(cursor, space, definitions_.declarations);
}

void ProgramParser::open_operation(const Cursor& cursor) {
    enter(Part::operations, cursor);
    close_grid();
}

void ProgramParser::open_grid(Cursor& cursor) {
    open_operation(cursor);
    cursor.accept_word("grid");
    const Cursor at = cursor;
    std::string name = cursor.name("a grid");
    if (!definitions_.grids.insert(name).second) {
        at.fail("two grids have one name", "another name");
    }
    bool names_stream = false;
    Grid grid = parse_grid(cursor, std::move(name), [&] {
        definitions_.streams.check_rule(cursor, true);
        names_stream = true;
        return definitions_.streams.read(cursor);
    });
    definitions_.streams.check_rule(cursor, names_stream);
    if (const auto [stream, first] = peers_.emplace(grid.stream, grid.peer); !first && stream->second != grid.peer) {
        at.fail("a stream belongs to one GPU, and an earlier grid of it is on the other",
                grid.peer ? "no 'peer', or 'peer' in every grid of the stream" : "'peer', or another stream");
    }
    if (grid.programmatic_event) {
        definitions_.events.insert(grid.programmatic_event->event);
    }
    if (grid.launch_completion_event) {
        definitions_.events.insert(*grid.launch_completion_event);
    }
    definitions_.declarations.open_grid();
    program_.operations.emplace_back(std::move(grid));
    in_grid_ = true;
}

void ProgramParser::declare_shared(Cursor& cursor, std::string_view word) {
    if (!in_grid_ || !places_.empty()) {
        cursor.fail(in_grid_ ? "a declaration behind an agent" : "a declaration outside a grid",
                    in_grid_ ? "declarations before the grid's agents" : "a grid before it");
    }
    const Cursor start = cursor;
    cursor.accept_word(word);
    const auto append = [](auto& declared, auto more) {
        std::move(more.begin(), more.end(), std::back_inserter(declared));
    };
    if (word == "shared") {
        append(grid().shared, parse_locations(cursor, Space::shared, definitions_.declarations));
    } else {
        append(grid().mbarriers, parse_mbarriers(cursor, definitions_.declarations));
    }
    if (grid().shared.size() + grid().mbarriers.size() > most_shared) {
        start.fail("too much shared memory",
                   "at most " + std::to_string(most_shared) + " locations and mbarriers in a grid");
    }
}

void ProgramParser::open_agent(Cursor& cursor) {
    if (!in_grid_) {
        cursor.fail("an agent outside a grid", "a grid before it");
    }
    const Place start = cursor.place();
    grid().agents.push_back(parse_agent(cursor, grid()));
    places_.push_back({start, {}});
}

void ProgramParser::append_instruction(Cursor& cursor) {
    if (!in_grid_ || places_.empty()) {
        cursor.fail("an instruction outside an agent", "an agent such as 'thread 0:' before it");
    }
    Agent& agent = grid().agents.back();
    const Cursor start = cursor;
    ParsedInstruction parsed = parse_instruction(cursor, definitions_.declarations, grid(), agent);
    if (!agent.instructions.empty() && std::holds_alternative<Exit>(agent.instructions.back())) {
        start.fail("an instruction after exit", "the end of the agent");
    }
    definitions_.registers.write(parsed.results, cursor.line(), agent.is_class());
    agent.instructions.push_back(std::move(parsed.instruction));
    places_.back().instructions.push_back(start.place());
}

/// Indentation decides whose it is: the host function's above, or the host's thread.
void ProgramParser::append_host_instruction(Cursor& cursor, bool indented, bool in_host_function) {
    if (!indented) {
        open_operation(cursor);
        std::visit([&](auto instruction) { program_.operations.emplace_back(std::move(instruction)); },
                   parse_host_instruction(cursor, definitions_));
        return;
    }
    if (!in_host_function) {
        cursor.fail("indented, but not below a host function",
                    "a host function above it, or no indentation where the host's own thread does it");
    }
    std::get<HostFunction>(program_.operations.back())
        .instructions.push_back(parse_host_instruction(cursor, definitions_));
    in_host_function_ = true;
}

void ProgramParser::close_grid() {
    if (std::exchange(in_grid_, false)) {
        check_grid(grid(), places_);
        places_.clear();
    }
    definitions_.declarations.open_grid();
}

std::optional<Condition> ProgramParser::parse_claimed(Cursor& cursor, const std::optional<Condition>& given,
                                                      const Cursor& start) {
    if (given) {
        start.fail("a claim is made twice", "each claim once");
    }
    std::vector<RegisterUse> uses;
    Condition condition = parse_condition(cursor, uses);
    for (const RegisterUse& use : uses) {
        const Comparison& comparison = use.comparison;
        if (!definitions_.registers.contains(comparison.result)) {
            fail_at({cursor.line(), use.name_column}, "nothing writes the register", "a result of an instruction",
                    quoted(comparison.result));
        }
        if (comparison.quantifier != Quantifier::single && !definitions_.registers.is_of_class(comparison.result)) {
            fail_at({cursor.line(), use.column}, "a single thread writes the register", "its name without a quantifier",
                    comparison.quantifier == Quantifier::any ? "'any'" : "'all'");
        }
    }
    return condition;
}

void ProgramParser::parse_claim(Cursor& cursor, std::string_view word) {
    enter(Part::claims, cursor);
    const Cursor start = cursor;
    Claim& claim = program_.claim;
    cursor.accept_word(word);
    if (word == "ends") {
        cursor.expect_end("ends");
        if (std::exchange(claim.ends, true)) {
            start.fail("a claim is made twice", "each claim once");
        }
    } else if (word == "armed") {
        claim.armed = parse_claimed(cursor, claim.armed, start);
    } else if (word == "never") {
        claim.never = parse_claimed(cursor, claim.never, start);
    } else {
        claim.sometimes = parse_claimed(cursor, claim.sometimes, start);
    }
    if (claim.never && claim.sometimes) {
        start.fail("never and sometimes exclude each other", "one of them");
    }
}

/// `mbarrier full = 1` declares, `mbarrier.arrive...` is an instruction.
bool declares(const Cursor& cursor, std::string_view word) {
    Cursor behind = cursor;
    behind.accept_word(word);
    return word == "shared" || (word == "mbarrier" && !behind.at_qualifier());
}

void ProgramParser::parse_line(Cursor& cursor, bool indented) {
    const std::string_view word = cursor.peek_word();
    const bool in_host_function = std::exchange(in_host_function_, false);
    if (word == "memory") {
        parse_memory(cursor, Part::memory, Space::global, program_.memory);
    } else if (word == "host_memory") {
        parse_memory(cursor, Part::host_memory, Space::host, program_.host_memory);
    } else if (word == "stream") {
        enter(Part::stream, cursor);
        definitions_.streams.declare(cursor);
    } else if (word == "grid") {
        open_grid(cursor);
    } else if (opens_host_operation(word)) {
        open_operation(cursor);
        program_.operations.push_back(parse_host_operation(cursor, definitions_));
        in_host_function_ = std::holds_alternative<HostFunction>(program_.operations.back());
    } else if (is_any_of(word, {"read", "write"})) {
        append_host_instruction(cursor, indented, in_host_function);
    } else if (is_any_of(word, {"never", "sometimes", "ends", "armed"})) {
        parse_claim(cursor, word);
    } else if (is_any_of(word, {"checks", "because", "routes", "load"})) {
        cursor.fail("out of place",
                    "checks, because, routes and load in this order at the top, each once, before memory");
    } else if (declares(cursor, word)) {
        declare_shared(cursor, word);
    } else if (is_any_of(word, {"block", "blocks", "thread", "threads"})) {
        open_agent(cursor);
    } else if (opens_instruction(word) || (in_grid_ && !places_.empty())) {
        append_instruction(cursor);
    } else {
        cursor.fail("not a line of the language",
                    "memory, host_memory, stream, grid, an operation of the host such as record, or a claim");
    }
}

Program ProgramParser::parse(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column) {
    for (const SourceLine& line : lines) {
        Cursor cursor(line.text, line.number, line.column);
        // A mark and the blank behind it take the place of two columns.
        const std::size_t first_column = line.mark == ' ' ? 1 : 3;
        parse_line(cursor, cursor.column() > first_column);
    }
    close_grid();
    const auto missing = [&](std::string_view what, std::string expected) {
        fail_at({end_line, end_column}, what, std::move(expected), "the end of the file");
    };
    if (definitions_.grids.empty()) {
        missing("the program launches nothing", "a grid");
    }
    if (!program_.claim.never && !program_.claim.sometimes && !program_.claim.ends) {
        missing("the program claims nothing", "never, sometimes or ends");
    }
    program_.streams = definitions_.streams.names();
    return std::move(program_);
}

} // namespace

Program parse_program(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column) {
    return ProgramParser().parse(lines, end_line, end_column);
}

} // namespace pdlcts
