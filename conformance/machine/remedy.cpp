// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/diagnosis.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

std::string quoted(const std::string& text) {
    return "`" + text + "`";
}

/// Proposes changes for one read. Every change is made in a copy of the program.
class Proposer {
public:
    Proposer(const Program& program, const Plan& plan, std::vector<Remedy>& candidates)
        : program_(program), plan_(plan), candidates_(candidates) {}

    void propose(const DecidingRead& deciding) {
        if (!deciding.write) {
            return;
        }
        const Place& read = deciding.at_fault.place;
        const Place& write = deciding.write->place;
        if (deciding.stale) {
            let_wait(read);
            barrier_behind_wait_of_another(read);
            fence_before_trigger(write, read);
            widen_scopes(write, read);
            release_at_cluster_barriers(read.node);
            finish_copies(write);
            without_nc(read);
            proxy_fence(read);
            let_those_between_wait(write, read);
            order_by_host(write.node, read.node);
            without_pss(read.node);
        } else {
            // The value came from a write that ought not to have happened yet.
            let_wait(write);
            order_by_host(read.node, write.node);
            without_pss(write.node);
        }
    }

private:
    std::size_t operation_of(std::size_t node) const { return plan_.nodes[node].operation; }
    const Grid* grid_of(std::size_t node) const { return std::get_if<Grid>(&program_.operations[operation_of(node)]); }
    Grid& grid_in(Program& program, std::size_t node) const {
        return std::get<Grid>(program.operations[operation_of(node)]);
    }
    void add(std::string change, Program program) { candidates_.push_back({std::move(change), std::move(program)}); }

    Program with_inserted(const Place& place, const Instruction& instruction) const {
        Program changed = program_;
        std::vector<Instruction>& instructions = grid_in(changed, place.node).agents[place.agent].instructions;
        instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(place.instruction), instruction);
        return changed;
    }

    static const Instruction& instruction_at(const Grid& grid, const Place& place) {
        return grid.agents[place.agent].instructions[place.instruction];
    }

    static bool holds_wait(const Instruction& instruction) { return std::holds_alternative<Wait>(instruction); }

    /// Whether a wait has something to wait for.
    bool depends_programmatically(std::size_t node) const {
        const std::vector<Dependency>& dependencies = plan_.nodes[node].dependencies;
        return std::any_of(dependencies.begin(), dependencies.end(), [](const Dependency& dependency) {
            return dependency.type == DependencyType::programmatic;
        });
    }

    bool waits_before(const Place& place) const {
        const std::vector<Instruction>& instructions = grid_of(place.node)->agents[place.agent].instructions;
        return std::any_of(instructions.begin(), instructions.begin() + static_cast<std::ptrdiff_t>(place.instruction),
                           holds_wait);
    }

    std::string before(const Place& place) const {
        return concat(" before ", quoted(instruction_text(program_, plan_, place)), " in ",
                      actor(program_, plan_, place));
    }

    void let_wait(const Place& place) {
        const Grid* const grid = grid_of(place.node);
        if (grid == nullptr) {
            return;
        }
        if (!waits_before(place) && depends_programmatically(place.node)) {
            add("`wait`" + before(place), with_inserted(place, Wait{}));
        }
    }

    void proxy_fence(const Place& copy) {
        const Grid* const grid = grid_of(copy.node);
        if (grid == nullptr || !std::holds_alternative<BulkCopy>(instruction_at(*grid, copy))) {
            return;
        }
        add("`fence.proxy.async`" + before(copy), with_inserted(copy, ProxyFence{}));
        if (!waits_before(copy) && depends_programmatically(copy.node)) {
            Program waits_too = with_inserted(copy, ProxyFence{});
            std::vector<Instruction>& instructions = grid_in(waits_too, copy.node).agents[copy.agent].instructions;
            instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(copy.instruction), Wait{});
            add("`wait` and then `fence.proxy.async`" + before(copy), std::move(waits_too));
        }
    }

    /// The wait of another thread of the block, passed on by a barrier that all agents of the block join.
    void barrier_behind_wait_of_another(const Place& read) {
        const Grid* const grid = grid_of(read.node);
        if (grid == nullptr) {
            return;
        }
        const Range& blocks = grid->agents[read.agent].blocks;
        for (std::size_t waiting = 0; waiting < grid->agents.size(); ++waiting) {
            const std::vector<Instruction>& instructions = grid->agents[waiting].instructions;
            const auto wait = std::find_if(instructions.begin(), instructions.end(), holds_wait);
            if (waiting == read.agent || wait == instructions.end() || grid->agents[waiting].blocks != blocks) {
                continue;
            }
            Program changed = with_inserted(read, Barrier{});
            std::vector<Agent>& agents = grid_in(changed, read.node).agents;
            for (std::size_t agent = 0; agent < agents.size(); ++agent) {
                if (agent == read.agent || agents[agent].blocks.last < blocks.first ||
                    blocks.last < agents[agent].blocks.first) {
                    continue;
                }
                std::vector<Instruction>& others = agents[agent].instructions;
                const bool exits = !others.empty() && std::holds_alternative<Exit>(others.back());
                const auto place = agent == waiting ? wait - instructions.begin() + 1
                                                    : static_cast<std::ptrdiff_t>(others.size()) - (exits ? 1 : 0);
                others.insert(others.begin() + place, Barrier{});
            }
            add(concat("`bar.sync` for the whole block, behind the `wait` in ",
                       actor(program_, plan_, Place{read.node, waiting, 0}), " and", before(read)),
                std::move(changed));
        }
    }

    void fence_before_trigger(const Place& write, const Place& read) {
        const Grid* const writing = grid_of(write.node);
        const Grid* const reading = grid_of(read.node);
        if (writing == nullptr || reading == nullptr || write.node == read.node) {
            return;
        }
        const Fence fence{Ordering::acq_rel, gpu_scope(*writing) == gpu_scope(*reading) ? Scope::gpu : Scope::sys};
        const std::vector<Instruction>& instructions = writing->agents[write.agent].instructions;
        for (std::size_t index = write.instruction + 1; index < instructions.size(); ++index) {
            if (std::holds_alternative<Trigger>(instructions[index])) {
                const Place trigger{write.node, write.agent, index};
                add(quoted(print(Instruction{fence})) + before(trigger), with_inserted(trigger, fence));
                return;
            }
        }
    }

    /// The synchronization that is there, at a scope that holds both ends.
    void widen_scopes(const Place& write, const Place& read) {
        const Grid* const writing = grid_of(write.node);
        const Grid* const reading = grid_of(read.node);
        const bool one_scope = writing != nullptr && reading != nullptr && gpu_scope(*writing) == gpu_scope(*reading);
        const Scope wide = one_scope ? Scope::gpu : Scope::sys;
        Program changed = program_;
        std::set<std::string> instead_of;
        for (const std::size_t node : {write.node, read.node}) {
            for_each_instruction(changed, node, [&](Instruction& instruction) {
                const std::string before = print(instruction);
                std::visit(
                    [&](auto& each) {
                        if constexpr (requires { each.ordering, each.scope; }) {
                            each.scope = each.ordering == Ordering::weak ? each.scope : std::max(each.scope, wide);
                        }
                    },
                    instruction);
                if (print(instruction) != before) {
                    instead_of.insert(quoted(before));
                }
            });
        }
        if (!instead_of.empty()) {
            std::string list;
            for (const std::string& text : instead_of) {
                list += (list.empty() ? "" : ", ") + text;
            }
            add(concat("scope ", one_scope ? "gpu" : "sys", " in ", list), std::move(changed));
        }
    }

    template <typename Edit>
    void for_each_instruction(Program& program, std::size_t node, const Edit& edit) const {
        if (grid_of(node) == nullptr) {
            return;
        }
        for (Agent& agent : grid_in(program, node).agents) {
            std::for_each(agent.instructions.begin(), agent.instructions.end(), edit);
        }
    }

    void release_at_cluster_barriers(std::size_t node) {
        Program changed = program_;
        for_each_instruction(changed, node, [](Instruction& instruction) {
            if (auto* arrive = std::get_if<ClusterArrive>(&instruction)) {
                arrive->ordering = Ordering::release;
            }
        });
        if (changed.operations != program_.operations) {
            add(concat("`barrier.cluster.arrive.release` in the place of `.relaxed` in ", grid_of(node)->name),
                std::move(changed));
        }
    }

    void finish_copies(const Place& write) {
        if (grid_of(write.node) == nullptr) {
            return;
        }
        Program changed = program_;
        for (Instruction& instruction : grid_in(changed, write.node).agents[write.agent].instructions) {
            if (auto* wait = std::get_if<BulkWait>(&instruction)) {
                wait->read = false;
            }
        }
        if (changed.operations != program_.operations) {
            add(concat("`cp.async.bulk.wait_group` without .read in ", actor(program_, plan_, write)),
                std::move(changed));
        }
    }

    void without_nc(const Place& place) {
        const Grid* const grid = grid_of(place.node);
        const auto* load = grid == nullptr ? nullptr : std::get_if<Load>(&instruction_at(*grid, place));
        if (load != nullptr && load->cache == CacheOperator::nc) {
            Program changed = program_;
            std::get<Load>(grid_in(changed, place.node).agents[place.agent].instructions[place.instruction]).cache =
                CacheOperator::unspecified;
            add(concat(quoted(instruction_text(program_, plan_, place)), " without .nc"), std::move(changed));
        }
    }

    /// In a chain: a wait at the beginning of a grid between the two.
    void let_those_between_wait(const Place& write, const Place& read) {
        for (std::size_t node = write.node + 1; node < read.node; ++node) {
            const Grid* const grid = grid_of(node);
            if (grid == nullptr || grid->agents.empty()) {
                continue;
            }
            add(concat("`wait` first of all in ", actor(program_, plan_, Place{node, 0, 0})),
                with_inserted(Place{node, 0, 0}, Wait{}));
        }
    }

    std::string new_event() const {
        std::set<std::string> taken;
        for (const HostOperation& operation : program_.operations) {
            if (const auto* record = std::get_if<Record>(&operation)) {
                taken.insert(record->event);
            } else if (const auto* grid = std::get_if<Grid>(&operation)) {
                taken.insert(grid->programmatic_event ? grid->programmatic_event->event : "");
                taken.insert(grid->launch_completion_event.value_or(""));
            }
        }
        std::string event = "done";
        for (unsigned number = 2; taken.contains(event); ++number) {
            event = concat("done", number);
        }
        return event;
    }

    /// An event, or where the host reads, a sync.
    void order_by_host(std::size_t earlier, std::size_t later) {
        if (earlier >= later) {
            return;
        }
        const std::string* const from = stream_of(program_.operations[operation_of(earlier)]);
        const std::string* const to = stream_of(program_.operations[operation_of(later)]);
        const auto at = [&](std::size_t operation) { return static_cast<std::ptrdiff_t>(operation); };
        if (from == nullptr) {
            return;
        }
        const std::string on = *from == only_stream ? "" : " on " + *from;
        if (to == nullptr) {
            Program synchronized = program_;
            synchronized.operations.insert(synchronized.operations.begin() + at(operation_of(later)),
                                           SyncStream{*from});
            add(concat(quoted("sync stream" + on), " before ", quoted(node_name(program_, plan_.nodes[later]))),
                std::move(synchronized));
        } else if (*from != *to) {
            const std::string event = new_event();
            Program ordered = program_;
            ordered.operations.insert(ordered.operations.begin() + at(operation_of(later)), WaitEvent{event, *to});
            ordered.operations.insert(ordered.operations.begin() + at(operation_of(earlier)) + 1, Record{event, *from});
            add(concat("an ordinary event between the streams: ", quoted("record " + event + on), " behind ",
                       node_name(program_, plan_.nodes[earlier]), ", ", quoted("wait_event " + event + " on " + *to),
                       " before ", node_name(program_, plan_.nodes[later])),
                std::move(ordered));
        }
    }

    void without_pss(std::size_t node) {
        if (const Grid* const grid = grid_of(node); grid != nullptr && grid->has_pss()) {
            Program plain = program_;
            grid_in(plain, node).pss.reset();
            add(concat(grid->name, " without `pss`"), std::move(plain));
        }
    }

    const Program& program_;
    const Plan& plan_;
    std::vector<Remedy>& candidates_;
};

bool holds(const Program& program, Route route, const Limits& limits) {
    const Result<Plan> plan = lower(program, route);
    // What breaks a rule of the language is no advice.
    if (!plan || !parse_litmus(print(program), "changed.litmus")) {
        return false;
    }
    const Exploration exploration = explore(program, *plan, limits);
    return exploration.decided && !exploration.stuck &&
           std::none_of(exploration.outcomes.begin(), exploration.outcomes.end(),
                        [&](const auto& entry) { return matches(*program.claim.never, entry.first); });
}

} // namespace

std::vector<Remedy> remedies(const Program& program, const Plan& plan, const std::vector<DecidingRead>& reads,
                             const Limits& limits) {
    std::vector<Remedy> candidates;
    Proposer proposer(program, plan, candidates);
    for (const DecidingRead& read : reads) {
        proposer.propose(read);
    }
    std::vector<Remedy> helpful;
    std::set<std::string> tried;
    for (Remedy& candidate : candidates) {
        if (tried.insert(candidate.change).second && holds(candidate.changed, plan.route, limits)) {
            helpful.push_back(std::move(candidate));
        }
    }
    return helpful;
}

} // namespace pdlcts
