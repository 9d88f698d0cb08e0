// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"

#include <span>

/// Which GPUs can be used, from what the driver says of them; apart from the driver, so that machines can be tested
/// that are not at hand.
namespace pdlcts {

/// The lowest on which Programmatic Dependent Launch overlaps anything (avail.overlap-needs-cc90).
inline constexpr int least_compute_capability = 90;

/// What the driver says before any GPU is touched.
struct DriverAnswer {
    /// Why it offers no GPU.
    enum class Kind { no_gpu, too_old, other } kind = Kind::no_gpu;
    int driver_version = 0; ///< CUDA version that the driver supports, 13000; 0 where there is no driver
    int runtime_version = 0;
    std::string description; ///< of another error
};

GpuUnavailable explain_no_gpu(const DriverAnswer& answer);

/// The GPUs that may be used, given each one's compute capability (major * 10 + minor; 0 where it cannot be read).
std::variant<std::vector<int>, GpuUnavailable> choose_gpus(std::span<const int> compute_capabilities);

} // namespace pdlcts
