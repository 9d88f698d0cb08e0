// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pdlcts {

/// Where an instruction of a plan stands: in an agent of a grid, in a host function, or as a node of the host's thread.
struct Place {
    std::size_t node = 0;        ///< index into Plan::nodes
    std::size_t agent = 0;       ///< of a grid
    std::size_t instruction = 0; ///< of the agent, or of the host function
    auto operator<=>(const Place&) const = default;
};

/// One element that an instruction, a memset or a copy writes.
struct WriteAccess {
    Place place;
    Element element;
    std::optional<Value> value; ///< none where it depends on what else happens
};

/// One register that an instruction writes.
struct ReadAccess {
    Place place;
    std::string result;
    std::optional<Element> element; ///< none for an mbarrier.wait
};

std::vector<WriteAccess> writes_of(const Program& program, const Plan& plan);
std::vector<ReadAccess> reads_of(const Program& program, const Plan& plan);

/// `secondary thread 0`, `primary blocks 0..1, thread 0`, `host look`, `the host`
std::string actor(const Program& program, const Plan& plan, const Place& place);

/// `ld.weak x -> seen`, `memset x`
std::string instruction_text(const Program& program, const Plan& plan, const Place& place);

/// "`ld.weak x -> seen` of secondary thread 0"; of a copy that is a node of its own, only what it is.
std::string described(const Program& program, const Plan& plan, const Place& place);

/// The grid that a node is; null for other nodes.
const Grid* grid_of(const Program& program, const Plan& plan, std::size_t node);

} // namespace pdlcts
