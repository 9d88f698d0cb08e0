// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"

#include <string>

/// CUDA C++ for a case: program and control in one translation unit that needs no header, one kernel for each grid.
/// A kernel takes a pointer to its trial's record, and where it accesses host memory one to the trial's record there.
/// Memory is touched by inline PTX alone: a racing C++ access would be undefined behaviour, and compilers move it.
namespace pdlcts {

enum class Role { program, control };

/// `program`, `control`.
std::string_view name(Role role);

/// The name of a grid's kernel: `program_primary`, `control_primary`.
std::string kernel_name(Role role, const Grid& grid);

std::string emit(const Litmus& litmus, const CaseLayout& layout);

} // namespace pdlcts
