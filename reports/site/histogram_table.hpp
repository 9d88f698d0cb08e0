// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/gathered.hpp"
#include "reports/site/html.hpp"

/// What was seen beside what is allowed.
namespace pdlcts::site {

/// Outcomes of a form's own trials beside what is allowed. `claim`: the cell's. `sums`: those over all columns too,
/// where there are several; else null.
void histogram_table(Html& html, const Form& form, const ClaimText& claim, const CellHistograms* sums);

} // namespace pdlcts::site
