// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Compiled code on disk, found by what it was made of. Several processes may use one folder at a time: an entry is
/// written aside and renamed, and is never changed. What cannot be shown to be whole is as good as absent.
namespace pdlcts {

struct CodeCache {
    std::filesystem::path folder;
    std::uintmax_t most_bytes = std::uintmax_t{256} * 1024 * 1024; ///< of all entries; the oldest make room
};

/// $PDLCTS_CACHE, else $XDG_CACHE_HOME/pdlcts, else $HOME/.cache/pdlcts; empty where none of them is set. A relative
/// XDG_CACHE_HOME does not count (XDG Base Directory Specification).
std::string default_cache_folder();

/// Makes the folder, for its user alone, where it is missing. An error says in one line why there is no cache.
Result<CodeCache> open_code_cache(const std::string& folder);

/// The code that was stored under this key: whole, or nothing.
std::optional<std::vector<char>> find(const CodeCache& cache, std::string_view key);

/// Replaces what is there. An error says in one line why it was not stored; the cache is as it was.
Result<std::monostate> store(const CodeCache& cache, std::string_view key, const std::vector<char>& code);

} // namespace pdlcts
