// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/html.hpp"

#include <string_view>

/// Source text with its words coloured: `<span class="k">` around keywords, `c` comments, `n` numbers, `s` strings.
namespace pdlcts::site {

enum class Language { litmus, cuda };

/// A line, or several, without `pre` around them.
void highlight(Html& html, std::string_view source, Language language);

/// A litmus file as two columns, the program and its control, line beside line. Lines that begin with `-` stand in the
/// program alone, with `+` in the control alone.
void side_by_side(Html& html, std::string_view litmus);

} // namespace pdlcts::site
