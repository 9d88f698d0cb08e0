// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/exit_code.hpp"

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace pdlcts {

/// The commands `schema`, `completion` and `manual`, which print what is installed beside the program.
void add_shipped(CLI::App& app, std::function<ExitCode()>& action);

/// What `--version` prints: suite, schema of results files, and the build; a line each.
std::string version_text();

} // namespace pdlcts
