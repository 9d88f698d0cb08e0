// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/embed.hpp"
#include "reports/site/suite_view.hpp"

/// What the site shows of files of this repository that no other part of the program reads: the kill matrix, the rules
/// of the machine's own page, and the collected public reports.
namespace pdlcts::site {

struct SuiteData {
    std::vector<SuiteFault> faults;
    std::size_t killed_faults = 0;
    std::size_t faults_that_count = 0;
    std::vector<SuiteRule> rules;
    std::vector<std::string> memory_rules;
    std::vector<FieldReport> field_reports;
};

/// By their names: `faults.json`, the machine's `README.md`, `field-reports.toml`. An error where one is missing,
/// cannot be read, or has nothing to show.
Result<SuiteData> read_suite_data(std::span<const EmbeddedFile> files);

/// Those that were built into this program.
const SuiteData& embedded_suite_data();

} // namespace pdlcts::site
