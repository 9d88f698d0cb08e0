// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <string>

namespace pdlcts::machine {

/// The state as bytes, to be hashed and kept.
std::string pack(const State& state);
State unpack(const Code& code, const std::string& bytes);

} // namespace pdlcts::machine
