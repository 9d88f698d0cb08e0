// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <span>
#include <string>

/// Several files as one: a tar archive in the ustar format (POSIX.1-1988), uncompressed, which every tar reads.
namespace pdlcts {

struct PackedFile {
    std::string name; ///< `README.md`: letters, digits, `.`, `-` and `_`, at most 80, not first a `.`
    std::string content;
};

/// What all files of one archive may have together.
inline constexpr std::size_t largest_archive = std::size_t{64} << 20;

/// The archive, all files in one folder of this name. Nothing of the machine is in it: owner, time and rights are the
/// same everywhere. An error for a name that is not as above, two files of one name, and too much content.
Result<std::string> tar(const std::string& folder, std::span<const PackedFile> files);

/// What keeps files from being packed, or written into a folder, under their names; empty where nothing does.
std::string packing_problem(const std::string& folder, std::span<const PackedFile> files);

} // namespace pdlcts
