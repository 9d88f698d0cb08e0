// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/gpu_choice.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// `13.0` for 13000.
std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace

GpuUnavailable explain_no_gpu(const DriverAnswer& answer) {
    if (answer.driver_version == 0) {
        return {GpuProblem::no_driver,
                "no NVIDIA driver is loaded on this machine; install one, and where this runs in "
                "a container give it access to the GPU"};
    }
    switch (answer.kind) {
    case DriverAnswer::Kind::too_old:
        return {GpuProblem::driver_too_old,
                "the driver supports CUDA " + version_text(answer.driver_version) +
                    ", which this program, built with toolkit " + version_text(answer.runtime_version) +
                    ", cannot use; install a newer driver, or build with an older toolkit (12.4 or newer)"};
    case DriverAnswer::Kind::no_gpu:
        return {GpuProblem::no_gpu, "the driver finds no GPU; check CUDA_VISIBLE_DEVICES, and that this process may "
                                    "use one"};
    case DriverAnswer::Kind::other:
        break;
    }
    return {GpuProblem::no_driver,
            "the driver does not start: " + answer.description + "; try nvidia-smi, which uses the same driver"};
}

std::variant<std::vector<int>, GpuUnavailable> choose_gpus(std::span<const int> compute_capabilities) {
    std::vector<int> usable;
    for (std::size_t device = 0; device < compute_capabilities.size(); ++device) {
        if (compute_capabilities[device] >= least_compute_capability) {
            usable.push_back(static_cast<int>(device));
        }
    }
    if (!usable.empty()) {
        return usable;
    }
    const int highest = *std::max_element(compute_capabilities.begin(), compute_capabilities.end());
    return GpuUnavailable{GpuProblem::below_compute_capability_90,
                          "Programmatic Dependent Launch needs compute capability 9.0, and the best of " +
                              std::to_string(compute_capabilities.size()) + " GPU(s) here has " +
                              std::to_string(highest / 10) + "." + std::to_string(highest % 10) +
                              "; use Hopper or newer"};
}

} // namespace pdlcts
