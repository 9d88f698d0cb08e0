// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/exit_code.hpp"

#include <functional>

namespace CLI {
class App;
}

/// The command line of the commands that hold results files against each other: diff, bisect-reports, gate.
namespace pdlcts {

void add_diff(CLI::App& app, std::function<ExitCode()>& action);
void add_bisect_reports(CLI::App& app, std::function<ExitCode()>& action);
void add_gate(CLI::App& app, std::function<ExitCode()>& action);

} // namespace pdlcts
