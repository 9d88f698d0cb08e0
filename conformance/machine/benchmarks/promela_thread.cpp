// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/promela_thread.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace pdlcts::spin {
namespace {

constexpr std::size_t most_control_states = 256;

/// One way to perform an operation: when it is open, and what it does.
struct Choice {
    std::string guard;
    std::string effect;
};

/// Where a thread stands: what it has performed, and whether it has arrived at the barrier that comes next.
struct Standing {
    std::uint64_t performed = 0;
    bool arrived = false;
    auto operator<=>(const Standing&) const = default;
};

struct Writer {
    const SpelledOut& plan;
    const Views& views;
    const Thread& thread;
    ThreadViews own;

    std::uint64_t everything() const { return (std::uint64_t{1} << thread.operations.size()) - 1; }

    // ---- views ---------------------------------------------------------------------------------------------------

    bool knows(std::size_t location) const {
        return std::find(own.known.begin(), own.known.end(), location) != own.known.end();
    }

    /// A thread's first step is where it learns what its node began with.
    std::string known(std::size_t location, bool first) const {
        const std::string begin = first ? begin_view(plan, views, thread.node, location) : "";
        return begin.empty() ? concat("k", location) : begin;
    }

    std::string learn_begin() const {
        std::string effect;
        for (const std::size_t location : own.known) {
            const std::string begin = begin_view(plan, views, thread.node, location);
            effect += begin.empty() ? "" : concat("k", location, " = ", begin, "; ");
        }
        return effect;
    }

    static std::string join(std::size_t location, const std::string& view, const std::string& other) {
        return concat(view, " = ", newer(location, view, other), "; ");
    }

    // ---- memory --------------------------------------------------------------------------------------------------

    std::string exists_and_is_not_hidden(std::size_t location, std::size_t write, const std::string& view) const {
        if (write == 0) {
            return concat("(", view, " == 0)");
        }
        const std::string place = concat("p", location, "[", write, "]");
        return concat("(", place, " != 0 && ", place, " >= p", location, "[", view, "])");
    }

    bool has_varying_value(std::size_t location, std::size_t write) const {
        return write != 0 && plan.operation(plan.locations[location].writes[write]).kind == Kind::atomic;
    }

    /// The index of a write's value, as an expression.
    std::string value_of(std::size_t location, std::size_t write) const {
        if (has_varying_value(location, write)) {
            return value_variable(location, write);
        }
        const Location& where = plan.locations[location];
        return std::to_string(
            plan.index_of_value(write == 0 ? where.initial : plan.operation(where.writes[write]).value));
    }

    std::string record(const Operation& operation, const std::string& value) const {
        return operation.result
                   ? concat("result", *operation.result, " = result", *operation.result, " | (1 << ", value, "); ")
                   : "";
    }

    /// What a strong read of a strong write lets its thread know: the write (observation, PTX 8.9.5), and what the
    /// write has released.
    std::string observe(const Operation& operation, std::size_t write) const {
        const std::size_t location = operation.location;
        const bool gives_value = operation.kind != Kind::atomic || operation.gives_value;
        if (!is_strong(operation) || write == 0 || !gives_value ||
            !is_strong(plan.operation(plan.locations[location].writes[write]))) {
            return "";
        }
        std::string effect = knows(location) ? join(location, concat("k", location), std::to_string(write)) : "";
        if (views.carries(location, write)) {
            for (const std::size_t of : own.acquirable) {
                effect += join(of, concat("a", of), released_variable(location, write, of));
            }
            for (const std::size_t of : own.known) {
                if (acquires(operation)) {
                    effect += join(of, concat("k", of), released_variable(location, write, of));
                }
            }
        }
        return effect;
    }

    /// Whether the place behind a write is not between an atomic and what it read.
    std::string splits_nothing(std::size_t location, std::size_t behind) const {
        std::string guard;
        for (std::size_t write = 1; write < plan.locations[location].writes.size(); ++write) {
            if (write != behind && has_varying_value(location, write)) {
                guard += concat(" && p", location, "[", write, "] != p", location, "[", behind, "] + 1");
            }
        }
        return guard;
    }

    /// Puts the operation's write behind another one.
    std::string put(const Operation& operation, std::size_t behind) const {
        const std::size_t location = operation.location;
        std::string effect;
        for (std::size_t other = 1; other < plan.locations[location].writes.size(); ++other) {
            const std::string place = concat("p", location, "[", other, "]");
            if (other != operation.write && other != behind) {
                effect += concat(place, " = ", place, " + (", place, " > p", location, "[", behind, "]); ");
            }
        }
        effect += concat("p", location, "[", operation.write, "] = p", location, "[", behind, "] + 1; ");
        effect += concat("k", location, " = ", operation.write, "; ");
        if (views.carries(location, operation.write)) {
            const std::string view = releases(operation) ? "k" : "r";
            const bool releases_something = releases(operation) || !own.released.empty();
            for (const std::size_t of : views.written) {
                const std::string released = released_variable(location, operation.write, of);
                effect += releases_something ? concat(released, " = ", view, of, "; ") : "";
                if (operation.kind == Kind::atomic && views.carries(location, behind)) {
                    effect += join(of, released, released_variable(location, behind, of));
                }
            }
        }
        return effect;
    }

    /// The value that an atomic writes when it reads this one.
    std::string update(const Operation& operation, std::size_t read) const {
        const auto result = [&](std::uint32_t old) {
            return plan.index_of_value(updated(operation.atomic, old, operation.value));
        };
        const std::string to = value_variable(operation.location, operation.write);
        const Location& location = plan.locations[operation.location];
        if (!has_varying_value(operation.location, read)) {
            const std::uint32_t old = read == 0 ? location.initial : plan.operation(location.writes[read]).value;
            return concat(to, " = ", result(old), "; ");
        }
        std::string effect = "if ";
        for (std::size_t value = 0; value < plan.values.size(); ++value) {
            const std::size_t next = result(plan.values[value]);
            if (next < plan.values.size() &&
                plan.values[next] == updated(operation.atomic, plan.values[value], operation.value)) {
                effect += concat(":: ", value_variable(operation.location, read), " == ", value, " -> ", to, " = ",
                                 next, " ");
            }
        }
        return effect + "fi; ";
    }

    std::vector<Choice> memory_choices(const Operation& operation, bool first) const {
        const std::size_t location = operation.location;
        std::vector<Choice> choices;
        if (operation.kind == Kind::await) {
            choices.push_back({"true", record(operation, std::to_string(plan.index_of_value(0)))});
        }
        const std::string view = knows(location) ? known(location, first) : "0";
        for (std::size_t write = 0; write < plan.locations[location].writes.size(); ++write) {
            if (write != 0 && write == operation.write) {
                continue;
            }
            Choice choice{exists_and_is_not_hidden(location, write, view), ""};
            const std::string value = value_of(location, write);
            switch (operation.kind) {
            case Kind::load:
                if (operation.non_coherent) {
                    // visibility.nc-loads-excluded: nothing hides a write from them.
                    choice.guard = write == 0 ? "true" : concat("p", location, "[", write, "] != 0");
                }
                choice.effect = record(operation, value) + observe(operation, write);
                break;
            case Kind::await:
                if (has_varying_value(location, write)) {
                    choice.guard += concat(" && ", value, " == ", plan.index_of_value(operation.value));
                } else if (value != std::to_string(plan.index_of_value(operation.value))) {
                    continue;
                }
                choice.effect = record(operation, std::to_string(plan.index_of_value(1))) + observe(operation, write);
                break;
            case Kind::store:
                // A place behind any write that is not known to be older than the newest known one.
                choice.guard += splits_nothing(location, write);
                choice.effect = put(operation, write);
                break;
            default: // an atomic
                choice.guard += splits_nothing(location, write);
                choice.effect = record(operation, value) + observe(operation, write) + update(operation, write) +
                                put(operation, write);
                break;
            }
            choices.push_back(std::move(choice));
        }
        return choices;
    }

    // ---- control -------------------------------------------------------------------------------------------------

    Choice fence(const Operation& operation) const {
        std::string effect;
        for (const std::size_t location : own.acquirable) {
            effect += knows(location) ? join(location, concat("k", location), concat("a", location)) : "";
        }
        if (operation.ordering == Ordering::sc && views.sc_fences) {
            for (const std::size_t location : views.written) {
                effect += join(location, concat("k", location), concat("sc", location));
                effect += concat("sc", location, " = k", location, "; ");
            }
        }
        for (const std::size_t location : own.released) {
            effect += concat("r", location, " = k", location, "; ");
        }
        return {"true", effect};
    }

    Choice wait() const {
        Choice choice{"true", ""};
        for (const Dependency& dependency : plan.nodes[thread.node].dependencies) {
            if (dependency.type == DependencyType::programmatic) {
                choice.guard += concat(" && ", complete(plan, dependency.upstream));
                for (const std::size_t location : own.known) {
                    const std::string view = completion_view(plan, views, dependency.upstream, location);
                    choice.effect += view.empty() ? "" : join(location, concat("k", location), view);
                }
            }
        }
        return choice;
    }

    Choice trigger() const {
        if (!views.may_trigger(plan, plan.blocks[thread.block])) {
            return {"true", ""};
        }
        std::string counted = concat("has_triggered", thread.block, " = 1; triggered", thread.node, "++");
        for (const std::size_t location : own.released) {
            if (views.trigger_releases[thread.node]) {
                const std::string view = concat("t", thread.node, "_", location);
                counted += concat("; ", view, " = ", newer(location, view, concat("r", location)));
            }
        }
        return {"true", concat("if :: !has_triggered", thread.block, " -> ", counted, " :: else fi; ")};
    }

    bool is_alone() const { return plan.blocks[thread.block].threads.size() == 1; }

    Choice arrive(const Operation& operation) const {
        Choice choice{"true", concat("arrived", thread.block, "++; ")};
        for (const std::size_t location : own.known) {
            choice.effect +=
                join(location, barrier_variable(thread.block, operation.round, location), concat("k", location));
        }
        return choice;
    }

    Choice leave(const Operation& operation) const {
        const std::size_t all = plan.blocks[thread.block].threads.size() * operation.round;
        Choice choice{concat("arrived", thread.block, " >= ", all), ""};
        for (const std::size_t location : own.known) {
            choice.effect +=
                join(location, concat("k", location), barrier_variable(thread.block, operation.round, location));
        }
        return choice;
    }

    std::string exit() const {
        std::string effect;
        for (const std::size_t location : own.known) {
            if (views.keeps_completion[thread.node]) {
                effect += join(location, concat("c", thread.node, "_", location), concat("k", location));
            }
        }
        const auto forget = [&](std::string_view view, const std::vector<std::size_t>& locations) {
            for (const std::size_t location : locations) {
                effect += concat(view, location, " = 0; ");
            }
        };
        forget("k", own.known);
        forget("a", own.acquirable);
        forget("r", own.released);
        std::string gone = concat("gone", thread.node, "++");
        if (views.counts_triggers[thread.node]) {
            // trigger.exit-counts-as-trigger
            gone += views.may_trigger(plan, plan.blocks[thread.block])
                        ? concat("; triggered", thread.node, " = triggered", thread.node, " + 1 - has_triggered",
                                 thread.block)
                        : concat("; triggered", thread.node, "++");
        }
        return effect + (is_alone() ? gone + "; "
                                    : concat("left", thread.block, "--; if :: left", thread.block, " == 0 -> ", gone,
                                             " :: else fi; "));
    }

    // ---- the process ---------------------------------------------------------------------------------------------

    std::vector<Choice> choices_of(const Operation& operation, bool first) const {
        switch (operation.kind) {
        case Kind::trigger:
            return {trigger()};
        case Kind::wait:
            return {wait()};
        case Kind::exit:
            return {{"true", ""}};
        case Kind::barrier:
            return {leave(operation)};
        case Kind::fence:
            return {fence(operation)};
        default:
            return memory_choices(operation, first);
        }
    }

    /// Operations are performed in program order, but writes may run ahead of reads: a read can return an old value at
    /// any time and a write takes any place that is left, so that no other order shows more.
    bool is_open(const Standing& standing, std::size_t index) const {
        const Operation& operation = thread.operations[index];
        const std::uint64_t pending = ~standing.performed & ((std::uint64_t{1} << index) - 1);
        if ((standing.performed >> index & 1) != 0 || (operation.after & pending) != 0) {
            return false;
        }
        bool passes_read = false;
        for (std::size_t earlier = 0; earlier < index; ++earlier) {
            passes_read = passes_read || ((pending >> earlier & 1) != 0 && reads(thread.operations[earlier]));
        }
        return pending == 0 || (writes(operation) && passes_read);
    }

    static std::string label(const Standing& standing) {
        return concat("performed_", standing.performed, standing.arrived ? "_arrived" : "");
    }

    /// The options of one control state; `met` hears of those that they lead to.
    template <typename Met>
    std::string options(const Standing& standing, const Met& met) const {
        const bool first = standing.performed == 0 && !standing.arrived;
        std::string text;
        const auto option = [&](const Choice& choice, const Standing& next) {
            const std::string begin = first ? concat("BEGAN", thread.node, " && ") : "";
            text += concat("  :: d_step { (", begin, choice.guard, ") -> ", first ? learn_begin() : "", choice.effect,
                           next.performed == everything() ? exit() : "", "skip } goto ", label(next), "\n");
            met(next);
        };
        for (std::size_t index = 0; index < thread.operations.size(); ++index) {
            const Operation& operation = thread.operations[index];
            const std::uint64_t bit = std::uint64_t{1} << index;
            if (!is_open(standing, index)) {
                continue;
            }
            const bool arrives = operation.kind == Kind::barrier && !is_alone() && !standing.arrived;
            text += concat("  /* ", operation.text, " */\n");
            if (arrives) {
                option(arrive(operation), {standing.performed, true});
            } else if (operation.kind == Kind::barrier && is_alone()) {
                option({"true", ""}, {standing.performed | bit, false});
            } else {
                for (const Choice& choice : choices_of(operation, first)) {
                    option(choice, {standing.performed | bit, false});
                }
            }
        }
        return text;
    }
};

} // namespace

Result<std::string> promela_thread(const SpelledOut& plan, const Views& views, std::size_t index) {
    const Thread& thread = plan.threads[index];
    const Writer writer{plan, views, thread, thread_views(views, thread)};
    std::string text = concat("/* ", thread.text, " */\nactive proctype thread", index, "() {\n");
    const auto declare = [&](std::string_view view, const std::vector<std::size_t>& locations) {
        for (const std::size_t location : locations) {
            text += concat("byte ", view, location, "; ");
        }
    };
    declare("k", writer.own.known);
    declare("a", writer.own.acquirable);
    declare("r", writer.own.released);
    std::map<Standing, bool> met{{Standing{}, false}};
    std::vector<Standing> order{Standing{}};
    for (std::size_t next = 0; next < order.size(); ++next) {
        const Standing standing = order[next];
        if (standing.performed == writer.everything()) {
            continue;
        }
        text += concat("\n", Writer::label(standing), ":\n  if\n");
        text += writer.options(standing, [&](const Standing& found) {
            if (met.emplace(found, true).second) {
                order.push_back(found);
            }
        });
        text += "  fi;\n";
        if (order.size() > most_control_states) {
            return Error{concat("the translation for SPIN does not cover ", thread.text,
                                ": its instructions may be performed in too many orders")};
        }
    }
    return text + concat(Writer::label({writer.everything(), false}), ":\nend: false\n}\n");
}

} // namespace pdlcts::spin
