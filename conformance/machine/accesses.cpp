// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/accesses.hpp"

#include "conformance/litmus/printer.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

const Location* find_location(const std::vector<Location>& locations, const std::string& name) {
    const auto found = std::find_if(locations.begin(), locations.end(),
                                    [&](const Location& location) { return location.name == name; });
    return found == locations.end() ? nullptr : &*found;
}

const Location* find_location(const Program& program, const Grid* grid, const std::string& name) {
    const Location* found = grid == nullptr ? nullptr : find_location(grid->shared, name);
    found = found != nullptr ? found : find_location(program.memory, name);
    return found != nullptr ? found : find_location(program.host_memory, name);
}

Element lane_of(const Element& element, std::size_t lane) {
    Element each = element;
    if (each.index) {
        *each.index += static_cast<unsigned>(lane);
    }
    return each;
}

/// Calls `visit(place, instruction)` for every instruction of every grid, host function and host access, and
/// `visit_node(place, operation)` for every other node.
template <typename Visit, typename VisitNode>
void for_each_instruction(const Program& program, const Plan& plan, const Visit& visit, const VisitNode& visit_node) {
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        const HostOperation& operation = program.operations[plan.nodes[node].operation];
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            for (std::size_t agent = 0; agent < grid->agents.size(); ++agent) {
                const std::vector<Instruction>& instructions = grid->agents[agent].instructions;
                for (std::size_t index = 0; index < instructions.size(); ++index) {
                    std::visit(
                        [&](const auto& each) {
                            visit(Place{node, agent, index}, grid, each);
                        },
                        instructions[index]);
                }
            }
        } else if (const auto* function = std::get_if<HostFunction>(&operation)) {
            for (std::size_t index = 0; index < function->instructions.size(); ++index) {
                std::visit(
                    [&](const auto& each) {
                        visit(Place{node, 0, index}, nullptr, each);
                    },
                    function->instructions[index]);
            }
        } else {
            std::visit([&](const auto& each) { visit_node(Place{node, 0, 0}, each); }, operation);
        }
    }
}

} // namespace

std::vector<WriteAccess> writes_of(const Program& program, const Plan& plan) {
    std::vector<WriteAccess> writes;
    const auto add_whole = [&](const Place& place, const Grid* grid, const std::string& name,
                               const std::optional<Value>& value) {
        const Location* const location = find_location(program, grid, name);
        for (unsigned index = 0; location != nullptr && index < location->elements(); ++index) {
            writes.push_back({place, {name, location->array ? std::optional(index) : std::nullopt, {}}, value});
        }
    };
    const auto instruction = Overloaded{
        [&](const Place& place, const Grid*, const Store& store) {
            for (std::size_t lane = 0; lane < store.values.size(); ++lane) {
                writes.push_back({place, lane_of(store.element, lane), store.values[lane]});
            }
        },
        [&](const Place& place, const Grid*, const Atomic& atomic) {
            const bool stores_operand =
                atomic.operation == AtomicOperation::exch || atomic.operation == AtomicOperation::cas;
            writes.push_back({place, atomic.element, stores_operand ? std::optional(atomic.operand) : std::nullopt});
        },
        [&](const Place& place, const Grid* grid, const BulkCopy& copy) {
            add_whole(place, grid, copy.destination, std::nullopt);
        },
        [&](const Place& place, const Grid*, const HostWrite& write) {
            writes.push_back({place, write.element, write.value});
        },
        [](const Place&, const Grid*, const auto&) {}};
    const auto node = Overloaded{
        [&](const Place& place, const Memset& memset) {
            const Location* const location = find_location(program, nullptr, memset.location);
            add_whole(place, nullptr, memset.location,
                      memset.element(location == nullptr ? Width::u32 : location->width));
        },
        [&](const Place& place, const Memcpy& copy) { add_whole(place, nullptr, copy.destination, std::nullopt); },
        [&](const Place& place, const HostWrite& write) {
            writes.push_back({place, write.element, write.value});
        },
        [](const Place&, const auto&) {}};
    for_each_instruction(program, plan, instruction, node);
    return writes;
}

std::vector<ReadAccess> reads_of(const Program& program, const Plan& plan) {
    std::vector<ReadAccess> reads;
    const auto instruction =
        Overloaded{[&](const Place& place, const Grid*, const Load& load) {
                       for (std::size_t lane = 0; lane < load.results.size(); ++lane) {
                           reads.push_back({place, load.results[lane], lane_of(load.element, lane)});
                       }
                   },
                   [&](const Place& place, const Grid*, const Atomic& atomic) {
                       if (atomic.result) {
                           reads.push_back({place, *atomic.result, atomic.element});
                       }
                   },
                   [&](const Place& place, const Grid*, const Await& await) {
                       if (await.result) {
                           reads.push_back({place, *await.result, await.element});
                       }
                   },
                   [&](const Place& place, const Grid*, const MbarrierWait& wait) {
                       if (wait.result) {
                           reads.push_back({place, *wait.result, std::nullopt});
                       }
                   },
                   [&](const Place& place, const Grid*, const HostRead& read) {
                       reads.push_back({place, read.result, read.element});
                   },
                   [](const Place&, const Grid*, const auto&) {}};
    const auto node = Overloaded{[&](const Place& place, const HostRead& read) {
                                     reads.push_back({place, read.result, read.element});
                                 },
                                 [](const Place&, const auto&) {}};
    for_each_instruction(program, plan, instruction, node);
    return reads;
}

std::string actor(const Program& program, const Plan& plan, const Place& place) {
    const Node& node = plan.nodes[place.node];
    const HostOperation& operation = program.operations[node.operation];
    if (const auto* grid = std::get_if<Grid>(&operation)) {
        return grid->name + " " + print_header(grid->agents[place.agent], *grid);
    }
    return stream_of(operation) == nullptr ? "the host" : node_name(program, node);
}

std::string instruction_text(const Program& program, const Plan& plan, const Place& place) {
    const Node& node = plan.nodes[place.node];
    const HostOperation& operation = program.operations[node.operation];
    if (const auto* grid = std::get_if<Grid>(&operation)) {
        return print(grid->agents[place.agent].instructions[place.instruction]);
    }
    if (const auto* function = std::get_if<HostFunction>(&operation)) {
        return print(function->instructions[place.instruction]);
    }
    return node_name(program, node);
}

std::string described(const Program& program, const Plan& plan, const Place& place) {
    const std::string text = instruction_text(program, plan, place);
    const std::string who = actor(program, plan, place);
    return "`" + text + (who == text ? "`" : "` of " + who);
}

const Grid* grid_of(const Program& program, const Plan& plan, std::size_t node) {
    return std::get_if<Grid>(&program.operations[plan.nodes[node].operation]);
}

} // namespace pdlcts
