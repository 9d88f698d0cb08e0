// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/concat.hpp"

#include <cstdio>

namespace pdlcts {

/// Prints a line for the summary with which a run of all tests ends: what a test compared, how often, and with how many
/// disagreements. The target `counts` collects these lines from the log of the tests.
template <typename... Parts>
void counted(const Parts&... parts) {
    static_cast<void>(std::puts(("counted: " + concat(parts...)).c_str()));
    static_cast<void>(std::fflush(stdout));
}

} // namespace pdlcts
