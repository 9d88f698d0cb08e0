// SPDX-License-Identifier: Apache-2.0
#include "reports/selftest/selftest_report.hpp"

namespace pdlcts {
std::size_t SelfTestTotals::of(Fate fate) const {
    const auto found = fates.find(fate);
    return found == fates.end() ? 0 : found->second;
}

SelfTestTotals totals(const SelfTestReport& report) {
    SelfTestTotals totals;
    for (const Cell& cell : report.sound.cells) {
        ++(can_be_mutated(judge(cell).verdict) ? totals.sound_cells : totals.other_cells);
    }
    for (const MutantRun& run : report.runs) {
        const MutantJudgement judgement = judge_run(report.sound.cells, run);
        ++totals.fates[judgement.fate];
        if (judgement.fate == Fate::noticed) {
            ++totals.verdicts[judgement.verdict];
        }
    }
    return totals;
}

bool holds(const SelfTestReport& report) {
    for (const Cell& cell : report.sound.cells) {
        if (is_negative(judge(cell).verdict)) {
            return false;
        }
    }
    const SelfTestTotals all = totals(report);
    return all.of(Fate::noticed) > 0 && all.of(Fate::survived) == 0 && all.of(Fate::stopped) == 0;
}

} // namespace pdlcts
