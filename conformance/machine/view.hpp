// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

namespace pdlcts::machine {

/// One write: its cell, and its place in the cell's list of writes. With the keys from Code::cells' size on, the same
/// as the asynchronous proxy knows it; from twice that on, that a write that is ahead (Message::ahead) has been read.
/// Three times that: a fence.sc, from 1 on.
struct Entry {
    std::uint16_t key = 0;
    std::uint16_t place = 0;
    auto operator<=>(const Entry&) const = default;
};

/// Writes that happen before something: sorted, without duplicates. What precedes one of them in coherence order is
/// known with it. Coherence order is partial, so that several writes of one cell may stand side by side.
using View = std::vector<Entry>;

void join(View& view, const View& other);
void add(View& view, Entry entry);

} // namespace pdlcts::machine
