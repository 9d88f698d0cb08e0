// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/cuda_error.hpp"

namespace pdlcts {

std::string describe(cudaError_t status) {
    return std::string(cudaGetErrorName(status)) + " (" + cudaGetErrorString(status) + ")";
}

CudaError::CudaError(cudaError_t failed_with, const std::string& doing)
    : std::runtime_error(doing + ": " + describe(failed_with)), status(failed_with) {}

bool needs_newer_driver(cudaError_t status) {
    return status == cudaErrorCallRequiresNewerDriver || status == cudaErrorUnsupportedPtxVersion ||
           status == cudaErrorInsufficientDriver;
}

void check(cudaError_t status, const char* doing) {
    if (status != cudaSuccess) {
        throw CudaError(status, doing);
    }
}

} // namespace pdlcts
