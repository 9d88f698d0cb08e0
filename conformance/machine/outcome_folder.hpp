// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"

#include <cstddef>
#include <span>
#include <string>

/// Folders of programs with the outcome sets that they have to have, for tests. plans/README.md says how a set is
/// written down.
namespace pdlcts {

struct FolderCounts {
    std::size_t files = 0;
    /// Outcome sets compared: one for each program, or control, and route.
    std::size_t sets = 0;
};

/// Holds the machine to every `.litmus` file of a folder, below conformance/machine: on each of these routes that the
/// file's `routes` line allows, it has to give the set of the `.outcomes` file beside it, no outcome more and none
/// less. Whatever differs fails the running doctest test case.
FolderCounts check_folder(const std::string& folder, std::span<const Route> routes);

} // namespace pdlcts
