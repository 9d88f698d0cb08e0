// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/driver_functions.hpp"
#include "harness/gpu/kernel_library.hpp"

#include <span>
#include <vector>

/// A launch by the driver's cuLaunchKernelEx.
namespace pdlcts {

/// What the driver takes: the configuration points to the attributes.
struct DriverLaunch {
    std::vector<CUlaunchAttribute> attributes;
    CUlaunchConfig config{};

    DriverLaunch(LaunchShape shape, std::span<const cudaLaunchAttribute> of_runtime);
    DriverLaunch(const DriverLaunch&) = delete;
    DriverLaunch& operator=(const DriverLaunch&) = delete;
};

/// Launches a kernel of a library, or a function.
void launch_by_driver(CUfunction function, LaunchShape shape, cudaStream_t stream, std::span<void*> pointers,
                      std::span<const cudaLaunchAttribute> attributes);

} // namespace pdlcts
