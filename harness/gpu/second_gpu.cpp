// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/second_gpu.hpp"

#include "harness/gpu/cuda_error.hpp"

#include <cuda_runtime_api.h>

namespace pdlcts {
namespace {

constexpr const char* looking = "looking for a second GPU";

int current_gpu() {
    int device = 0;
    check(cudaGetDevice(&device), "finding the GPU of this thread");
    return device;
}

int compute_capability(int device) {
    int major = 0;
    int minor = 0;
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), looking);
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), looking);
    return major * 10 + minor;
}

} // namespace

FoundPeer find_peer() {
    const int first = current_gpu();
    int count = 0;
    check(cudaGetDeviceCount(&count), looking);
    FoundPeer found;
    found.why_none = count < 2 ? "this machine shows one GPU" : "none of the other GPUs runs code for this one";
    for (int device = 0; device < count; ++device) {
        if (device == first || compute_capability(device) != compute_capability(first)) {
            continue;
        }
        int accesses = 0;
        check(cudaDeviceCanAccessPeer(&accesses, device, first), looking);
        if (accesses == 0) {
            found.why_none = "none of the other GPUs can access the memory of this one";
            continue;
        }
        int atomics = 0;
        check(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, device, first), looking);
        return {device, atomics != 0, ""};
    }
    return found;
}

void enable_access(int from, int to) {
    const OnGpu on(from);
    const cudaError_t status = cudaDeviceEnablePeerAccess(to, 0);
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
        static_cast<void>(cudaGetLastError());
        return;
    }
    check(status, "letting a second GPU access the memory of the first");
}

std::string name_of_gpu(int device) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "reading the name of a GPU");
    return properties.name;
}

OnGpu::OnGpu(std::optional<int> device) {
    if (device) {
        before_ = current_gpu();
        check(cudaSetDevice(*device), "selecting a GPU");
    }
}

OnGpu::~OnGpu() {
    if (before_) {
        static_cast<void>(cudaSetDevice(*before_));
    }
}

} // namespace pdlcts
