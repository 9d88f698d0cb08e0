// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// What is left of a results file where many are shown beside each other: every verdict, and none of the evidence,
/// which is a hundred times as large.
namespace pdlcts {

struct JudgedCell {
    std::string_view case_id;
    std::string_view statement; ///< empty where the cell names none
    Strength strength = Strength::guarantee;
    Basis basis = Basis::read;
    std::string_view route; ///< `native` for a native check
    std::string_view image; ///< empty for a native check
    std::string_view digest;
    bool quick = false;
    Judgement judgement; ///< by the judge, from the evidence; never a file's own word
};

struct JudgedResults {
    Suite suite;
    Environment environment;
    bool every_case = false;
    std::uint64_t seed = 0;
    std::string started;
    double seconds = 0;
    std::vector<JudgedCell> cells; ///< in the order of the file, native checks behind the others
    /// What the cells' texts are views of. One piece of memory: thousands of small ones that stay, among millions that
    /// do not, make reading many files slower and slower.
    std::shared_ptr<const std::string> texts;
};

JudgedResults judged(const Results& results);
std::vector<JudgedResults> judged(std::span<const Results> files);

/// A file that was read, its verdicts, and what verify says of it.
struct VerifiedResults {
    Results results;
    JudgedResults judged;
    std::vector<std::string> differences;
};
/// read_json, judged and verify of one reading of the text.
Result<VerifiedResults> read_and_verify(std::string_view text, std::string_view file_name, const Ledger& ledger);

} // namespace pdlcts
