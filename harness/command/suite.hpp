// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

namespace pdlcts {

/// The version of this program, and the commit that it was built from.
Suite this_suite();

} // namespace pdlcts
