// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/exit_code.hpp"

#include <string>
#include <vector>

namespace pdlcts {

/// `report --html`: reads the files one by one, so that a thousand fit into memory, and writes the site into a folder.
/// A file that cannot be read does not take the others down; where `strict`, nothing is written then.
ExitCode report_site(const std::vector<std::string>& files, const std::string& folder, bool strict);

} // namespace pdlcts
