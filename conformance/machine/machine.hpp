// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The abstract machine: the specification as a program. It explores every execution of a plan and returns every
/// outcome that the specification allows. README.md of this folder lists its rules and the statements they implement.
namespace pdlcts {

struct Limits {
    std::size_t states = 4'000'000;
};

/// The steps of one execution, a line each: `secondary block 0 thread 0: ld.weak x -> seen (reads 0)`.
using Trace = std::vector<std::string>;

struct Exploration {
    /// False when a limit was met: then `outcomes` holds what was found so far, and proves nothing.
    bool decided = false;
    std::string undecided_because;
    /// Every outcome with a shortest trace that ends in it.
    std::map<Outcome, Trace> outcomes;
    /// An execution that stops before every node has completed, if there is one: `ends` is then refuted.
    std::optional<Trace> stuck;
    std::size_t states = 0;
};

Exploration explore(const Program& program, const Plan& plan, const Limits& limits = {});

} // namespace pdlcts
