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

/// How the machine's sets stand to those that were written down: the same, or known to differ in one direction.
enum class Relation {
    equal,
    weaker,   ///< never an outcome less, and somewhere in each file one more
    stronger, ///< never an outcome more, and somewhere in each file one less
};

/// Holds the machine to every `.litmus` file of a folder, below conformance/machine, on each of these routes that the
/// file's `routes` line allows. Whatever stands otherwise to the `.outcomes` file fails the running doctest test case.
FolderCounts check_folder(const std::string& folder, std::span<const Route> routes,
                          Relation relation = Relation::equal);

} // namespace pdlcts
