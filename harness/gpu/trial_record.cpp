// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trial_record.hpp"

#include <algorithm>
#include <cstring>

namespace pdlcts {
namespace {

/// GPUs, and the processors that they are attached to, are little-endian: the low bytes of a word come first.
void place(std::span<std::uint32_t> record, const PlacedLocation& location, const Encoding& encoding,
           std::uint32_t base) {
    std::byte* place = std::as_writable_bytes(record).subspan(location.word * sizeof(std::uint32_t)).data();
    for (const Value value : location.initial) {
        const std::uint32_t word = encoding.encode(location.name, value, base);
        std::memcpy(place, &word, bytes_of(location.width));
        place += bytes_of(location.width);
    }
}

} // namespace

void prepare(const TrialRecords& records, const Layout& layout, std::uint32_t base) {
    for (const std::span<std::uint32_t> record : {records.device, records.host}) {
        std::fill(record.begin(), record.end(), layout.encoding.poison);
        if (!record.empty()) {
            record[0] = base;
        }
    }
    for (const Timing& timing : layout.timings) {
        records.device[timing.word] = timing.nanoseconds;
        if (timing.kind == TimingKind::poll) {
            records.device[timing.latency_word] = 0;
        }
    }
    for (const PlacedLocation& location : layout.locations) {
        place(records.of(location.memory), location, layout.encoding, base);
    }
}

std::optional<Outcome> outcome_of(const TrialRecords& records, const Layout& layout, std::uint32_t base) {
    Outcome outcome;
    for (const RegisterSlots& result : layout.registers) {
        std::set<Value>& values = outcome[result.name];
        for (const std::uint32_t word : records.of(result.memory).subspan(result.first_word, result.slots)) {
            if (word == layout.encoding.poison) {
                return std::nullopt;
            }
            values.insert(layout.encoding.decode(result.location, word, base));
        }
    }
    return outcome;
}

} // namespace pdlcts
