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

namespace {

/// Appends the values of a register: one, or of a class all different ones behind their number. False where a slot is
/// still poisoned.
bool append(std::vector<Value>& values, const RegisterSlots& result, const TrialRecords& records,
            const Encoding& encoding, std::uint32_t base) {
    const std::size_t number = values.size();
    if (result.slots > 1) {
        values.push_back(0);
    }
    const auto first = static_cast<std::ptrdiff_t>(values.size());
    for (const std::uint32_t word : records.of(result.memory).subspan(result.first_word, result.slots)) {
        if (word == encoding.poison) {
            return false;
        }
        const Value value = encoding.decode(result.location, word, base);
        if (values.size() == static_cast<std::size_t>(first) || values.back() != value) {
            values.push_back(value);
        }
    }
    if (result.slots > 1) {
        std::sort(values.begin() + first, values.end());
        values.erase(std::unique(values.begin() + first, values.end()), values.end());
        values[number] = static_cast<Value>(values.size()) - first;
    }
    return true;
}

bool append(std::vector<Value>& values, const Layout& layout, const TrialRecords& records, std::uint32_t base) {
    return std::all_of(layout.registers.begin(), layout.registers.end(), [&](const RegisterSlots& result) {
        return append(values, result, records, layout.encoding, base);
    });
}

/// The other way.
Outcome outcome_from(const std::vector<Value>& values, const Layout& layout) {
    Outcome outcome;
    auto next = values.begin();
    for (const RegisterSlots& result : layout.registers) {
        const Value count = result.slots > 1 ? *next++ : 1;
        outcome[result.name].insert(next, next + count);
        next += count;
    }
    return outcome;
}

} // namespace

std::optional<Outcome> outcome_of(const TrialRecords& records, const Layout& layout, std::uint32_t base) {
    std::vector<Value> values;
    if (!append(values, layout, records, base)) {
        return std::nullopt;
    }
    return outcome_from(values, layout);
}

void OutcomeCounter::add(const TrialRecords& records, std::uint32_t base) {
    values_.clear();
    if (append(values_, *layout_, records, base)) {
        ++counts_[values_];
    } else {
        ++unwritten_;
    }
}

Tally OutcomeCounter::tally() const {
    Tally tally;
    for (const auto& [values, count] : counts_) {
        tally.outcomes[print(outcome_from(values, *layout_))] += count;
    }
    tally.unwritten = unwritten_;
    return tally;
}

} // namespace pdlcts
