// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/accesses.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace pdlcts {

/// Why nothing in a plan makes a write visible to a read, or what lets the write of a later node come before it: a
/// clause such as "secondary may begin as soon as every block of primary has triggered or exited, which brings nothing
/// that primary wrote, and no thread of secondary executes `wait`". `stale`: the read returned an older value.
std::string why_unordered(const Program& program, const Plan& plan, const Place& write, const Place& read, bool stale);

/// Nodes from `node` back to `upstream` along dependencies, both included, the shortest way; empty where none leads
/// there.
std::vector<std::size_t> way_back(const Plan& plan, std::size_t node, std::size_t upstream);

/// The dependency of a node on another; null where it depends on that one, if at all, through others.
const Dependency* dependency_on(const Plan& plan, std::size_t node, std::size_t upstream);

} // namespace pdlcts
