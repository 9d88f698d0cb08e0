// SPDX-License-Identifier: Apache-2.0
// Changes to random programs and plans whose effect is known without knowing their outcomes. Both the machine and its
// twin are held to them.
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/machine/small_program.hpp"
#include "conformance/machine/twin.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/counted.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

using namespace pdlcts;

namespace {

constexpr unsigned programs = 25;

// ---- who is held to it
// -----------------------------------------------------------------------------------------------

using Outcomes = std::optional<std::set<Outcome>>;

Outcomes of_machine(const Program& program, const Plan& plan) {
    const Exploration exploration = explore(program, plan, {2'000});
    if (!exploration.decided) {
        return std::nullopt;
    }
    std::set<Outcome> found;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        found.insert(outcome);
    }
    return found;
}

Outcomes of_twin(const Program& program, const Plan& plan) {
    const auto exploration = twin::explore(program, plan, 2'000);
    return exploration ? Outcomes(exploration->outcomes) : std::nullopt;
}

struct Explorer {
    std::string name;
    Outcomes (*outcomes)(const Program&, const Plan&);
};
const Explorer explorers[] = {{"the machine", of_machine}, {"the twin", of_twin}};

// ---- changes -------------------------------------------------------------------------------------------------------

struct Changed {
    Program program;
    Plan plan;
};

/// What may be made of a program and its plan; nothing where there is nothing to change.
using Change = std::function<std::vector<Changed>(const Program&, const Plan&)>;
using Themes = std::span<const Theme>;

Program random_program(unsigned seed, Themes themes = all_themes) {
    std::mt19937 random(seed);
    return small_random_program(random, themes[seed % themes.size()], 4 + seed % 4);
}

/// The first outcome that is in `fewer` alone, as text.
std::string added(const std::set<Outcome>& more, const std::set<Outcome>& fewer) {
    const auto found = std::find_if(fewer.begin(), fewer.end(), [&](const auto& each) { return !more.contains(each); });
    return found == fewer.end() ? "" : print(*found);
}

Program unchanged(const Program& program) {
    return program;
}

struct Experiment {
    unsigned first_seed = 0;
    unsigned count = programs;
    Themes themes = all_themes;
    Route route = Route::stream;
    std::function<Program(const Program&)> prepare = unchanged;
};

/// For the summary of all tests: what the running test case has compared.
void count(const Explorer& explorer, unsigned compared, const std::string& what, unsigned disagreements) {
    counted(explorer.name, ": ", doctest::getContextOptions()->currentTest->m_name, ": ", compared, " ", what, ", ",
            disagreements, " disagreements");
}

/// Compares random programs with what `change` makes of each. Gives the number of those that lost outcomes, by the
/// machine or by its twin, whichever are fewer.
unsigned never_adds(const Experiment& experiment, const Change& change) {
    unsigned fewest = ~0U;
    for (const Explorer& explorer : explorers) {
        unsigned compared = 0;
        unsigned lost = 0;
        unsigned disagreements = 0;
        for (unsigned seed = experiment.first_seed; seed < experiment.first_seed + experiment.count; ++seed) {
            const Program program = experiment.prepare(random_program(seed, experiment.themes));
            const Result<Plan> plan = lower(program, experiment.route);
            const std::vector<Changed> all = plan ? change(program, *plan) : std::vector<Changed>{};
            const Outcomes before = all.empty() ? std::nullopt : explorer.outcomes(program, *plan);
            for (std::size_t index = 0; before && index < all.size(); ++index) {
                const Outcomes after = explorer.outcomes(all[index].program, all[index].plan);
                compared += after ? 1 : 0;
                lost += after && after->size() < before->size() ? 1 : 0;
                disagreements += !after || added(*before, *after).empty() ? 0 : 1;
                CHECK_MESSAGE((!after || added(*before, *after).empty()),
                              explorer.name << ", seed " << seed << ", adds " << added(*before, *after) << "\n"
                                            << print(program) << "becomes\n"
                                            << print(all[index].program));
            }
        }
        count(explorer, compared, concat("changes, of which ", lost, " took outcomes away"), disagreements);
        fewest = std::min(fewest, lost);
    }
    return fewest;
}

template <typename Edit>
void edit_agents(Program& program, const Edit& edit) {
    for (HostOperation& operation : program.operations) {
        if (auto* grid = std::get_if<Grid>(&operation)) {
            for (Agent& agent : grid->agents) {
                edit(agent.instructions);
            }
        }
    }
}

template <typename Edit>
void edit_instructions(Program& program, const Edit& edit) {
    edit_agents(program, [&](std::vector<Instruction>& instructions) {
        std::for_each(instructions.begin(), instructions.end(), edit);
    });
}

/// The program with every instruction edited, if that changes it.
Change edit_every(const std::function<void(Instruction&)>& edit) {
    return [edit](const Program& program, const Plan& plan) {
        Changed changed{program, plan};
        edit_instructions(changed.program, edit);
        return changed.program == program ? std::vector<Changed>{} : std::vector<Changed>{changed};
    };
}

/// For each operation what `edit` makes of the program there, if that changes it.
Change edit_each_operation(const std::function<void(Program&, std::size_t)>& edit) {
    return [edit](const Program& program, const Plan& plan) {
        std::vector<Changed> all;
        for (std::size_t operation = 0; operation < program.operations.size(); ++operation) {
            Program changed = program;
            edit(changed, operation);
            if (const Result<Plan> new_plan = lower(changed, plan.route); new_plan && changed != program) {
                all.push_back({std::move(changed), *new_plan});
            }
        }
        return all;
    };
}

/// The program with an instruction between every two instructions of a thread.
Program interleaved(const Program& program, const Instruction& inserted) {
    Program changed = program;
    edit_agents(changed, [&](std::vector<Instruction>& instructions) {
        std::vector<Instruction> longer;
        for (const Instruction& instruction : instructions) {
            if (!longer.empty()) {
                longer.push_back(inserted);
            }
            longer.push_back(instruction);
        }
        instructions = std::move(longer);
    });
    return changed;
}

Change insert_between(const Instruction& inserted) {
    return [inserted](const Program& program, const Plan& plan) {
        return std::vector<Changed>{{interleaved(program, inserted), plan}};
    };
}

// ---- classes -------------------------------------------------------------------------------------------------------

void for_each_result(Instruction& instruction, const std::function<void(std::string&)>& function) {
    std::visit(
        [&](auto& operation) {
            if constexpr (requires { operation.results; }) {
                std::for_each(operation.results.begin(), operation.results.end(), function);
            } else if constexpr (requires { operation.result; }) {
                if (operation.result) {
                    function(*operation.result);
                }
            }
        },
        instruction);
}

/// Every block and thread of a class as an agent of its own, with registers of its own: `r1` becomes `r1_0_2`.
Program spelled_out(Program program) {
    for (HostOperation& operation : program.operations) {
        auto* grid = std::get_if<Grid>(&operation);
        if (grid == nullptr) {
            continue;
        }
        std::vector<Agent> agents;
        for (const Agent& agent : grid->agents) {
            for (unsigned block = agent.blocks.first; block <= agent.blocks.last; ++block) {
                for (unsigned thread = agent.threads.first; thread <= agent.threads.last; ++thread) {
                    Agent one{{block, block}, {thread, thread}, agent.instructions};
                    for (Instruction& instruction : one.instructions) {
                        for_each_result(instruction, [&](std::string& result) {
                            result += "_" + std::to_string(block) + "_" + std::to_string(thread);
                        });
                    }
                    agents.push_back(std::move(one));
                }
            }
        }
        grid->agents = std::move(agents);
    }
    return program;
}

std::set<Outcome> folded(const std::set<Outcome>& outcomes) {
    std::set<Outcome> all;
    for (const Outcome& outcome : outcomes) {
        Outcome joined;
        for (const auto& [name, values] : outcome) {
            joined[name.substr(0, name.find('_'))].insert(values.begin(), values.end());
        }
        all.insert(std::move(joined));
    }
    return all;
}

// ---- renaming ------------------------------------------------------------------------------------------------------

/// Turns the alphabetical order of the names round.
std::string renamed(const std::string& name) {
    if (name[0] == 'r') {
        return "q" + std::to_string(9000 - std::stoi(name.substr(1)));
    }
    if (name == "s" || name == "t" || name == "x" || name == "y") {
        return std::string(name == "t" || name == "y" ? "a" : "z") + "_renamed_" + (name < "u" ? "stream" : "memory");
    }
    return "renamed_" + name;
}

/// Everything named anew, and what has no order declared the other way round.
Program renamed(Program program) {
    std::reverse(program.memory.begin(), program.memory.end());
    std::reverse(program.host_memory.begin(), program.host_memory.end());
    for (HostOperation& operation : program.operations) {
        if (auto* grid = std::get_if<Grid>(&operation)) {
            std::reverse(grid->shared.begin(), grid->shared.end());
            std::reverse(grid->agents.begin(), grid->agents.end());
        }
    }
    const std::string text = print(program);
    const std::regex names("\\b(r[0-9]+|[gf][0-9]+|observer|other|full|[xystef])\\b");
    std::string changed;
    auto place = text.begin();
    for (std::sregex_iterator match(text.begin(), text.end(), names), end; match != end; ++match) {
        changed.append(place, text.begin() + match->position());
        changed += renamed(match->str());
        place = text.begin() + match->position() + match->length();
    }
    changed.append(place, text.end());
    const Result<Litmus> litmus = parse_litmus(changed, "renamed");
    REQUIRE_MESSAGE(litmus, litmus.error().message << "\n" << changed);
    return litmus->program;
}

Outcome renamed(const Outcome& outcome) {
    Outcome result;
    for (const auto& [name, values] : outcome) {
        result[renamed(name)] = values;
    }
    return result;
}

constexpr Theme launches[] = {Theme::trigger, Theme::event, Theme::anything};
constexpr Theme blocks[] = {Theme::shape, Theme::barrier, Theme::mbarrier};
constexpr Theme bulk_copies[] = {Theme::bulk};
constexpr Theme barriers[] = {Theme::barrier};
constexpr Theme shapes[] = {Theme::shape};

} // namespace

TEST_CASE("a wait at the start of a thread never adds outcomes") {
    const Change change = [](const Program& program, const Plan& plan) {
        std::vector<Changed> all;
        for (std::size_t operation = 0; operation < program.operations.size(); ++operation) {
            const auto* grid = std::get_if<Grid>(&program.operations[operation]);
            for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
                Changed& changed = all.emplace_back(Changed{program, plan});
                auto& instructions = std::get<Grid>(changed.program.operations[operation]).agents[agent].instructions;
                instructions.insert(instructions.begin(), Wait{});
            }
        }
        return all;
    };
    CHECK(never_adds({.first_seed = 10'000}, change) > 0);
    CHECK(never_adds({.first_seed = 10'000, .route = Route::captured}, change) > 0);
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
    CHECK(never_adds({.first_seed = 20'000}, change) > 0);
    CHECK(never_adds({.first_seed = 20'000, .route = Route::captured}, change) > 0);
}

TEST_CASE("taking pss away never adds outcomes in a stream") {
    CHECK(never_adds({.first_seed = 30'000}, edit_each_operation([](Program& program, std::size_t operation) {
                         if (auto* grid = std::get_if<Grid>(&program.operations[operation]);
                             grid != nullptr && grid->has_pss()) {
                             grid->pss.reset();
                         }
                     })) > 0);
}

TEST_CASE("a wait of the host for the whole device never adds outcomes") {
    CHECK(never_adds({.first_seed = 35'000}, edit_each_operation([](Program& program, std::size_t operation) {
                         if (operation > 0) {
                             program.operations.insert(
                                 program.operations.begin() + static_cast<std::ptrdiff_t>(operation), SyncDevice{});
                         }
                     })) > 0);
}

TEST_CASE("fences never add outcomes, and stronger ones never add to weaker ones") {
    const std::vector<Fence> fences = {{Ordering::acq_rel, Scope::cta},
                                       {Ordering::acq_rel, Scope::cluster},
                                       {Ordering::acq_rel, Scope::gpu},
                                       {Ordering::sc, Scope::gpu},
                                       {Ordering::sc, Scope::sys}};
    unsigned lost = never_adds({.first_seed = 40'000, .themes = shapes}, insert_between(fences.front()));
    for (std::size_t index = 0; index + 1 < fences.size(); ++index) {
        const Fence& weaker = fences[index];
        const Fence& stronger = fences[index + 1];
        CAPTURE(print(Instruction{stronger}));
        const auto prepare = [&](const Program& program) { return interleaved(program, weaker); };
        lost += never_adds({.first_seed = 50'000, .themes = shapes, .prepare = prepare},
                           edit_every([&](Instruction& instruction) {
                               if (auto* fence = std::get_if<Fence>(&instruction); fence && *fence == weaker) {
                                   *fence = stronger;
                               }
                           }));
    }
    CHECK(lost > 0);
}

TEST_CASE("accesses that synchronise never add outcomes to weak and relaxed ones") {
    CHECK(never_adds({.first_seed = 60'000}, edit_every([](Instruction& instruction) {
                         if (auto* load = std::get_if<Load>(&instruction);
                             load && load->cache == CacheOperator::unspecified) {
                             load->ordering = Ordering::acquire;
                         } else if (auto* store = std::get_if<Store>(&instruction)) {
                             store->ordering = Ordering::release;
                         } else if (auto* arrive = std::get_if<ClusterArrive>(&instruction)) {
                             arrive->ordering = Ordering::release;
                         }
                     })) > 0);
}

TEST_CASE("a wider scope never adds outcomes") {
    CHECK(never_adds({.first_seed = 65'000, .count = 3 * programs, .themes = blocks},
                     edit_every([](Instruction& instruction) {
                         std::visit(
                             [](auto& each) {
                                 if constexpr (requires { each.mbarrier; }) {
                                     // Of mbarriers there is none wider than cluster.
                                 } else if constexpr (requires { each.scope; }) {
                                     each.scope = each.scope == Scope::cta       ? Scope::cluster
                                                  : each.scope == Scope::cluster ? Scope::gpu
                                                                                 : Scope::sys;
                                 }
                             },
                             instruction);
                     })) > 0);
}

TEST_CASE("a proxy fence never adds outcomes") {
    CHECK(never_adds({.first_seed = 70'000, .count = 3 * programs, .themes = bulk_copies},
                     insert_between(ProxyFence{})) > 0);
}

TEST_CASE("bar.sync in the place of a named barrier of all threads never adds outcomes") {
    const Change change = [](const Program& program, const Plan& plan) {
        bool of_all = true;
        Changed changed{program, plan};
        edit_agents(changed.program, [&](std::vector<Instruction>& instructions) {
            const auto uses = std::count_if(instructions.begin(), instructions.end(), [](Instruction& instruction) {
                auto* barrier = std::get_if<Barrier>(&instruction);
                return barrier != nullptr && barrier->number != 0 ? (*barrier = Barrier{}, true) : false;
            });
            // Two barriers of different numbers are no two uses of one.
            of_all = of_all && uses == 1;
        });
        const auto& grid = std::get<Grid>(program.operations.front());
        of_all = of_all && program.operations.size() == 1 && grid.blocks == 1;
        return of_all ? std::vector<Changed>{changed} : std::vector<Changed>{};
    };
    CHECK(never_adds({.first_seed = 75'000, .count = 6 * programs, .themes = barriers}, change) > 0);
}

TEST_CASE("one to four blocks of a class do what each does on its own") {
    for (const Explorer& explorer : explorers) {
        unsigned compared = 0;
        unsigned disagreements = 0;
        for (unsigned seed = 90'000; seed < 90'000 + 4 * programs; ++seed) {
            Program program = random_program(seed, launches);
            for (HostOperation& operation : program.operations) {
                auto* grid = std::get_if<Grid>(&operation);
                if (grid != nullptr && grid->agents.size() == 1 && grid->name != "observer") {
                    grid->cluster = 1;
                    grid->blocks = 1 + seed / 3 % 4;
                    grid->agents.front().blocks = {0, grid->blocks - 1};
                }
            }
            const Program alone = spelled_out(program);
            const Result<Plan> plan = lower(program, Route::stream);
            REQUIRE(plan);
            const Outcomes together = explorer.outcomes(program, *plan);
            const Outcomes apart = explorer.outcomes(alone, *plan);
            if (together && apart) {
                ++compared;
                std::set<Outcome> expected;
                for (const Outcome& outcome : folded(*apart)) {
                    expected.insert(outcome);
                }
                disagreements += *together == expected ? 0 : 1;
                CHECK_MESSAGE(*together == expected, explorer.name << ", seed " << seed << "\n" << print(program));
            }
        }
        count(explorer, compared, "programs", disagreements);
        CHECK(compared > programs);
    }
}

TEST_CASE("names and the order of their declaration mean nothing") {
    for (const Explorer& explorer : explorers) {
        unsigned compared = 0;
        unsigned disagreements = 0;
        for (unsigned seed = 80'000; seed < 80'000 + programs; ++seed) {
            const Program program = random_program(seed);
            const Program other = renamed(program);
            for (const Route route : basic_routes) {
                const Result<Plan> plan = lower(program, route);
                const Result<Plan> other_plan = lower(other, route);
                REQUIRE(static_cast<bool>(plan) == static_cast<bool>(other_plan));
                const Outcomes before = plan ? explorer.outcomes(program, *plan) : std::nullopt;
                const Outcomes after = plan ? explorer.outcomes(other, *other_plan) : std::nullopt;
                if (before && after) {
                    std::set<Outcome> expected;
                    for (const Outcome& outcome : *before) {
                        expected.insert(renamed(outcome));
                    }
                    ++compared;
                    disagreements += *after == expected ? 0 : 1;
                    CHECK_MESSAGE(*after == expected, explorer.name << ", seed " << seed << "\n" << print(program));
                }
            }
        }
        count(explorer, compared, "plans", disagreements);
        CHECK(compared > programs);
    }
}
