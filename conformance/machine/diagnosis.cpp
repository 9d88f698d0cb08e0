// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/diagnosis.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/machine/unordered.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <functional>

namespace pdlcts {
namespace {

std::string quoted(const std::string& text) {
    return "`" + text + "`";
}

std::optional<Value> initial_value(const Program& program, const Grid* grid, const Element& element) {
    const auto look = [&](const std::vector<Location>& locations) -> std::optional<Value> {
        for (const Location& location : locations) {
            if (location.name == element.location && element.position() < location.initial.size()) {
                return location.initial[element.position()];
            }
        }
        return std::nullopt;
    };
    std::optional<Value> value = grid == nullptr ? std::nullopt : look(grid->shared);
    value = value ? value : look(program.memory);
    return value ? value : look(program.host_memory);
}

/// A value of the register that makes the comparison true.
std::optional<Value> deciding_value(const Comparison& comparison, const Outcome& outcome) {
    const auto values = outcome.find(comparison.result);
    if (values == outcome.end()) {
        return std::nullopt;
    }
    for (const Value value : values->second) {
        if ((value == comparison.value) == comparison.equal) {
            return value;
        }
    }
    return std::nullopt;
}

/// The source of a copy that wrote an element, as a read of that copy; none where the write is no copy.
std::optional<ReadAccess> source_of(const Program& program, const Plan& plan, const WriteAccess& write) {
    const auto same_index = [&](const std::string& source) {
        return ReadAccess{write.place, "", Element{source, write.element.index, {}}};
    };
    const HostOperation& operation = program.operations[plan.nodes[write.place.node].operation];
    if (const auto* copy = std::get_if<Memcpy>(&operation)) {
        return same_index(copy->source);
    }
    const auto* grid = std::get_if<Grid>(&operation);
    const auto* copy =
        grid == nullptr ? nullptr
                        : std::get_if<BulkCopy>(&grid->agents[write.place.agent].instructions[write.place.instruction]);
    return copy == nullptr ? std::nullopt : std::optional(same_index(copy->source));
}

/// Of the writes of an element the one that a read of `seen` returned, or else the latest before the read in the plan:
/// the one that it ought to have seen.
const WriteAccess* write_behind(const Program& program, const Plan& plan, const ReadAccess& read, Value seen,
                                const std::vector<WriteAccess>& writes) {
    const Grid* const grid = grid_of(program, plan, read.place.node);
    const bool shared = grid != nullptr && initial_value(Program{}, grid, *read.element).has_value();
    const WriteAccess* latest = nullptr;
    for (const WriteAccess& write : writes) {
        if (write.element.location != read.element->location || write.element.position() != read.element->position() ||
            write.place == read.place || (shared && write.place.node != read.place.node)) {
            continue;
        }
        if (write.value == seen) {
            return &write;
        }
        const auto rank = [&](const WriteAccess& each) {
            return std::pair{each.place.node <= read.place.node, each.place};
        };
        if (latest == nullptr || rank(*latest) < rank(write)) {
            latest = &write;
        }
    }
    return latest;
}

/// Whether a read comes after a copy as far as the plan, or the program order of its thread, says.
bool follows(const Plan& plan, const Place& copy, const Place& read) {
    if (copy.node == read.node) {
        return copy.agent == read.agent && copy.instruction < read.instruction;
    }
    const std::vector<std::size_t> way =
        copy.node < read.node ? way_back(plan, read.node, copy.node) : std::vector<std::size_t>{};
    for (std::size_t step = 0; step + 1 < way.size(); ++step) {
        const Dependency& dependency = *dependency_on(plan, way[step], way[step + 1]);
        if (dependency.type != DependencyType::full || dependency.port != Port::full) {
            return false;
        }
    }
    return !way.empty();
}

/// The last write of another value to the element, in the plan, that stands between a write and a read of it.
const WriteAccess* other_write_before(const std::vector<WriteAccess>& writes, const WriteAccess& write,
                                      const ReadAccess& read) {
    const WriteAccess* later = nullptr;
    for (const WriteAccess& other : writes) {
        if (other.element.location == write.element.location && other.element.position() == write.element.position() &&
            other.value != write.value && write.place < other.place && other.place.node <= read.place.node &&
            (later == nullptr || later->place < other.place)) {
            later = &other;
        }
    }
    return later;
}

/// Fills in what the read at fault, which returned `seen`, is about. A copy that comes before a read is followed to
/// what it copied.
void explain(const Program& program, const Plan& plan, const std::vector<WriteAccess>& writes, Value seen,
             DecidingRead& deciding) {
    std::string text;
    const WriteAccess* write = nullptr;
    for (std::size_t copies = 0; copies <= plan.nodes.size(); ++copies) {
        const ReadAccess& read = deciding.at_fault;
        text = described(program, plan, read.place);
        write = write_behind(program, plan, read, seen, writes);
        const std::optional<ReadAccess> source = write == nullptr ? std::nullopt : source_of(program, plan, *write);
        if (!source || !follows(plan, write->place, read.place)) {
            break;
        }
        deciding.why +=
            concat(text, " reads what ", quoted(instruction_text(program, plan, write->place)), " has copied. ");
        deciding.at_fault = *source;
    }
    const ReadAccess& read = deciding.at_fault;
    const bool from_initial = initial_value(program, grid_of(program, plan, read.place.node), *read.element) == seen;
    const std::string location = quoted(print(*read.element));
    if (write == nullptr) {
        deciding.why += concat(text, " reads ", seen, from_initial ? ", the initial value: nothing" : ": nothing",
                               " writes ", location, ".");
        return;
    }
    deciding.write = *write;
    deciding.stale = write->value != seen;
    const std::string writer = described(program, plan, write->place);
    const WriteAccess* const later = deciding.stale ? nullptr : other_write_before(writes, *write, read);
    if (later != nullptr) {
        // Two writes, and the one that looks like the last need not be: it is the later one that comes too early.
        deciding.why += concat(text, " can read what ", writer, " writes, as that need not come before ",
                               described(program, plan, later->place), ": ",
                               why_unordered(program, plan, write->place, later->place, true), ".");
        deciding.at_fault.place = later->place;
        deciding.stale = true;
        return;
    }
    const std::string order = why_unordered(program, plan, write->place, read.place, deciding.stale);
    const std::string initial = from_initial ? concat(", the initial value of ", location) : "";
    deciding.why += deciding.stale
                        ? concat(text, " can still read ", seen, initial, ", in spite of ", writer, ": ", order, ".")
                        : concat(text, " can read what ", writer, " writes: ", order, ".");
}

DecidingRead explained(const Program& program, const Plan& plan, const ReadAccess& read, Value value,
                       const std::vector<WriteAccess>& writes) {
    DecidingRead deciding{read, read, value, std::nullopt, false, ""};
    const Grid* const grid = grid_of(program, plan, read.place.node);
    const Instruction* const instruction =
        grid == nullptr ? nullptr : &grid->agents[read.place.agent].instructions[read.place.instruction];
    const auto* await = instruction == nullptr ? nullptr : std::get_if<Await>(instruction);
    const std::string text = quoted(instruction_text(program, plan, read.place));
    if (value == 0 && (await != nullptr || !read.element)) {
        deciding.why = concat(text, " can give up: what it waits for need not happen in time "
                                    "(model.no-reliance-on-concurrency).");
    }
    if (!deciding.why.empty() || !read.element) {
        return deciding;
    }
    explain(program, plan, writes, await != nullptr ? await->value : value, deciding);
    return deciding;
}

/// What the search for deciding reads looks at.
struct Subject {
    const Program& program;
    const Plan& plan;
    const Outcome& outcome;
    std::vector<ReadAccess> reads;
    std::vector<WriteAccess> writes;
};

void append(std::vector<DecidingRead>& all, DecidingRead added) {
    const bool told = std::any_of(all.begin(), all.end(), [&](const DecidingRead& each) {
        // Lanes of one access, of which there is the same to say.
        return each.read.place == added.read.place && each.write.has_value() == added.write.has_value() &&
               (!each.write || each.write->place == added.write->place);
    });
    if (!told) {
        all.push_back(std::move(added));
    }
}

std::vector<DecidingRead> reads_behind(const Subject& subject, const Condition& condition) {
    std::vector<DecidingRead> deciding;
    if (!matches(condition, subject.outcome)) {
        return deciding;
    }
    if (condition.kind == Condition::Kind::comparison) {
        const std::optional<Value> value = deciding_value(condition.comparison, subject.outcome);
        for (const ReadAccess& read : subject.reads) {
            if (value && read.result == condition.comparison.result) {
                append(deciding, explained(subject.program, subject.plan, read, *value, subject.writes));
            }
        }
        return deciding;
    }
    for (const Condition& operand : condition.operands) {
        for (DecidingRead& read : reads_behind(subject, operand)) {
            append(deciding, std::move(read));
        }
    }
    // Beside an old value a new one is as it should be: a flag that was seen, say.
    const auto stale = [](const DecidingRead& read) { return read.stale; };
    if (condition.kind == Condition::Kind::conjunction && std::any_of(deciding.begin(), deciding.end(), stale)) {
        std::erase_if(deciding, std::not_fn(stale));
    }
    return deciding;
}

} // namespace

std::vector<DecidingRead> deciding_reads(const Program& program, const Plan& plan, const Condition& condition,
                                         const Outcome& outcome) {
    return reads_behind({program, plan, outcome, reads_of(program, plan), writes_of(program, plan)}, condition);
}

} // namespace pdlcts
