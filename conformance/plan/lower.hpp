// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/faults/fault.hpp"
#include "conformance/plan/plan.hpp"

namespace pdlcts {

/// What a route makes of a program, or the reason why the route cannot express it. `fault`: with that rule broken.
Result<Plan> lower(const Program& program, Route route, Fault fault = Fault::none);

} // namespace pdlcts
