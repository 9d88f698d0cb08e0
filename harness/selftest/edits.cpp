// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/edits.hpp"

#include "conformance/support/result.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

namespace pdlcts::edits {
namespace {

template <typename Edit>
Changed edit_programs(const Litmus& sound, const Edit& edit) {
    Litmus changed = sound;
    edit(changed.program);
    if (changed.control) {
        edit(*changed.control);
    }
    return changed == sound ? std::nullopt : Changed(std::move(changed));
}

template <typename Edit>
void edit_grids(Program& program, const Edit& edit) {
    for (HostOperation& operation : program.operations) {
        if (auto* grid = std::get_if<Grid>(&operation)) {
            edit(*grid);
        }
    }
}

/// An agent has at least one instruction; this one does nothing.
constexpr Delay placeholder{1};

template <typename Edit>
Changed edit_instructions(const Litmus& sound, const Edit& edit) {
    return edit_programs(sound, [&](Program& program) {
        edit_grids(program, [&](Grid& grid) {
            for (Agent& agent : grid.agents) {
                edit(agent.instructions);
                if (agent.instructions.empty()) {
                    agent.instructions.emplace_back(placeholder);
                }
            }
        });
    });
}

template <typename... Kinds>
bool is_any(const Instruction& instruction) {
    return (std::holds_alternative<Kinds>(instruction) || ...);
}

template <typename Kind>
Changed drop(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        std::erase_if(instructions, [](const Instruction& each) { return is_any<Kind>(each); });
    });
}

/// Takes a thread's triggers out, and says whether there were any.
bool take_triggers(std::vector<Instruction>& instructions) {
    return std::erase_if(instructions, [](const Instruction& each) { return is_any<Trigger>(each); }) > 0;
}

bool waits(const Instruction& instruction) {
    const auto* barrier = std::get_if<Barrier>(&instruction);
    return (barrier != nullptr && !barrier->arrive) ||
           is_any<Wait, ClusterWait, Await, MbarrierWait, BulkWait>(instruction);
}

// ---- launches -----------------------------------------------------------------------------------------------------

void record_plainly(Program& program) {
    std::vector<HostOperation> operations;
    for (HostOperation& operation : program.operations) {
        std::vector<Record> records;
        if (auto* grid = std::get_if<Grid>(&operation)) {
            if (grid->programmatic_event) {
                records.push_back({grid->programmatic_event->event, grid->stream});
            }
            if (grid->launch_completion_event) {
                records.push_back({*grid->launch_completion_event, grid->stream});
            }
            grid->programmatic_event.reset();
            grid->launch_completion_event.reset();
        }
        operations.push_back(std::move(operation));
        std::move(records.begin(), records.end(), std::back_inserter(operations));
    }
    program.operations = std::move(operations);
}

void use_one_stream(Program& program) {
    bool peer = false;
    edit_grids(program, [&](const Grid& grid) { peer |= grid.peer; });
    if (peer || program.streams.empty()) {
        return;
    }
    program.streams.resize(1);
    for (HostOperation& operation : program.operations) {
        std::visit(
            [&](auto& each) {
                if constexpr (requires { each.stream; }) {
                    each.stream = program.streams.front();
                }
            },
            operation);
    }
}

void serialise_program(Program& program) {
    edit_grids(program, [](Grid& grid) { grid.pss.reset(); });
    record_plainly(program);
    use_one_stream(program);
}

/// What runs, less what is claimed of it.
void run_as(Program& program, const Program& other) {
    Claim claim = program.claim;
    program = other;
    program.claim = std::move(claim);
}

// ---- what is stored, polled and read -------------------------------------------------------------------------------

struct Accessed {
    std::set<std::string> polled;
    std::set<std::string> read;
};

Accessed accessed(Program& program) {
    Accessed all;
    const auto note = Overloaded{[&](const Await& await) { all.polled.insert(await.element.location); },
                                 [&](const Load& load) { all.read.insert(load.element.location); },
                                 [&](const Atomic& atomic) {
                                     if (atomic.result) {
                                         all.read.insert(atomic.element.location);
                                     }
                                 },
                                 [&](const BulkCopy& copy) { all.read.insert(copy.source); }, [](const auto&) {}};
    edit_grids(program, [&](const Grid& grid) {
        for (const Agent& agent : grid.agents) {
            for (const Instruction& instruction : agent.instructions) {
                std::visit(note, instruction);
            }
        }
    });
    for (const HostOperation& operation : program.operations) {
        if (const auto* copy = std::get_if<Memcpy>(&operation)) {
            all.read.insert(copy->source);
        }
    }
    return all;
}

/// Where a store, or an atomic whose old value nobody wants, stores to.
const std::string* stored(const Instruction& instruction) {
    if (const auto* store = std::get_if<Store>(&instruction)) {
        return &store->element.location;
    }
    const auto* atomic = std::get_if<Atomic>(&instruction);
    return atomic != nullptr && !atomic->result ? &atomic->element.location : nullptr;
}

template <typename Which>
Changed drop_stores(const Litmus& sound, const Which& which) {
    return edit_programs(sound, [&](Program& program) {
        const Accessed all = accessed(program);
        edit_grids(program, [&](Grid& grid) {
            for (Agent& agent : grid.agents) {
                std::erase_if(agent.instructions, [&](const Instruction& each) {
                    const std::string* location = stored(each);
                    return location != nullptr && which(all, *location);
                });
                if (agent.instructions.empty()) {
                    agent.instructions.emplace_back(placeholder);
                }
            }
        });
    });
}

std::optional<Value> initial_value(const Program& program, const Grid& grid, const Element& element) {
    for (const std::vector<Location>* memory : {&grid.shared, &program.memory, &program.host_memory}) {
        for (const Location& location : *memory) {
            if (location.name == element.location) {
                return location.initial.at(element.position());
            }
        }
    }
    return std::nullopt;
}

/// Forgets the registers of an instruction; what it does otherwise, it still does. False where it has none.
bool forget_result(std::vector<Instruction>& instructions, std::size_t index) {
    return std::visit(Overloaded{[&](Load&) {
                                     instructions.erase(instructions.begin() + static_cast<std::ptrdiff_t>(index));
                                     return true;
                                 },
                                 [](auto& each) {
                                     if constexpr (requires { each.result.reset(); }) {
                                         const bool had = each.result.has_value();
                                         each.result.reset();
                                         return had;
                                     } else {
                                         return false;
                                     }
                                 }},
                      instructions[index]);
}

void forget_last_result(Program& program) {
    for (auto operation = program.operations.rbegin(); operation != program.operations.rend(); ++operation) {
        auto* grid = std::get_if<Grid>(&*operation);
        if (grid == nullptr) {
            continue;
        }
        for (auto agent = grid->agents.rbegin(); agent != grid->agents.rend(); ++agent) {
            for (std::size_t index = agent->instructions.size(); index-- > 0;) {
                if (forget_result(agent->instructions, index)) {
                    if (agent->instructions.empty()) {
                        agent->instructions.emplace_back(placeholder);
                    }
                    return;
                }
            }
        }
    }
}

} // namespace

Changed drop_wait(const Litmus& sound) {
    return drop<Wait>(sound);
}

Changed drop_trigger(const Litmus& sound) {
    return drop<Trigger>(sound);
}

Changed trigger_at_start(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        if (take_triggers(instructions)) {
            instructions.insert(instructions.begin(), Trigger{});
        }
    });
}

Changed trigger_at_end(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        if (take_triggers(instructions)) {
            const bool exits = !instructions.empty() && is_any<Exit>(instructions.back());
            instructions.insert(instructions.end() - (exits ? 1 : 0), Trigger{});
        }
    });
}

Changed drop_pss(const Litmus& sound) {
    return edit_programs(sound, [](Program& program) {
        edit_grids(program, [](Grid& grid) {
            // The attribute with the value 0 is as good as none.
            if (grid.has_pss()) {
                grid.pss.reset();
            }
        });
    });
}

Changed drop_event_attributes(const Litmus& sound) {
    return edit_programs(sound, record_plainly);
}

Changed serialise(const Litmus& sound) {
    return edit_programs(sound, serialise_program);
}

Changed program_is_control(const Litmus& sound) {
    Litmus changed = sound;
    if (sound.control) {
        run_as(changed.program, *sound.control);
    }
    return changed == sound ? std::nullopt : Changed(std::move(changed));
}

Changed control_is_program(const Litmus& sound) {
    Litmus changed = sound;
    if (sound.control) {
        run_as(*changed.control, sound.program);
    }
    return changed == sound ? std::nullopt : Changed(std::move(changed));
}

Changed drop_fences(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        std::erase_if(instructions, [](const Instruction& each) { return is_any<Fence>(each); });
        for (Instruction& instruction : instructions) {
            std::visit(
                [](auto& each) {
                    if constexpr (requires { each.element, each.ordering; }) {
                        each.ordering = each.ordering == Ordering::weak ? Ordering::weak : Ordering::relaxed;
                    }
                },
                instruction);
        }
    });
}

Changed narrow_scopes(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        for (Instruction& instruction : instructions) {
            std::visit(
                [](auto& each) {
                    if constexpr (requires { each.ordering, each.scope; }) {
                        if (each.ordering != Ordering::weak) {
                            each.scope = Scope::cta;
                        }
                    }
                },
                instruction);
        }
    });
}

Changed hoist_loads(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        std::stable_partition(std::find_if(instructions.begin(), instructions.end(), waits), instructions.end(),
                              [](const Instruction& each) { return is_any<Load>(each); });
    });
}

Changed hoist_stores(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        std::stable_partition(instructions.begin(), instructions.end(),
                              [](const Instruction& each) { return is_any<Store>(each); });
    });
}

Changed drop_flags(const Litmus& sound) {
    return drop_stores(sound,
                       [](const Accessed& all, const std::string& location) { return all.polled.contains(location); });
}

Changed drop_payload(const Litmus& sound) {
    return drop_stores(sound, [](const Accessed& all, const std::string& location) {
        return all.read.contains(location) && !all.polled.contains(location);
    });
}

Changed impatient(const Litmus& sound) {
    return edit_instructions(sound, [](std::vector<Instruction>& instructions) {
        std::erase_if(instructions, [](const Instruction& each) { return is_any<Delay>(each); });
        for (Instruction& instruction : instructions) {
            std::visit(
                [](auto& each) {
                    if constexpr (requires { each.within_nanoseconds; }) {
                        each.within_nanoseconds = 1;
                    }
                },
                instruction);
        }
    });
}

Changed false_arming(const Litmus& sound) {
    bool polls = false;
    Changed changed = edit_programs(sound, [&](Program& program) {
        edit_grids(program, [&](Grid& grid) {
            for (Agent& agent : grid.agents) {
                for (Instruction& instruction : agent.instructions) {
                    if (auto* await = std::get_if<Await>(&instruction)) {
                        await->value = initial_value(program, grid, await->element).value_or(await->value);
                        polls = true;
                    }
                }
            }
        });
        serialise_program(program);
    });
    return polls ? changed : std::nullopt;
}

Changed drop_result(const Litmus& sound) {
    return edit_programs(sound, forget_last_result);
}

} // namespace pdlcts::edits
