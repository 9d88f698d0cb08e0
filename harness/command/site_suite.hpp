// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/suite_view.hpp"

namespace pdlcts {

/// What this program knows of its own suite, for the site: cases, what the machine allows, source, reproducers. It
/// takes about a second, of so many threads.
site::SuiteView site_suite(unsigned threads);

} // namespace pdlcts
