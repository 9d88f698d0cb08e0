// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"
#include "harness/environment/environment.hpp"
#include "harness/judge/judge.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Results files: JSON, versioned, complete enough that every verdict in them can be derived again.
namespace pdlcts {

inline constexpr int results_schema_version = 1;

struct Suite {
    std::string version;  ///< `0.1.0`
    std::string git_hash; ///< of the build; `unknown` outside a repository
    bool dirty = false;   ///< the work tree had changes that the hash does not name
    std::string cases_digest; ///< SHA-256 over the digests of the case list
    bool operator==(const Suite&) const = default;
};

struct Results {
    int schema = results_schema_version;
    Suite suite;
    Environment environment;
    std::uint64_t seed = 0;
    std::string started; ///< UTC, `2026-11-30T12:00:00Z`
    double seconds = 0;
    std::vector<Cell> cells;
    bool operator==(const Results&) const = default;
};

std::string write_json(const Results& results);

/// Errors name the file, the JSON path and the rule that fails. Sizes are bounded; results come from strangers.
Result<Results> read_json(std::string_view text, std::string_view file_name);

/// Derives every verdict and every count of a results file again, and compares them with what the file says.
/// An empty list means that the file holds.
std::vector<std::string> verify(std::string_view text, std::string_view file_name);

} // namespace pdlcts
