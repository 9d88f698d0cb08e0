// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/driver_launch.hpp"

#include <cstring>

namespace pdlcts {

DriverLaunch::DriverLaunch(LaunchShape shape, std::span<const cudaLaunchAttribute> of_runtime)
    : attributes(of_runtime.size()) {
    // Both headers declare one structure under two names, with the same numbers for its kinds.
    static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
    if (!of_runtime.empty()) {
        std::memcpy(attributes.data(), of_runtime.data(), of_runtime.size_bytes());
    }
    config.gridDimX = shape.blocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = shape.threads;
    config.blockDimY = config.blockDimZ = 1;
    config.sharedMemBytes = shape.shared_memory;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
}

void launch_by_driver(CUfunction function, LaunchShape shape, cudaStream_t stream, std::span<void*> pointers,
                      std::span<const cudaLaunchAttribute> attributes) {
    DriverLaunch launch(shape, attributes);
    launch.config.hStream = stream;
    static const auto launch_kernel = require_driver_function<decltype(cuLaunchKernelEx)>("cuLaunchKernelEx");
    check_driver(launch_kernel(&launch.config, function, pointers.data(), nullptr), "launching a grid");
}

} // namespace pdlcts
