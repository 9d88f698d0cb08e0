// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

namespace pdlcts {

/// The version of this program, and the commit that it was built from.
Suite this_suite();

/// `pdlcts 0.1.0 (git 0123456789ab, modified)`.
std::string describe(const Suite& suite);

} // namespace pdlcts
