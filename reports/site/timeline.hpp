// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/picture.hpp"
#include "reports/site/html.hpp"

#include <string>
#include <string_view>

/// The timeline of a stamped trial as SVG: blocks as bars by multiprocessor, marks where a block triggered, entered its
/// wait and returned from it, the time in which two grids overlap shaded, nanoseconds below.
namespace pdlcts::site {

/// Rows that a picture shows; of more multiprocessors it says how many are left out.
inline constexpr std::size_t most_timeline_rows = 40;

/// Inside a page; its style is the site's. `name` tells the ids of several pictures on one page apart.
void timeline(Html& html, const TrialPicture& picture, std::string_view title, std::string_view name);

/// The same as a file of its own, with its style, light and dark.
std::string timeline_file_text(const TrialPicture& picture, std::string_view title);

/// In words: what the picture shows, for who does not see it.
std::string timeline_words(const TrialPicture& picture);

/// Every shown block with its times, as a table.
void timeline_table(Html& html, const TrialPicture& picture);

} // namespace pdlcts::site
