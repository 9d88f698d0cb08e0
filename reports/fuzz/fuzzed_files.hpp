// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What a fuzzer does with one file of a stranger; for tests only. Each kind of file is read, and what was read goes
/// through everything that the program would do with it.
namespace pdlcts {

struct FuzzedFile {
    bool accepted = false; ///< the reader took it
    std::string complaint; ///< what is wrong with this program; empty if nothing is
};

struct FuzzedKind {
    std::string_view name; ///< `results`, `waivers`, `ledger`
    FuzzedFile (*try_text)(std::string_view text);
    /// Files that are sound, for a start.
    std::vector<std::string> (*seeds)();
};

/// Every kind, or null for a name that is none.
const FuzzedKind* find_fuzzed_kind(std::string_view name);

/// Larger ones are cut before they are tried: a fuzzer learns nothing from size.
inline constexpr std::size_t largest_fuzzed_file = 256 * 1024;

} // namespace pdlcts
