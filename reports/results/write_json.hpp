// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/json_sink.hpp"
#include "reports/results/results.hpp"

/// The parts of a results file, as JSON. Strings have to be clean (clean.hpp).
namespace pdlcts {

/// The digest of a file is over the evidence alone: what is derived from it is another program's arithmetic.
enum class Fields { evidence, all };

void write(JsonSink& out, const Cell& cell, Fields fields);
void write(JsonSink& out, const NativeCell& cell, Fields fields);
void write(JsonSink& out, const Results& results, Fields fields);

} // namespace pdlcts
