// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/exit_code.hpp"

#include <string>

namespace pdlcts {

/// Derives what a file of the self-test says again: every fate from what was seen, what the machine allows of the sound
/// programs, and that it finds the equivalent mutants equivalent.
ExitCode verify_selftest_file(const std::string& text, const std::string& name);

} // namespace pdlcts
