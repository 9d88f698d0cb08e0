// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

namespace pdlcts {

/// A part of the list, in its order, that still fails, and fails no more without any one of its elements (Zeller's
/// delta debugging). `fails` answers for a part, and says nothing when it may not be asked any more: then what has been
/// found so far is the answer, and may be larger. The list itself has to fail.
template <typename Element, typename Fails>
std::vector<Element> shrink(std::vector<Element> list, Fails fails) {
    std::size_t parts = 2;
    while (!list.empty()) {
        parts = std::min(parts, list.size());
        bool smaller = false;
        for (std::size_t part = 0; part < parts && !smaller; ++part) {
            const auto begin = static_cast<std::ptrdiff_t>(part * list.size() / parts);
            const auto end = static_cast<std::ptrdiff_t>((part + 1) * list.size() / parts);
            const std::vector<Element> inside(list.begin() + begin, list.begin() + end);
            std::vector<Element> outside(list.begin(), list.begin() + begin);
            outside.insert(outside.end(), list.begin() + end, list.end());
            for (const auto* candidate : {static_cast<const std::vector<Element>*>(&inside),
                                          static_cast<const std::vector<Element>*>(&outside)}) {
                if (candidate->size() == list.size() || (parts == 2 && candidate == &outside)) {
                    continue; // of two parts the other one's turn comes by itself
                }
                const std::optional<bool> failed = fails(*candidate);
                if (!failed) {
                    return list;
                }
                if (*failed) {
                    parts = candidate == &inside ? 2 : std::max<std::size_t>(parts - 1, 2);
                    list = std::vector<Element>(*candidate);
                    smaller = true;
                    break;
                }
            }
        }
        if (!smaller) {
            if (parts == list.size()) {
                return list;
            }
            parts *= 2;
        }
    }
    return list;
}

} // namespace pdlcts
