// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/grid_parser.hpp"

#include <utility>

namespace pdlcts {

namespace {

bool overlap(const Range& left, const Range& right) {
    return left.first <= right.last && right.first <= left.last;
}

/// `N` after a word in the singular, `A..B` after its plural.
Range parse_range(Cursor& cursor, bool plural, std::string_view kind, unsigned size) {
    Range range;
    range.first = range.last = static_cast<unsigned>(cursor.number(kind, 0, size - 1));
    if (plural) {
        cursor.expect("..", "incomplete range");
        range.last = static_cast<unsigned>(cursor.number(kind, range.first, size - 1));
    }
    return range;
}

unsigned parse_cluster(Cursor& cursor, unsigned blocks) {
    const Cursor at = cursor;
    const auto cluster = static_cast<unsigned>(cursor.number("the number of blocks of a cluster", 2, largest_cluster));
    if (blocks % cluster != 0) {
        at.fail("the grid is not made of whole clusters", "a divisor of " + std::to_string(blocks));
    }
    return cluster;
}

} // namespace

Grid parse_grid(Cursor& cursor, std::string name, const std::function<std::string()>& read_stream) {
    Grid grid;
    grid.name = std::move(name);
    cursor.expect("<<<", "missing launch shape");
    grid.blocks = static_cast<unsigned>(cursor.number("the number of blocks", 1, most_blocks));
    cursor.expect(",", "incomplete launch shape");
    grid.threads = static_cast<unsigned>(cursor.number("the number of threads", 1, most_threads));
    cursor.expect(">>>", "unclosed launch shape");

    bool has_stream = false;
    const auto once = [&](const Cursor& at, bool given) {
        if (given) {
            at.fail("an attribute is given twice", "each attribute once");
        }
    };
    while (!cursor.at_end()) {
        const Cursor at = cursor;
        if (cursor.accept_word("on")) {
            once(at, std::exchange(has_stream, true));
            grid.stream = read_stream();
        } else if (cursor.accept_word("peer")) {
            once(at, std::exchange(grid.peer, true));
        } else if (cursor.accept_word("cluster")) {
            once(at, grid.cluster != 1);
            grid.cluster = parse_cluster(cursor, grid.blocks);
        } else if (cursor.accept_word("priority")) {
            once(at, grid.priority.has_value());
            grid.priority = static_cast<int>(cursor.integer("the priority", -largest_priority, largest_priority));
        } else if (cursor.accept_word("domain")) {
            once(at, grid.domain.has_value());
            grid.domain = cursor.one_of(domain_words, "unknown domain");
        } else if (cursor.accept_word("shared_memory")) {
            once(at, grid.shared_memory.has_value());
            grid.shared_memory =
                static_cast<unsigned>(cursor.number("the size of shared memory", 0, largest_shared_memory));
        } else if (cursor.accept_word("pss")) {
            once(at, grid.pss.has_value());
            grid.pss = cursor.accept("=") ? static_cast<int>(cursor.number("the value of pss", 0, largest_pss)) : 1;
        } else if (cursor.accept_word("programmatic_event")) {
            once(at, grid.programmatic_event.has_value());
            grid.programmatic_event = ProgrammaticEvent{cursor.name("an event"), false};
            grid.programmatic_event->at_block_start = cursor.accept_word("at_block_start");
        } else if (cursor.accept_word("launch_completion_event")) {
            once(at, grid.launch_completion_event.has_value());
            grid.launch_completion_event = cursor.name("an event");
        } else {
            cursor.fail("unknown attribute of a grid",
                        "'on', 'peer', 'cluster', 'priority', 'domain', 'shared_memory', 'pss', 'programmatic_event', "
                        "'launch_completion_event' or the end of the line");
        }
        if (grid.programmatic_event && grid.launch_completion_event == grid.programmatic_event->event) {
            at.fail("one launch records an event twice", "two events");
        }
    }
    return grid;
}

Agent parse_agent(Cursor& cursor, const Grid& grid) {
    const Cursor start = cursor;
    Agent agent;
    agent.blocks = Range{0, grid.blocks - 1};
    if (cursor.accept_word("block")) {
        agent.blocks = parse_range(cursor, false, "the block", grid.blocks);
    } else if (cursor.accept_word("blocks")) {
        agent.blocks = parse_range(cursor, true, "the block", grid.blocks);
    }
    if (cursor.accept_word("thread")) {
        agent.threads = parse_range(cursor, false, "the thread", grid.threads);
    } else if (cursor.accept_word("threads")) {
        agent.threads = parse_range(cursor, true, "the thread", grid.threads);
    } else {
        cursor.fail("an agent needs its threads", "'thread' or 'threads'");
    }
    cursor.expect(":", "unclosed agent");
    cursor.expect_end("an agent");
    for (const Agent& other : grid.agents) {
        if (overlap(agent.blocks, other.blocks) && overlap(agent.threads, other.threads)) {
            start.fail("two agents of the grid share a thread", "threads that no earlier agent has");
        }
    }
    return agent;
}

} // namespace pdlcts
