// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"
#include "harness/gpu/spelling.hpp"

#include <string>

/// CUDA C++ for a case: program and control in one translation unit that needs no header, one kernel for each grid.
///
/// The parameters of a kernel, in this order:
///
///     const void* trial         the trial's record in device memory (layout.hpp), as `prepare` writes it
///     word blocks_before        blocks of the launch before those of the grid, a multiple of the cluster; others may
///                               stand behind. Such extra blocks exit at once, as unnamed threads do.
///                               every_block_an_instance, where why_no_instances has nothing to say: each block is an
///                               execution of its own, with the record that many records behind the trial's.
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

inline constexpr std::uint32_t every_block_an_instance = 0xffffffff;

/// The name of a grid's kernel: `program_primary`, `control_primary`.
std::string kernel_name(Role role, const Grid& grid);

/// Whether a grid's kernel has the last parameter, the trial's record in host memory.
bool takes_host_record(const Grid& grid, const Layout& layout);

/// Spelled with intrinsics it needs cuda_device_runtime_api.h, which the compiler is told to read first: several cases
/// stand in one unit, each in a namespace.
std::string emit(const Litmus& litmus, const CaseLayout& layout, Spelling spelling = Spelling::ptx);

} // namespace pdlcts
