// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"
#include "harness/judge/judge.hpp"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Waivers: what the gate lets pass though it stands against a device, for a reason, for a time. They are the gate's
/// business and never the judge's: a waived cell keeps its verdict.
///
///     [[waiver]]
///     case    = "attribute/nonzero-enables"    # or: statement = "attr.pss.nonzero-enables"; * and ? as in a shell
///     routes  = ["native"]                     # may be left out: all
///     gpu     = "NVIDIA H200"                  # a pattern
///     driver  = "580.*"                        # a pattern that names the branch
///     verdict = "FAIL"
///     reason  = "values other than 1 do not enable"
///     link    = "https://bugs.example/123"
///     expires = 2027-05-31                     # the last day
///     intermittent = true                      # may be left out: a cell that shows it in some runs only
namespace pdlcts {

using Date = std::chrono::year_month_day;

/// `2026-11-30`; nothing for another form, or a day that no calendar has.
std::optional<Date> read_date(std::string_view text);
std::string print(const Date& date);

struct Waiver {
    std::string case_pattern;        ///< empty where `statement_pattern` selects
    std::string statement_pattern;   ///< empty where `case_pattern` selects
    std::vector<std::string> routes; ///< empty: every route, and `native`
    std::string gpu;                 ///< a pattern for Environment::gpu
    std::string driver;              ///< a pattern for Environment::driver_version
    Verdict verdict = Verdict::fail;
    std::string reason;
    std::string link;
    Date expires{};
    bool intermittent = false;
    std::size_t line = 0; ///< in the file, from 1
    bool operator==(const Waiver&) const = default;
};

inline constexpr std::size_t largest_waiver_file = std::size_t{1024} * 1024;
inline constexpr std::size_t longest_waiver_line = 2000;
inline constexpr std::size_t longest_waiver_pattern = 200;
inline constexpr std::size_t most_waivers = 1000;

/// Errors name file, line and column: what is no ASCII or no TOML, an unknown or missing key, one of another type,
/// `case` and `statement` together or neither, an unknown route or verdict, a verdict that cannot be waived (PASS and
/// its like need no waiver; an answer of the abstract machine can have none), a text or pattern that is empty, a
/// pattern that is too long, a file that is too large.
Result<std::vector<Waiver>> read_waivers(std::string_view text, std::string_view file_name);

/// Whether a waiver may name this verdict at all.
bool can_be_waived(Verdict verdict);

} // namespace pdlcts
