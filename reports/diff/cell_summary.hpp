// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

#include <compare>
#include <map>
#include <string>
#include <vector>

/// Cells of litmus programs and of native checks as one kind of thing, for reports that hold files against each other.
namespace pdlcts {

/// What a cell is called in every file.
struct CellKey {
    std::string case_id;
    std::string route; ///< `native` for a native check
    auto operator<=>(const CellKey&) const = default;
};

/// `trigger/implicit-on-exit on stream`
std::string print(const CellKey& key);

/// How often something was seen.
struct Rate {
    std::uint64_t count = 0;
    std::uint64_t of = 0;
    bool operator==(const Rate&) const = default;
};
std::string print(const Rate& rate); ///< `3 of 2000`

/// The trials of a cell, as far as they carry its verdict. Of a native check nothing is counted.
struct CellRates {
    Rate armed;              ///< trials of the program
    Rate violations;         ///< of `never`; of `sometimes` occurrences
    Rate control_armed;      ///< trials of the control
    Rate control_violations; ///< armed ones, of the control's armed trials
    bool operator==(const CellRates&) const = default;
};

struct CellSummary {
    CellKey key;
    std::string statement; ///< empty where the cell names none
    std::string digest;    ///< of the case as run: of its text, the route, the image and what was compiled
    std::string image;     ///< empty for a native check
    bool quick = false;
    Judgement judgement; ///< by the judge, from the evidence; never a file's own word
    CellRates rates;
    /// What a native check asked and was answered, `what: found`, in its order.
    std::vector<std::pair<std::string, std::string>> answers;
    bool operator==(const CellSummary&) const = default;
};

/// Every cell of a file by its name. Where a file has several of one name (verify complains of it), the one whose
/// verdict comes first in the published order is taken, so that no second cell hides a FAIL.
std::map<CellKey, CellSummary> summarise(const Results& results);

/// One line of what a cell shows: `PASS (0 of 2000 trials violate it, 2000 armed; control 1997 of 2000)`.
std::string print_evidence(const CellSummary& cell);

} // namespace pdlcts
