// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/twin_code.hpp"

#include <algorithm>

namespace pdlcts::twin {
namespace {

std::size_t location_index(const Program& program, const std::string& name) {
    const auto found = std::find_if(program.memory.begin(), program.memory.end(),
                                    [&](const Location& location) { return location.name == name; });
    return static_cast<std::size_t>(found - program.memory.begin());
}

Instance instance_of(const Program& program, const Instruction& instruction) {
    Instance made;
    made.instruction = instruction;
    const auto access = [&](const auto& operation) {
        made.location = location_index(program, operation.location);
        made.strong = true;
    };
    const auto ordered = [&](const auto& operation) {
        access(operation);
        made.strong = operation.ordering != Ordering::weak;
        made.wide = operation.scope != Scope::cta;
        made.acquires = operation.ordering == Ordering::acquire || operation.ordering == Ordering::acq_rel;
        made.releases = operation.ordering == Ordering::release || operation.ordering == Ordering::acq_rel;
    };
    std::visit(Overloaded{[&](const Load& load) {
                              ordered(load);
                              made.reads = true;
                              made.result = load.result;
                          },
                          [&](const Store& store) {
                              ordered(store);
                              made.writes = true;
                          },
                          [&](const Atomic& atomic) {
                              ordered(atomic);
                              made.reads = made.writes = true;
                              made.result = atomic.result;
                          },
                          [&](const Await& await) {
                              access(await);
                              made.reads = made.is_control = true;
                              made.result = await.result;
                          },
                          [&](const Fence& fence) {
                              made.is_fence = true;
                              made.wide = fence.scope != Scope::cta;
                          },
                          [&](const auto&) { made.is_control = true; }},
               instruction);
    return made;
}

/// `delay` means nothing; an `await` whose answer nobody keeps has no effect.
bool has_effect(const Instruction& instruction) {
    const auto* await = std::get_if<Await>(&instruction);
    return !std::holds_alternative<Delay>(instruction) && (await == nullptr || await->result.has_value());
}

void add_thread(Code& code, const std::vector<Instruction>& instructions) {
    Events thread = 0;
    for (const Instruction& instruction : instructions) {
        if (has_effect(instruction)) {
            Instance made = instance_of(code.program, instruction);
            made.block = code.blocks.size() - 1;
            made.earlier = thread;
            thread |= code.events.size() < 64 ? only(code.events.size()) : 0;
            code.events.push_back(std::move(made));
        }
    }
    code.blocks.back().threads.push_back(thread);
}

/// What PTX leaves open between two instructions of a thread stays open.
bool is_ordered(const Instance& earlier, const Instance& later, bool block_scope_orders) {
    const auto counts = [&](const Instance& instance) { return instance.wide || block_scope_orders; };
    return earlier.is_control || later.is_control || (earlier.is_fence && (counts(earlier) || later.is_fence)) ||
           (later.is_fence && counts(later)) || (earlier.acquires && counts(earlier)) ||
           (later.releases && counts(later)) ||
           (earlier.accesses() && later.accesses() && earlier.location == later.location);
}

/// Operations of block scope order their thread's accesses only where no other block touches any of its locations.
bool block_scope_orders(const Code& code, const Instance& instance, Events thread) {
    bool alone = true;
    for_each(thread, [&](std::size_t event) {
        for (const Instance& other : code.events) {
            alone = alone && !(code.events[event].accesses() && other.accesses() && other.block != no_block &&
                               other.block != instance.block && other.location == code.events[event].location);
        }
    });
    return alone;
}

void order(Code& code) {
    for (const Block& block : code.blocks) {
        for (const Events thread : block.threads) {
            for_each(thread, [&](std::size_t event) {
                Instance& later = code.events[event];
                const bool orders = block_scope_orders(code, later, thread);
                for_each(later.earlier, [&](std::size_t earlier) {
                    later.after |= is_ordered(code.events[earlier], later, orders) ? only(earlier) : 0;
                });
            });
        }
    }
}

} // namespace

Code spell_out(const Program& program, const Plan& plan) {
    Code code{program, plan, {}, {}};
    for (std::size_t location = 0; location < program.memory.size(); ++location) {
        Instance initial;
        initial.location = location;
        initial.writes = initial.strong = true;
        code.events.push_back(initial);
    }
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        const HostOperation& operation = program.operations[plan.nodes[node].operation];
        if (const auto* memset = std::get_if<Memset>(&operation)) {
            code.blocks.push_back({node, {}});
            add_thread(code, {Store{Ordering::weak, Scope::sys, memset->location, memset->word()}});
            continue;
        }
        const Grid& grid = std::get<Grid>(operation);
        for (unsigned block = 0; block < grid.blocks; ++block) {
            code.blocks.push_back({node, {}});
            for (const Agent& agent : grid.agents) {
                for (unsigned thread = 0; agent.blocks.contains(block) && thread < agent.threads.size(); ++thread) {
                    add_thread(code, agent.instructions);
                }
            }
        }
    }
    order(code);
    return code;
}

} // namespace pdlcts::twin
