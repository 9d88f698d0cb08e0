// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/exit_code.hpp"
#include "reports/results/judged.hpp"

#include <string>
#include <vector>

namespace pdlcts {

/// What stays in memory of each file: verdicts alone, or all of it.
enum class Keep { verdicts, everything };

/// The results files of a report, less those that cannot be read.
struct ReportFiles {
    std::vector<std::string> names;
    std::vector<JudgedResults> judged;
    std::vector<Results> results; ///< empty where only verdicts are kept
    ExitCode code = ExitCode::success;
    bool of_selftest = false; ///< one is of `pdlcts selftest`: then nothing else was looked at
};

/// Reads, checks and judges files, several at a time. One that cannot be read, is malformed or is no results file is
/// complained of, with file, place and rule, and left out: code bad_input. One whose verdicts are not what its evidence
/// says is complained of, and shown as judged again: code negative, where it is not bad_input.
ReportFiles read_report_files(const std::vector<std::string>& names, Keep keep);

} // namespace pdlcts
