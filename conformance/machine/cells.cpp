// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/cells.hpp"

namespace pdlcts::machine {
namespace {

constexpr std::size_t most_cells = 4000;

Cell add_location(Code& code, const Location& location, const std::string& owner) {
    const auto first = static_cast<Cell>(code.cells.size());
    for (unsigned index = 0; index < location.elements(); ++index) {
        code.cells.push_back(location.name + (location.array ? "[" + std::to_string(index) + "]" : "") + owner);
        code.initial.push_back(location.initial[index]);
    }
    return first;
}

std::size_t elements_of(const std::vector<Location>& locations) {
    std::size_t elements = 0;
    for (const Location& location : locations) {
        elements += location.elements();
    }
    return elements;
}

Error too_many(std::size_t elements) {
    return Error{"the machine holds " + std::to_string(most_cells) + " elements of memory; this program has " +
                 std::to_string(elements)};
}

} // namespace

bool has_block_memory(const Grid& grid) {
    return !grid.shared.empty() || !grid.mbarriers.empty();
}

Result<Cells> lay_out_cells(const Program& program, const Plan& plan, Code& code) {
    Cells cells;
    std::size_t elements = elements_of(program.memory) + elements_of(program.host_memory);
    for (const Node& node : plan.nodes) {
        if (const auto* grid = std::get_if<Grid>(&program.operations[node.operation])) {
            elements += std::size_t{grid->blocks} * elements_of(grid->shared);
        }
    }
    if (elements > most_cells) {
        return too_many(elements);
    }
    for (const std::vector<Location>* locations : {&program.memory, &program.host_memory}) {
        for (const Location& location : *locations) {
            cells.global.emplace(location.name, add_location(code, location, ""));
        }
    }
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        const auto* grid = std::get_if<Grid>(&program.operations[plan.nodes[node].operation]);
        if (grid == nullptr || !has_block_memory(*grid)) {
            continue;
        }
        if (grid->blocks > most_cells) {
            return too_many(grid->blocks);
        }
        for (unsigned block = 0; block < grid->blocks; ++block) {
            const std::string owner = " of " + grid->name + (grid->blocks > 1 ? " block " + std::to_string(block) : "");
            for (const Location& location : grid->shared) {
                cells.shared[{node, block}].emplace(location.name, add_location(code, location, owner));
            }
            for (const Mbarrier& mbarrier : grid->mbarriers) {
                cells.mbarriers[{node, block}].emplace(mbarrier.name,
                                                       static_cast<std::uint16_t>(code.mbarriers.size()));
                code.mbarriers.push_back({mbarrier.name + owner, mbarrier.arrivals});
            }
        }
    }
    return cells;
}

} // namespace pdlcts::machine
