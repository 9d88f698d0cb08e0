// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// For the tools of the build that put data files into the program: what is wrong in a file stops the build.
namespace pdlcts {

/// A data file: its name relative to the repository, and its text.
struct EmbeddedFile {
    std::string name;
    std::string text;
};

/// Reads files by names that are relative to the working directory. An absolute name is an error: it would carry a
/// path of the building machine into the program.
Result<std::vector<EmbeddedFile>> read_embedded_files(std::span<const char* const> names);

/// A C++ source that defines `std::vector<pdlcts::EmbeddedFile> pdlcts::FUNCTION()`, which returns the files.
std::string embedding_source(std::span<const EmbeddedFile> files, std::string_view function);

/// Writes a text to a file.
Result<std::monostate> write_file(const std::string& name, std::string_view text);

} // namespace pdlcts
