// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"
#include "harness/judge/native_cell.hpp"

#include <span>
#include <string_view>

/// The hidden test section of the runner (`run --with-incidents`): what a run has to survive, made to happen between
/// its cells. It is in no list, no digest and no results file; all other cells have to come out as without it.
namespace pdlcts {

/// `hang` (a kernel that spins on a word of the host's, for a minute at most), `fault` (a kernel that stores to an
/// address that nobody has), `abort` (the worker dies by a signal), `exit`, `silence` (it never answers).
std::span<const std::string_view> all_incidents();

/// Makes it happen. Those of a GPU are NOT SUPPORTED where there is none; not all of them return.
NativeCell make_incident(Gpu& gpu, std::string_view name);

} // namespace pdlcts
