// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/selftest/selftest_report.hpp"

#include <optional>

/// The table of mutants and cases before it is text or Markdown. Every string is plain_text already.
namespace pdlcts {

/// The letter of a fate, and of the verdict by which it was noticed.
struct FateLetter {
    char letter;
    std::string_view meaning;
};
FateLetter fate_letter(Fate fate, Verdict verdict);

inline constexpr char does_not_apply = '.';

struct SelfTestRow {
    std::string case_id;
    std::vector<char> letters; ///< one a mutant
};

struct SelfTestTable {
    std::string where; ///< `NVIDIA H200, driver 580.159.04, CUDA 13.0`
    std::vector<const Mutant*> mutants;
    std::vector<SelfTestRow> rows;
    std::vector<FateLetter> letters; ///< those that occur
    std::string totals;              ///< a sentence
    /// Each survivor, hidden mutant and run that was stopped: `drop-wait in wait/blocks on stream: PASS`.
    std::vector<std::string> survivors;
    std::vector<std::string> hidden;
    std::vector<std::string> not_run;
    std::vector<std::string> stopped;
    /// Cells with nothing to take away: `model/x on edges: VACUOUS, control not violated`.
    std::vector<std::string> not_mutated;
};

SelfTestTable build_table(const SelfTestReport& report);

} // namespace pdlcts
