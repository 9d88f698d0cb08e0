// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/json_document.hpp"
#include "reports/results/results.hpp"

namespace pdlcts {

/// `read_json` of a text that has been parsed.
Result<Results> read_document(const JsonDocument& document, std::string_view file_name);

} // namespace pdlcts
