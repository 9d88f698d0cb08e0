// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "harness/gpu/layout.hpp"
#include "harness/judge/cell.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// The words of one trial, on the host: what they are before it, and what they say after it.
namespace pdlcts {

/// The two records of a trial, or the host's copies of them: layout.words and layout.host_words words.
struct TrialRecords {
    std::span<std::uint32_t> device;
    std::span<std::uint32_t> host;

    std::span<std::uint32_t> of(Memory memory) const { return memory == Memory::device ? device : host; }
};

/// Writes the records that a trial starts from, its timings as the program says them.
void prepare(const TrialRecords& records, const Layout& layout, std::uint32_t base);

/// The outcome that the records hold after their trial; none when a result slot is still poisoned. The language has no
/// branches, so every thread that an agent names, and the host, writes all its registers: a poisoned slot is the
/// harness's fault.
std::optional<Outcome> outcome_of(const TrialRecords& records, const Layout& layout, std::uint32_t base);

/// Counts the outcomes of many trials of one program. What equal records mean is worked out once.
class OutcomeCounter {
public:
    explicit OutcomeCounter(const Layout& layout) : layout_(&layout) {}

    void add(const TrialRecords& records, std::uint32_t base);
    Tally tally() const;

private:
    const Layout* layout_;
    /// By the values of all slots, in order of the registers; the values of a class are sorted, each once, behind their
    /// number.
    std::map<std::vector<Value>, std::uint64_t> counts_;
    std::uint64_t unwritten_ = 0;
    std::vector<Value> values_; ///< of the trial that is being added
};

} // namespace pdlcts
