// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/export/cpp_text.hpp"
#include "harness/export/side.hpp"

/// The host's part of a trial as calls of the runtime API, for each route as a person would write it.
namespace pdlcts {

/// What the language calls an operation: `grid secondary <<<1, 32>>> pss`, `memset x, 7 on s`.
std::string operation_line(const HostOperation& operation);

/// Whether the host's own thread waits, reads or writes among the operations of a program.
bool host_thread_takes_part(const Reproduced& reproduced);

/// Streams, events, the functions that cudaLaunchHostFunc calls, and what they read and write with.
void write_streams_and_events(CppText& out, const Reproduced& reproduced);
void write_host_functions(CppText& out, const Side& side);

/// `issue_program`: one trial, issued to streams.
void write_issue(CppText& out, const Side& side);

/// `capture_program`: the same calls, captured as the graph of one trial.
void write_capture(CppText& out, const Reproduced& reproduced, const Side& side);

/// `build_program`: the graph of one trial, node by node and edge by edge. (graph_nodes.cpp)
void write_build(CppText& out, const Side& side);

/// What the routes that make graphs need: calls with edge data, and reading edges back. (graph_nodes.cpp)
void write_graph_support(CppText& out, const Reproduced& reproduced);

} // namespace pdlcts
