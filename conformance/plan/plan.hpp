// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/support/result.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pdlcts {

/// The relation that a dependency states: the values of cudaGraphDependencyType.
enum class DependencyType : std::uint8_t { full = 0, programmatic = 1 };

/// When a dependency fires: the values of cudaGraphKernelNodePort*. `full` is the default port: completion.
enum class Port : std::uint8_t { full = 0, programmatic = 1, launch_completion = 2 };

/// One typed dependency on an earlier node; the same values describe a stream's order and a graph's edge.
///
/// | type         | port              | fires when                                                | seen by `wait` |
/// |--------------|-------------------|-----------------------------------------------------------|----------------|
/// | full         | full              | the upstream has completed; brings its view               | no             |
/// | programmatic | programmatic      | every block of the upstream has triggered or exited       | yes            |
/// | programmatic | launch_completion | every block of the upstream has begun                     | yes            |
/// | full         | launch_completion | at once: a launch-completion event is best effort         | no             |
struct Dependency {
    std::size_t upstream = 0; ///< index into Plan::nodes, smaller than the node's own
    DependencyType type = DependencyType::full;
    Port port = Port::full;
    auto operator<=>(const Dependency&) const = default;
};

/// A grid, a memset, a memcpy or a host function; on route `stream` also what the host's own thread does: a sync, and a
/// read or write of host memory that stands in no host function. Those of the host's thread form a chain, and all that
/// is issued later depends on the latest of them.
struct Node {
    std::size_t operation = 0;            ///< index into Program::operations
    std::vector<Dependency> dependencies; ///< sorted, at most one for each upstream
    bool operator==(const Node&) const = default;
};

/// What a route makes of a program. Nodes stand in host program order, so dependencies point backwards.
struct Plan {
    Route route = Route::stream;
    std::vector<Node> nodes;
    /// What no document says about this plan: a capture of such a program is read back from the driver, the plan that
    /// was really built is judged, and the cell is RECORDED.
    std::vector<std::string> undocumented;
    bool operator==(const Plan&) const = default;
};

std::string_view name(DependencyType type); ///< `default`, `programmatic`
std::string_view name(Port port);           ///< `default`, `programmatic`, `launch completion`

/// Which operation a node is, for people: a grid's name, or what the language calls the
/// operation: `memset y`, `memcpy y, x`, `host publish`, `sync stream on s`, `read h[1] -> seen`.
std::string node_name(const Program& program, const Node& node);

/// One line a dependency, `primary -> secondary: type programmatic, port programmatic`, in plan order.
std::vector<std::string> print_dependencies(const Program& program, const Plan& plan);

} // namespace pdlcts
