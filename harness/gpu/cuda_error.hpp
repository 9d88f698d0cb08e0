// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <stdexcept>
#include <string>

/// How a call of CUDA that fails travels inside harness/gpu: as an exception, up to Gpu's functions.
namespace pdlcts {

/// `cudaErrorInvalidValue (invalid argument)`.
std::string describe(cudaError_t status);

/// A call of CUDA failed: what it was to do, and the error's name and text.
struct CudaError : std::runtime_error {
    CudaError(cudaError_t failed_with, const std::string& doing);
    cudaError_t status;
};

/// The device did not finish in time. What it still uses must be neither freed nor waited for.
struct DeadlineMissed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The device did not even copy memory in time: that says nothing of the program.
struct DeviceSilent : DeadlineMissed {
    using DeadlineMissed::DeadlineMissed;
};

/// The harness met something that it cannot explain, and that is not an error of CUDA.
struct HarnessFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The driver is older than the runtime or than the compiler, and lacks what was asked for: this says nothing of the
/// program that was to run.
bool needs_newer_driver(cudaError_t status);

/// Throws CudaError unless `status` is success.
void check(cudaError_t status, const char* doing);

} // namespace pdlcts
