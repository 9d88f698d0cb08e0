// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trial_record.hpp"

#include <algorithm>

namespace pdlcts {

void prepare(std::span<std::uint32_t> record, const Layout& layout, std::uint32_t base) {
    std::fill(record.begin(), record.end(), layout.encoding.poison);
    record[0] = base;
    for (const LocationWord& location : layout.locations) {
        record[location.word] = layout.encoding.encode(location.name, location.initial, base);
    }
}

std::optional<Outcome> outcome_of(std::span<const std::uint32_t> record, const Layout& layout, std::uint32_t base) {
    Outcome outcome;
    for (const RegisterSlots& result : layout.registers) {
        std::set<Value>& values = outcome[result.name];
        for (const std::uint32_t word : record.subspan(result.first_word, result.slots)) {
            if (word == layout.encoding.poison) {
                return std::nullopt;
            }
            values.insert(layout.encoding.decode(result.location, word, base));
        }
    }
    return outcome;
}

} // namespace pdlcts
