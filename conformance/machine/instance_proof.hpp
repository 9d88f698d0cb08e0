// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/machine.hpp"

namespace pdlcts {

/// Small: a run asks for every case and route. What is not decided within it has no instances.
inline constexpr Limits instance_limits{.states = 20'000};

/// Whether the blocks of a launch may stand for executions of the program (conformance/plan/instances.hpp): the machine
/// explores two instances, spelled out as one program, and each of them has only outcomes that `allowed`, the
/// exploration of the program itself, has too. What is said of the launch as a whole is excluded by itself: there an
/// instance shows more, or the shape does not fit.
///
/// Two stand for any number: blocks touch each other's memory nowhere, and meet only where a launch starts its
/// dependents or completes, which waits for all of them and tells none apart.
bool proves_instances(const Program& program, const Plan& plan, const Exploration& allowed,
                      const Limits& limits = instance_limits);

} // namespace pdlcts
