// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/example_cells.hpp"

#include <doctest/doctest.h>

/// Tests of the judge as tables, one row a rule.
namespace pdlcts::examples {

/// One rule of the judge: a cell, spoiled, and what DESIGN.md says of it.
struct Row {
    const char* rule;
    Cell (*cell)();
    void (*spoil)(Cell&);
    Verdict verdict;
    const char* reason;
};

inline void check_rows(std::span<const Row> rows) {
    for (const Row& row : rows) {
        Cell cell = row.cell();
        row.spoil(cell);
        const Judgement judgement = judge(cell);
        CAPTURE(row.rule);
        CHECK(name(judgement.verdict) == name(row.verdict));
        CHECK(judgement.reason == row.reason);
    }
}

inline void leave(Cell&) {}
inline void violate(Cell& cell) {
    cell.form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
}

} // namespace pdlcts::examples
