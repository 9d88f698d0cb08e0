// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <optional>

/// Release and acquire patterns (PTX 8.8).
namespace pdlcts::machine {

/// The bit of a scope in Message::unfinished.
constexpr std::uint8_t bit_of(Scope scope) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(scope));
}

/// Message::unfinished of an atomic that has read an unfinished write.
constexpr std::uint8_t inherited = 0x80;

/// Whether an acquire by someone, with a scope, would have to wait for what a write is still to release.
bool waits_for_release(const Code& code, const Message& message, std::uint16_t who, Scope scope);

/// The releases of a list that an acquire by someone, with a scope, synchronises with.
View acquired(const Code& code, const std::vector<Release>& releases, std::uint16_t who, Scope scope);

/// PTX 8.8: a fence acquires for the strong reads before it, an acquire for those of the same cell. Nothing when what
/// one of them has seen is not released yet.
std::optional<View> collected(const Code& code, const State& state, const Place& place, const Operation& operation);

/// What a strong write releases; `learned`: what its own read has taught.
std::vector<Release> releases_of(const Code& code, const State& state, const Place& place, const Operation& operation,
                                 const View& learned);

} // namespace pdlcts::machine
