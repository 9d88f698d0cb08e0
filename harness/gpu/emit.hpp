// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"

#include <string>

/// CUDA C++ for a case: program and control in one translation unit that needs no header, one kernel for each grid.
///
/// The parameters of a kernel, in this order:
///
///     const void* trial         the trial's record in device memory (layout.hpp), as `prepare` writes it
///     word blocks_before        blocks of the launch before those of the grid, a multiple of the cluster; others may
///                               stand behind. Such extra blocks exit at once, as unnamed threads do.
///     word starts_late          1: each agent first lets the time of its start pass (timing.hpp); 0: no word is read
///     word measures             1: each agent, after everything else, leaves how long its polls took; 0: nothing
///     const void* host_trial    only where the grid accesses host memory: the trial's record there
///
/// With blocks_before, starts_late and measures 0 a kernel does what its grid says, and nothing else.
/// Memory is touched by inline PTX alone: a racing C++ access would be undefined behaviour, and compilers move it.
namespace pdlcts {

enum class Role { program, control };

/// `program`, `control`.
std::string_view name(Role role);

/// The name of a grid's kernel: `program_primary`, `control_primary`.
std::string kernel_name(Role role, const Grid& grid);

/// Whether a grid's kernel has the last parameter, the trial's record in host memory.
bool takes_host_record(const Grid& grid, const Layout& layout);

std::string emit(const Litmus& litmus, const CaseLayout& layout);

} // namespace pdlcts
