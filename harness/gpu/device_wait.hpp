// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_error.hpp"

#include <chrono>
#include <string>

/// Waiting for the device, always with a deadline: polling, never a call that blocks.
namespace pdlcts {

using Deadline = std::chrono::steady_clock::time_point;

/// Throws CudaError when the device has failed, and DeadlineMissed, with `what`, when it is not done in time.
void wait_for(cudaStream_t stream, Deadline deadline, const std::string& what);
void wait_for(cudaEvent_t event, Deadline deadline, const std::string& what);

} // namespace pdlcts
