// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <functional>
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

/// What is wrong in the files, a message each; none where they may be embedded.
using EmbeddingCheck = std::function<std::vector<std::string>(std::span<const EmbeddedFile>)>;

/// The whole of a tool that is called as `TOOL OUTPUT.cpp FILE...`: reads the files, checks them, and writes the source
/// that defines `function`. What is wrong goes to standard error. Returns the exit code.
int run_embedding_tool(int argc, const char* const* argv, std::string_view function, const EmbeddingCheck& check);

} // namespace pdlcts
