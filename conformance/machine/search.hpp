// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"
#include "conformance/machine/machine.hpp"

namespace pdlcts::machine {

/// Explores a code state by state. Slow, and simple.
Exploration explore_wholes(const Code& code, const Limits& limits);

/// The same states in the same order, found by looking up what their parts do (parts.hpp). Only of a code that has
/// parts.
Exploration explore_parts(const Code& code, const Limits& limits);

} // namespace pdlcts::machine
