// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/json_sink.hpp"
#include "reports/results/judged.hpp"

/// The parts of a results file, as JSON. Strings have to be clean (clean.hpp).
namespace pdlcts {

/// The digest of a file is over the evidence alone: what is derived from it is another program's arithmetic.
enum class Fields { evidence, all };

/// `known`: what the judge says, where it has been asked.
void write(JsonSink& out, const Cell& cell, Fields fields, const Judgement* known = nullptr);
void write(JsonSink& out, const NativeCell& cell, Fields fields, const Judgement* known = nullptr);
void write(JsonSink& out, const Results& results, Fields fields, const JudgedResults* known = nullptr);

} // namespace pdlcts
