// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"
#include "conformance/machine/machine.hpp"

namespace pdlcts::machine {

/// Explores a code state by state. Slow, and simple.
Exploration explore_wholes(const Code& code, const Limits& limits);

/// The same states in the same order, found by looking up what their parts do (parts.hpp). Only of a code that has
/// parts. From so many different contents of memory on, a step is looked up by the cells that it depends on alone;
/// fewer are looked up as they are.
Exploration explore_parts(const Code& code, const Limits& limits);
Exploration explore_parts(const Code& code, const Limits& limits, std::size_t few_shared_parts);

} // namespace pdlcts::machine
