// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/results_file.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace pdlcts {

/// What a results file says otherwise than everything that this program can derive again.
struct Review {
    /// From its own evidence and the ledger; what the abstract machine allows and answers; cells that a run of every
    /// case has; native checks. The last three only where the file is of this program's list of cases.
    std::vector<std::string> differences;
    std::size_t reviewed = 0;      ///< cells whose allowed outcomes were derived again
    std::size_t other_version = 0; ///< cells whose case is not, or no longer, this program's
    bool other_suite = false;      ///< the file is of another list of cases
};

Review review(const ResultsFile& file, const std::string& name);

} // namespace pdlcts
