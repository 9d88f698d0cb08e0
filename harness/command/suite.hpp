// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/cells.hpp"
#include "reports/results/results.hpp"

namespace pdlcts {

/// The version of this program, and the commit that it was built from.
const Suite& this_suite();

/// `pdlcts 0.1.0 (git 0123456789ab, modified)`.
std::string describe(const Suite& suite);

/// Which suite a file is of, by its own word.
WrittenBy written_by(const Suite& suite);

} // namespace pdlcts
