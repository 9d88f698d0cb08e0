// SPDX-License-Identifier: Apache-2.0
// Changes to random programs and plans whose effect is known without knowing their outcomes.
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/machine/small_program.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace pdlcts;

namespace {

constexpr unsigned programs = 100;

std::optional<std::set<Outcome>> outcomes(const Program& program, const Plan& plan) {
    const Exploration exploration = explore(program, plan, {400});
    if (!exploration.decided) {
        return std::nullopt;
    }
    std::set<Outcome> found;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        found.insert(outcome);
    }
    return found;
}

/// The first outcome that is in `fewer` alone, as text.
std::string added(const std::set<Outcome>& more, const std::set<Outcome>& fewer) {
    for (const Outcome& outcome : fewer) {
        if (!more.contains(outcome)) {
            return print(outcome);
        }
    }
    return "";
}

struct Changed {
    Program program;
    Plan plan;
};

using Change = std::function<std::vector<Changed>(const Program&, const Plan&)>;

Program random_program(unsigned seed) {
    std::mt19937 random(seed);
    return small_random_program(random, 4 + seed % 4);
}

Program unchanged(const Program& program) {
    return program;
}

/// Compares random programs with what `change` makes of each, and gives the number of those that lost outcomes.
unsigned never_adds(unsigned first_seed, Route route, const Change& change,
                    const std::function<Program(const Program&)>& prepare = unchanged, unsigned count = programs) {
    unsigned compared = 0;
    unsigned lost = 0;
    for (unsigned seed = first_seed; seed < first_seed + count; ++seed) {
        const Program program = prepare(random_program(seed));
        const Result<Plan> plan = lower(program, route);
        const auto before = plan ? outcomes(program, *plan) : std::nullopt;
        if (!before) {
            continue;
        }
        for (const Changed& changed : change(program, *plan)) {
            const auto after = outcomes(changed.program, changed.plan);
            if (after) {
                ++compared;
                lost += after->size() < before->size() ? 1 : 0;
                CHECK_MESSAGE(added(*before, *after).empty(), "seed " << seed << " adds " << added(*before, *after)
                                                                      << "\n"
                                                                      << print(program) << "becomes\n"
                                                                      << print(changed.program));
            }
        }
    }
    MESSAGE(compared << " changes compared, of which " << lost << " took outcomes away");
    return lost;
}

/// Each program that `edit` makes of one place of the program at which it changes something.
template <typename Edit>
std::vector<Changed> edit_each_agent(const Program& program, const Plan& plan, const Edit& edit) {
    std::vector<Changed> all;
    for (std::size_t operation = 0; operation < program.operations.size(); ++operation) {
        const auto* grid = std::get_if<Grid>(&program.operations[operation]);
        for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
            Changed changed{program, plan};
            edit(std::get<Grid>(changed.program.operations[operation]).agents[agent].instructions);
            if (changed.program != program) {
                all.push_back(std::move(changed));
            }
        }
    }
    return all;
}

/// The program with every instruction edited, if that changes it.
Change edit_every(const std::function<void(Instruction&)>& edit) {
    return [edit](const Program& program, const Plan& plan) {
        Changed changed{program, plan};
        for (HostOperation& operation : changed.program.operations) {
            auto* grid = std::get_if<Grid>(&operation);
            for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
                for (Instruction& instruction : grid->agents[agent].instructions) {
                    edit(instruction);
                }
            }
        }
        return changed.program == program ? std::vector<Changed>{} : std::vector<Changed>{changed};
    };
}

/// The program with a fence between every two instructions of a thread.
Program fenced(const Program& program, const Instruction& inserted) {
    Program changed = program;
    for (HostOperation& operation : changed.operations) {
        auto* grid = std::get_if<Grid>(&operation);
        for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
            std::vector<Instruction> instructions;
            for (const Instruction& instruction : grid->agents[agent].instructions) {
                if (!instructions.empty()) {
                    instructions.push_back(inserted);
                }
                instructions.push_back(instruction);
            }
            grid->agents[agent].instructions = std::move(instructions);
        }
    }
    return changed;
}

// ---- renaming ------------------------------------------------------------------------------------------------------

// Each turns the alphabetical order of the names round.
void rename_location(std::string& name) {
    name = std::string(1, static_cast<char>('x' + 'z' - name[0])) + "_renamed";
}
void rename_stream(std::string& name) {
    name = name == "s" ? "u" : (name == "t" ? "a" : name);
}
std::string renamed_result(const std::string& name) {
    return "q" + std::to_string(9000 - std::stoi(name.substr(1)));
}

void rename_instruction(Instruction& instruction) {
    std::visit(
        [](auto& operation) {
            if constexpr (requires { operation.location; }) {
                rename_location(operation.location);
            }
            if constexpr (requires { *operation.result; }) {
                operation.result = operation.result ? std::optional(renamed_result(*operation.result)) : std::nullopt;
            } else if constexpr (requires { operation.result; }) {
                operation.result = renamed_result(operation.result);
            }
        },
        instruction);
}

void rename_operation(HostOperation& operation) {
    std::visit([](auto& any) { rename_stream(any.stream); }, operation);
    std::visit(Overloaded{[](Memset& memset) { rename_location(memset.location); },
                          [](Grid& grid) {
                              grid.name = "renamed_" + grid.name;
                              if (grid.programmatic_event) {
                                  grid.programmatic_event->event += "_renamed";
                              }
                              if (grid.launch_completion_event) {
                                  *grid.launch_completion_event += "_renamed";
                              }
                              std::reverse(grid.agents.begin(), grid.agents.end());
                              for (Agent& agent : grid.agents) {
                                  std::for_each(agent.instructions.begin(), agent.instructions.end(),
                                                rename_instruction);
                              }
                          },
                          [](auto& of_event) { of_event.event += "_renamed"; }},
               operation);
}

/// Everything named anew, and what has no order declared the other way round.
Program renamed(Program program) {
    std::reverse(program.memory.begin(), program.memory.end());
    for (Location& location : program.memory) {
        rename_location(location.name);
    }
    std::for_each(program.streams.begin(), program.streams.end(), rename_stream);
    std::for_each(program.operations.begin(), program.operations.end(), rename_operation);
    return program;
}

Outcome renamed(const Outcome& outcome) {
    Outcome result;
    for (const auto& [name, values] : outcome) {
        result[renamed_result(name)] = values;
    }
    return result;
}

} // namespace

TEST_CASE("a wait at the start of a thread never adds outcomes") {
    const Change change = [](const Program& program, const Plan& plan) {
        return edit_each_agent(program, plan, [](std::vector<Instruction>& instructions) {
            std::vector<Instruction> waiting{Wait{}};
            waiting.insert(waiting.end(), instructions.begin(), instructions.end());
            instructions = std::move(waiting);
        });
    };
    CHECK(never_adds(10'000, Route::stream, change) > 0);
    CHECK(never_adds(10'000, Route::captured, change) > 0);
}

TEST_CASE("a dependency that is made a full one never adds outcomes") {
    const Change change = [](const Program& program, const Plan& plan) {
        std::vector<Changed> all;
        for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
            for (std::size_t index = 0; index < plan.nodes[node].dependencies.size(); ++index) {
                Changed changed{program, plan};
                Dependency& dependency = changed.plan.nodes[node].dependencies[index];
                dependency.type = DependencyType::full;
                dependency.port = Port::full;
                if (changed.plan != plan) {
                    all.push_back(std::move(changed));
                }
            }
        }
        return all;
    };
    CHECK(never_adds(20'000, Route::stream, change) > 0);
    CHECK(never_adds(20'000, Route::captured, change) > 0);
}

TEST_CASE("taking pss away never adds outcomes in a stream") {
    const Change change = [](const Program& program, const Plan&) {
        std::vector<Changed> all;
        for (std::size_t operation = 0; operation < program.operations.size(); ++operation) {
            Program changed = program;
            auto* grid = std::get_if<Grid>(&changed.operations[operation]);
            if (grid != nullptr && grid->has_pss()) {
                grid->pss.reset();
                all.push_back({changed, *lower(changed, Route::stream)});
            }
        }
        return all;
    };
    CHECK(never_adds(30'000, Route::stream, change) > 0);
}

TEST_CASE("fences never add outcomes, and stronger ones never add to weaker ones") {
    const std::vector<Fence> fences = {{Ordering::acq_rel, Scope::cta},
                                       {Ordering::sc, Scope::cta},
                                       {Ordering::acq_rel, Scope::gpu},
                                       {Ordering::sc, Scope::gpu},
                                       {Ordering::sc, Scope::sys}};
    unsigned lost = never_adds(40'000, Route::stream, [&](const Program& program, const Plan& plan) {
        return std::vector<Changed>{{fenced(program, fences.front()), plan}};
    });
    for (std::size_t index = 0; index + 1 < fences.size(); ++index) {
        const Fence& weaker = fences[index];
        const Fence& stronger = fences[index + 1];
        CAPTURE(print(stronger));
        const Change change = edit_every([&](Instruction& instruction) {
            if (auto* fence = std::get_if<Fence>(&instruction); fence && *fence == weaker) {
                *fence = stronger;
            }
        });
        lost += never_adds(
            50'000, Route::stream, change, [&](const Program& program) { return fenced(program, weaker); },
            programs / 2);
    }
    CHECK(lost > 0);
}

TEST_CASE("accesses that synchronise never add outcomes to weak and relaxed ones") {
    const Change change = edit_every([](Instruction& instruction) {
        if (auto* load = std::get_if<Load>(&instruction); load && load->cache == CacheOperator::unspecified) {
            load->ordering = Ordering::acquire;
        } else if (auto* store = std::get_if<Store>(&instruction)) {
            store->ordering = Ordering::release;
        }
    });
    CHECK(never_adds(60'000, Route::stream, change, unchanged, 5 * programs) > 0);
}

TEST_CASE("names and the order of their declaration mean nothing") {
    unsigned compared = 0;
    for (unsigned seed = 80'000; seed < 80'000 + programs; ++seed) {
        const Program program = random_program(seed);
        const Program other = renamed(program);
        for (const Route route : all_routes) {
            const Result<Plan> plan = lower(program, route);
            const Result<Plan> other_plan = lower(other, route);
            REQUIRE(static_cast<bool>(plan) == static_cast<bool>(other_plan));
            const auto before = plan ? outcomes(program, *plan) : std::nullopt;
            const auto after = plan ? outcomes(other, *other_plan) : std::nullopt;
            if (before && after) {
                std::set<Outcome> expected;
                for (const Outcome& outcome : *before) {
                    expected.insert(renamed(outcome));
                }
                ++compared;
                CHECK_MESSAGE(*after == expected, "seed " << seed << "\n" << print(program));
            }
        }
    }
    MESSAGE(compared << " renamed plans compared");
    CHECK(compared > programs);
}
