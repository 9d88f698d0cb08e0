// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/program_parser.hpp"

#include "conformance/litmus/condition_parser.hpp"
#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/grid_parser.hpp"
#include "conformance/litmus/instruction_parser.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pdlcts {

namespace {

/// The order of a file.
enum class Part { memory, stream, operations, claims };

class ProgramParser {
public:
    Program parse(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column);

private:
    void parse_line(Cursor& cursor);
    void parse_memory(Cursor& cursor);
    void parse_streams(Cursor& cursor);
    void parse_host_operation(Cursor& cursor, std::string_view word);
    void parse_claim(Cursor& cursor, std::string_view word);
    std::optional<Condition> parse_claimed(Cursor& cursor, const std::optional<Condition>& given, const Cursor& start);

    void open_agent(Cursor& cursor);
    void append_instruction(Cursor& cursor);
    void close_grid();

    void enter(Part part, const Cursor& at);
    std::string read_stream(Cursor& cursor);
    std::string read_on(Cursor& cursor);
    void check_stream_rule(const Cursor& at, bool names_stream);
    void record(const std::string& event) { events_.insert(event); }

    Program program_;
    Part part_ = Part::memory;
    bool in_grid_ = false;
    std::vector<Cursor> agent_lines_; ///< of the open grid

    Names locations_;
    Names grids_;
    Names events_;
    std::map<std::string, bool, std::less<>> registers_; ///< whether a class writes it
    bool declares_memory_ = false;
    bool declares_streams_ = false;
    std::optional<bool> names_streams_; ///< decided by the stream line or the first operation
};

void ProgramParser::enter(Part part, const Cursor& at) {
    constexpr std::string_view names[] = {"the memory line", "the stream line", "an operation of the host", "a claim"};
    if (part < part_) {
        at.fail(std::string(names[static_cast<std::size_t>(part)]) + " is out of place",
                "memory, stream, operations and claims in this order");
    }
    part_ = part;
    if (part != Part::operations) {
        close_grid();
    }
}

void ProgramParser::parse_memory(Cursor& cursor) {
    if (std::exchange(declares_memory_, true)) {
        cursor.fail("a second memory line", "all locations on one line");
    }
    cursor.accept_word("memory");
    do {
        const Cursor at = cursor;
        Location location;
        location.name = cursor.name("a location");
        if (!locations_.insert(location.name).second) {
            at.fail("a location is declared twice", "another name");
        }
        cursor.expect("=", "missing initial value");
        location.initial = {static_cast<Value>(cursor.number("the initial value", 0, largest_value))};
        program_.memory.push_back(std::move(location));
    } while (cursor.accept(","));
    cursor.expect_end("memory");
}

void ProgramParser::parse_streams(Cursor& cursor) {
    if (std::exchange(declares_streams_, true)) {
        cursor.fail("a second stream line", "all streams on one line");
    }
    cursor.accept_word("stream");
    names_streams_ = true;
    do {
        const Cursor at = cursor;
        const std::string stream = cursor.name("a stream");
        if (std::find(program_.streams.begin(), program_.streams.end(), stream) != program_.streams.end()) {
            at.fail("a stream is declared twice", "another name");
        }
        program_.streams.push_back(stream);
    } while (cursor.accept(","));
    cursor.expect_end("stream");
}

std::string ProgramParser::read_stream(Cursor& cursor) {
    const Cursor at = cursor;
    std::string stream = cursor.name("a stream");
    if (std::find(program_.streams.begin(), program_.streams.end(), stream) == program_.streams.end()) {
        if (declares_streams_) {
            at.fail("undeclared stream", "a stream of the stream line");
        }
        program_.streams.push_back(stream);
    }
    return stream;
}

void ProgramParser::check_stream_rule(const Cursor& at, bool names_stream) {
    if (names_streams_.value_or(names_stream) != names_stream) {
        at.fail(names_stream ? "this operation names its stream, an earlier one does not"
                             : "this operation does not name its stream, an earlier line does",
                names_stream ? "no 'on', or 'on' in every operation" : "'on', or no stream in any line");
    }
    names_streams_ = names_stream;
}

/// `on s`, up to the end of the line.
std::string ProgramParser::read_on(Cursor& cursor) {
    check_stream_rule(cursor, cursor.peek_word() == "on");
    std::string stream = cursor.accept_word("on") ? read_stream(cursor) : only_stream;
    cursor.expect_end("the operation");
    return stream;
}

void ProgramParser::parse_host_operation(Cursor& cursor, std::string_view word) {
    enter(Part::operations, cursor);
    close_grid();
    cursor.accept_word(word);
    if (word == "grid") {
        const Cursor at = cursor;
        std::string name = cursor.name("a grid");
        if (!grids_.insert(name).second) {
            at.fail("two grids have one name", "another name");
        }
        bool names_stream = false;
        Grid grid = parse_grid(cursor, std::move(name), [&] {
            check_stream_rule(cursor, true);
            names_stream = true;
            return read_stream(cursor);
        });
        check_stream_rule(cursor, names_stream);
        if (grid.programmatic_event) {
            record(grid.programmatic_event->event);
        }
        if (grid.launch_completion_event) {
            record(*grid.launch_completion_event);
        }
        program_.operations.emplace_back(std::move(grid));
        in_grid_ = true;
    } else if (word == "record") {
        Record operation{cursor.name("an event"), {}};
        operation.stream = read_on(cursor);
        record(operation.event);
        program_.operations.emplace_back(std::move(operation));
    } else if (word == "wait_event") {
        const Cursor at = cursor;
        WaitEvent operation{cursor.name("an event"), {}};
        if (!events_.contains(operation.event)) {
            at.fail("nothing has recorded the event", "an event of an earlier operation");
        }
        operation.stream = read_on(cursor);
        program_.operations.emplace_back(std::move(operation));
    } else {
        Memset operation{parse_location(cursor, locations_), 0, {}};
        cursor.expect(",", "missing byte");
        operation.byte = static_cast<std::uint8_t>(cursor.number("the byte", 0, 255));
        operation.stream = read_on(cursor);
        program_.operations.emplace_back(std::move(operation));
    }
}

void ProgramParser::open_agent(Cursor& cursor) {
    if (!in_grid_) {
        cursor.fail("an agent outside a grid", "a grid before it");
    }
    const Cursor start = cursor;
    Grid& grid = std::get<Grid>(program_.operations.back());
    grid.agents.push_back(parse_agent(cursor, grid));
    agent_lines_.push_back(start);
}

void ProgramParser::append_instruction(Cursor& cursor) {
    if (!in_grid_ || agent_lines_.empty()) {
        cursor.fail("an instruction outside an agent", "an agent such as 'thread 0:' before it");
    }
    Agent& agent = std::get<Grid>(program_.operations.back()).agents.back();
    const Cursor start = cursor;
    ParsedInstruction parsed = parse_instruction(cursor, locations_);
    if (!agent.instructions.empty() && std::holds_alternative<Exit>(agent.instructions.back())) {
        start.fail("an instruction after exit", "the end of the agent");
    }
    if (!parsed.result.empty() && !registers_.emplace(parsed.result, agent.is_class()).second) {
        throw SyntaxFailure{cursor.line(), parsed.result_column, "two instructions write one register", "another name",
                            quoted(parsed.result)};
    }
    agent.instructions.push_back(std::move(parsed.instruction));
}

/// The roles of a block meet at its barriers: with different counts some would wait for ever.
void ProgramParser::close_grid() {
    if (!std::exchange(in_grid_, false)) {
        return;
    }
    const Grid& grid = std::get<Grid>(program_.operations.back());
    std::vector<std::ptrdiff_t> barriers;
    for (std::size_t index = 0; index < grid.agents.size(); ++index) {
        const Agent& agent = grid.agents[index];
        barriers.push_back(
            std::count_if(agent.instructions.begin(), agent.instructions.end(),
                          [](const Instruction& each) { return std::holds_alternative<Barrier>(each); }));
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            const Range& other = grid.agents[earlier].blocks;
            const bool share_block = agent.blocks.first <= other.last && other.first <= agent.blocks.last;
            if (share_block && barriers[earlier] != barriers[index]) {
                throw SyntaxFailure{agent_lines_[index].line(), agent_lines_[index].column(),
                                    "roles of one block pass different numbers of barriers",
                                    std::to_string(barriers[earlier]) + " 'bar.sync' as in line " +
                                        std::to_string(agent_lines_[earlier].line()),
                                    std::to_string(barriers[index])};
            }
        }
    }
    agent_lines_.clear();
}

std::optional<Condition> ProgramParser::parse_claimed(Cursor& cursor, const std::optional<Condition>& given,
                                                      const Cursor& start) {
    if (given) {
        start.fail("a claim is made twice", "each claim once");
    }
    std::vector<RegisterUse> uses;
    Condition condition = parse_condition(cursor, uses);
    for (const RegisterUse& use : uses) {
        const auto writer = registers_.find(use.comparison.result);
        if (writer == registers_.end()) {
            throw SyntaxFailure{cursor.line(), use.name_column, "nothing writes the register",
                                "a result of an instruction", quoted(use.comparison.result)};
        }
        if (use.comparison.quantifier != Quantifier::single && !writer->second) {
            throw SyntaxFailure{cursor.line(), use.column, "a single thread writes the register",
                                "its name without a quantifier",
                                use.comparison.quantifier == Quantifier::any ? "'any'" : "'all'"};
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

void ProgramParser::parse_line(Cursor& cursor) {
    const std::string_view word = cursor.peek_word();
    if (word == "memory") {
        enter(Part::memory, cursor);
        parse_memory(cursor);
    } else if (word == "stream") {
        enter(Part::stream, cursor);
        parse_streams(cursor);
    } else if (word == "grid" || word == "record" || word == "wait_event" || word == "memset") {
        parse_host_operation(cursor, word);
    } else if (word == "never" || word == "sometimes" || word == "ends" || word == "armed") {
        parse_claim(cursor, word);
    } else if (word == "checks" || word == "routes") {
        cursor.fail("out of place", "checks and then routes at the top, each once, before memory");
    } else if (word == "block" || word == "blocks" || word == "thread" || word == "threads") {
        open_agent(cursor);
    } else if (opens_instruction(word) || (in_grid_ && !agent_lines_.empty())) {
        append_instruction(cursor);
    } else {
        cursor.fail("not a line of the language", "memory, stream, grid, record, wait_event, memset or a claim");
    }
}

Program ProgramParser::parse(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column) {
    for (const SourceLine& line : lines) {
        Cursor cursor(line.text, line.number, line.column);
        parse_line(cursor);
    }
    close_grid();
    const auto missing = [&](std::string what, std::string expected) {
        throw SyntaxFailure{end_line, end_column, std::move(what), std::move(expected), "the end of the file"};
    };
    if (grids_.empty()) {
        missing("the program launches nothing", "a grid");
    }
    if (!program_.claim.never && !program_.claim.sometimes && !program_.claim.ends) {
        missing("the program claims nothing", "never, sometimes or ends");
    }
    if (program_.streams.empty()) {
        program_.streams = {only_stream};
    }
    return std::move(program_);
}

} // namespace

Program parse_program(std::span<const SourceLine> lines, std::size_t end_line, std::size_t end_column) {
    return ProgramParser().parse(lines, end_line, end_column);
}

} // namespace pdlcts
