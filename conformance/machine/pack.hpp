// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <string>
#include <string_view>

namespace pdlcts::machine {

/// The state as bytes, to be hashed and kept, in a string whose memory is used again.
void pack(const State& state, std::string& bytes);
State unpack(std::string_view bytes);

/// The same for what states consist of.
void pack(const Shared& shared, std::string& bytes);
void pack(const Messages& writes, std::string& bytes);
void pack(const Block& block, std::string& bytes);

} // namespace pdlcts::machine
