// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace pdlcts {

/// results.schema.json: a JSON Schema (draft 2020-12) of results files, for other programs. read_json is stricter, in
/// what no schema can say; the schema's own description lists that, and a test holds the two together.
std::string results_schema();

} // namespace pdlcts
