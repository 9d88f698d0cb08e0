// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"

/// The keys of a view's entries (view.hpp).
namespace pdlcts::machine {

/// Of a cell's writes, as the proxy of an operation knows them.
inline std::uint16_t key_of(const Code& code, const Operation& operation, Cell cell) {
    return static_cast<std::uint16_t>(operation.asynchronous ? code.cells.size() + cell : cell);
}

/// Of reads of a write that is ahead.
inline std::uint16_t read_key(const Code& code, Cell cell) {
    return static_cast<std::uint16_t>(2 * code.cells.size() + cell);
}

/// Of knowing fence.sc operations, by their places in State::sc_fences, from 1 on.
inline std::uint16_t fence_key(const Code& code) {
    return static_cast<std::uint16_t>(3 * code.cells.size());
}

} // namespace pdlcts::machine
