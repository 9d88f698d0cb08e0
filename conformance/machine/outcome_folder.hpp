// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <functional>
#include <set>
#include <span>
#include <string>

/// Folders of programs with the outcome sets that they have to have, for tests. plans/README.md says how a set is
/// written down.
namespace pdlcts {

struct FolderCounts {
    std::size_t files = 0;
    /// Outcome sets compared: one for each program, or control, and route.
    std::size_t sets = 0;
    /// Sets that were not equal, or that a route expresses though none is written down for it, or the reverse.
    std::size_t disagreements = 0;
    std::set<Route> routes;
};

/// Who says what a plan may do: the machine, or its twin.
using Explorer = std::function<std::set<Outcome>(const Program&, const Plan&)>;

/// Holds an explorer to every `.litmus` file of a folder, below conformance/machine, on each of these routes that the
/// file's `routes` line allows. Whatever stands otherwise to the `.outcomes` file fails the running doctest test case.
/// The counts go to standard output, for the summary of all tests.
FolderCounts check_folder(const std::string& who, const std::string& folder, std::span<const Route> routes,
                          const Explorer& explorer);

} // namespace pdlcts
