// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

namespace pdlcts::machine {

/// PTX 8.7.1, of an operation that is strong and a write by another thread. Writes of the own thread are known to it
/// anyway, whatever their strength.
inline bool is_morally_strong(const Code& code, const Operation& operation, std::uint16_t who, const Message& message) {
    const Level level = code.levels[who][message.who];
    return operation.strong && message.strong && includes(operation.scope, level) && includes(message.scope, level);
}

inline bool is_morally_strong(const Code& code, const Message& one, const Message& other) {
    const Level level = code.levels[one.who][other.who];
    return one.strong && other.strong && includes(one.scope, level) && includes(other.scope, level);
}

} // namespace pdlcts::machine
