// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/requirements.hpp"

/// How many chains of trials may run side by side on a GPU without getting in each other's way.
namespace pdlcts {

/// More bring nothing: an H200 runs a hand-shake in 2.6 us with 1 branch, in 0.71 with 4, in 0.36 with 16 and 64.
inline constexpr unsigned most_branches = 16;

/// The part of a GPU that the grids of a program take, all of them resident at once: 1 is all of it, and more is more
/// than it holds. Blocks, threads (in whole warps) and shared memory of a multiprocessor each bound how many blocks it
/// holds.
double share_of_gpu(const Program& program, const DeviceLimits& limits);

/// The branches of a run of program and control. Together they take at most a quarter of the GPU, so that no trial
/// waits for the room of another: that would leave it unarmed. One where the program is about what all grids of a GPU
/// share: where clusters find room, priorities, memory synchronization domains, a second GPU, the host.
unsigned branches_for(const Litmus& litmus, const DeviceLimits& limits);

} // namespace pdlcts
