// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/select.hpp"

#include <string>
#include <vector>

/// A user's own litmus files, one by one or by the folder.
namespace pdlcts {

/// What was read. A file that cannot be read is complained of and loses nothing of the others: they run, and the exit
/// code says bad_input.
struct CaseFiles {
    std::vector<Case> cases;
    std::vector<Refusal> refusals;

    /// The code of a command that ended with `code`: what could not be read makes its answer incomplete.
    ExitCode with_refusals(ExitCode code) const;
};

inline constexpr std::size_t most_case_files = 10'000;

/// The files in the order of the arguments, those of a folder (all `*.litmus` in it and below it) in the order of their
/// paths. A file that is named twice is read once. A file's id is its name without ending, with the path below the
/// folder; where two would be the same, as much of the paths above is added as tells them apart.
///
/// A folder without a litmus file, one that cannot be read, and more than most_case_files files are refused.
CaseFiles read_case_files(const std::vector<std::string>& names);

/// The same, where a name may also be that of a case of the suite.
CaseFiles find_cases_or_files(const std::vector<std::string>& names);

/// Prints every refusal.
void complain_of(const CaseFiles& files);

} // namespace pdlcts
