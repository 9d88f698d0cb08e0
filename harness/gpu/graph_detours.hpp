// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/graph_route.hpp"

/// The detours that a graph of trials takes before it is launched: routes `cloned`, `child` and `updated`. What comes
/// out is read back like any other graph, so that a detour that loses an edge's data, or an edge, is noticed.
namespace pdlcts {

/// The graph's clone; the original is gone.
TrialGraph clone_of(TrialGraph original);

/// A graph of one node, whose child graph is a copy of the original; the original is gone. Throws HarnessFault where
/// the copy's nodes are not the original's, one by one.
TrialGraph parent_of(TrialGraph original);

/// Instantiates `before`, and updates what came of it to `graph`, which is what is launched then. Throws HarnessFault,
/// with the driver's reason, where the driver refuses the update.
void instantiate_updated(TrialGraph& graph, const TrialGraph& before);

} // namespace pdlcts
