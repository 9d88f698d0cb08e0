// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/machine/faults/fault.hpp"
#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <cstdint>
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

/// An execution by the numbers of its lines, of which thousands of executions share a few.
using Steps = std::vector<std::uint32_t>;

struct Exploration {
    /// False when a limit was met: then `outcomes` holds what was found so far, and proves nothing.
    bool decided = false;
    std::string undecided_because;
    /// Every outcome with a shortest execution that ends in it.
    std::map<Outcome, Steps> outcomes;
    std::vector<std::string> lines; ///< of all steps
    /// An execution that stops before every node has completed, if there is one: `ends` is then refuted.
    std::optional<Trace> stuck;
    std::size_t states = 0;
    Trace trace(const Steps& steps) const;
};

/// `fault`: explores the machine with that rule broken. What a faulty route builds is the plan's business.
Exploration explore(const Program& program, const Plan& plan, const Limits& limits = {}, Fault fault = Fault::none);

} // namespace pdlcts
