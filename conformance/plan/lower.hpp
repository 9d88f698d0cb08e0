// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"

namespace pdlcts {

/// What a route makes of a program, or the reason why the route cannot express it.
Result<Plan> lower(const Program& program, Route route);

} // namespace pdlcts
