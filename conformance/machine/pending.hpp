// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <vector>

namespace pdlcts::machine {

/// For each cell how many threads, begun or not, still have a read or a write of it before them.
struct Pending {
    std::vector<unsigned> readers;
    std::vector<unsigned> writers;
};

Pending pending_accesses(const Code& code, const State& state);

} // namespace pdlcts::machine
