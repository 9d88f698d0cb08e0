// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

#include <string>
#include <string_view>

namespace pdlcts {

/// Valid UTF-8 of at most `largest_results_string` bytes: what is not UTF-8 becomes U+FFFD, what is too long is cut.
std::string clean_text(std::string_view text);

/// Every string of the results, cleaned.
Results clean(Results results);
Cell clean(Cell cell);
NativeCell clean(NativeCell cell);

} // namespace pdlcts
