// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/device_limits.hpp"

#include "harness/gpu/cuda_error.hpp"
#include "harness/gpu/second_gpu.hpp"

#include <cuda_runtime_api.h>

namespace pdlcts {
namespace {

int attribute(cudaDeviceAttr which) {
    int device = 0;
    check(cudaGetDevice(&device), "finding the GPU of this thread");
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "reading an attribute of the GPU");
    return value;
}

} // namespace

DeviceLimits device_limits() {
    DeviceLimits limits;
    limits.launches_clusters = attribute(cudaDevAttrClusterLaunch) != 0;
    limits.memory_sync_domains = attribute(cudaDevAttrMemSyncDomainCount);
    limits.shared_memory_a_block = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    limits.multiprocessors = static_cast<unsigned>(attribute(cudaDevAttrMultiProcessorCount));
    limits.blocks_a_multiprocessor = static_cast<unsigned>(attribute(cudaDevAttrMaxBlocksPerMultiprocessor));
    limits.threads_a_multiprocessor = static_cast<unsigned>(attribute(cudaDevAttrMaxThreadsPerMultiProcessor));
    limits.shared_memory_a_multiprocessor =
        static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
    limits.maps_host_memory = attribute(cudaDevAttrCanMapHostMemory) != 0;
    limits.has_host_atomics = attribute(cudaDevAttrHostNativeAtomicSupported) != 0;
    check(cudaDeviceGetStreamPriorityRange(&limits.least_priority, &limits.greatest_priority),
          "reading the priorities of the GPU");
    const FoundPeer peer = find_peer();
    limits.has_peer = peer.device.has_value();
    limits.has_peer_atomics = peer.has_atomics;
    limits.why_no_peer = peer.why_none;
    return limits;
}

} // namespace pdlcts
