// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <string>
#include <string_view>

/// Files that are whole, or as they were.
namespace pdlcts {

/// Writes beside the file, and renames only what is written to the disk: whatever ends the process, or fills the disk,
/// the file is what it was or what it is to be. What is no regular file (a device, a pipe) is written to.
Result<std::monostate> replace_file(const std::string& name, std::string_view text);

/// Why the file could not be written in the end, found out without a trace; nothing where it can.
Result<std::monostate> can_replace(const std::string& name);

/// Whether replace_file would rename: a journal may stand beside it.
bool is_replaceable(const std::string& name);

} // namespace pdlcts
