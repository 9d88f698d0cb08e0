// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <vector>

/// What a route does to a plan: everything that tells the routes apart but lowering itself stands here.
///
/// Three routes make a plan: `stream`, `captured` and `edges`. The others launch what one of them made, by a detour
/// that has to leave its dependencies as they are.
///
/// | route    | the plan of | launched                                                                | by what the
/// plan stays |
/// |----------|-------------|-------------------------------------------------------------------------|------------------------|
/// | cloned   | captured    | from a clone of the captured graph                                      |
/// graph.exec.clone-keeps-edge-data | | child    | edges       | as the child graph of the one node of another graph |
/// graph.exec.clone-keeps-edge-data | | updated  | captured    | instantiated with other parameters, then updated from
/// the captured graph | graph.exec.update-topology-identical | | driver   | stream      | by the driver's functions in
/// place of the runtime's                     | attr.runtime-driver-equivalent |
namespace pdlcts {

/// The route whose rules make the plan: one of `stream`, `captured`, `edges`.
constexpr Route lowered_as(Route route) {
    switch (route) {
    case Route::cloned:
    case Route::updated:
        return Route::captured;
    case Route::child:
        return Route::edges;
    case Route::driver:
        return Route::stream;
    case Route::stream:
    case Route::captured:
    case Route::edges:
        break;
    }
    return route;
}

/// Whether the route launches a graph, whose nodes and edges can be read back; else it issues to streams.
constexpr bool launches_graph(Route route) {
    return lowered_as(route) != Route::stream;
}

/// The routes that a file is run on when nobody asks for others: those of its `routes` line, else the three that make a
/// plan.
std::vector<Route> default_routes(const Litmus& litmus);

/// Whether a file makes its claim on a route: without a `routes` line on all; else on those that it names, and on those
/// that launch the plan of one that it names.
bool claims_on(const Litmus& litmus, Route route);

} // namespace pdlcts
