// SPDX-License-Identifier: Apache-2.0
#include "reports/results/utf8.hpp"

namespace pdlcts {

std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    const auto continues = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
    const unsigned first = byte(0);
    if (first < 0x80) {
        return 1;
    }
    if (first >= 0xc2 && first <= 0xdf) {
        return continues(1) ? 2 : 0;
    }
    const unsigned lowest = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    const unsigned highest = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (first < 0xe0 || first > 0xf4 || byte(1) < lowest || byte(1) > highest || !continues(2)) {
        return 0;
    }
    if (first < 0xf0) {
        return 3;
    }
    return continues(3) ? 4 : 0;
}

} // namespace pdlcts
