// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/cell.hpp"
#include "reports/results/json_sink.hpp"

/// Pictures and latencies in a results file.
namespace pdlcts {

class Place;

void write(JsonSink& out, const Pictures& pictures);
void write(JsonSink& out, const std::vector<Latency>& latency);

/// What read_json refuses, beside other shapes: lists longer than picture.hpp says, times beyond a minute, blocks whose
/// times do not follow one another, quantiles that do not, and more armed trials than trials.
Pictures read_pictures(const Place& place);
std::vector<Latency> read_latency(const Place& place);

} // namespace pdlcts
