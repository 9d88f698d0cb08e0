// SPDX-License-Identifier: Apache-2.0
#include "harness/command/exit_code.hpp"

namespace pdlcts {

ExitCode exit_code(GpuProblem problem) {
    switch (problem) {
    case GpuProblem::built_without_toolkit:
        return ExitCode::built_without_toolkit;
    case GpuProblem::no_driver:
        return ExitCode::no_driver;
    case GpuProblem::driver_too_old:
        return ExitCode::driver_too_old;
    case GpuProblem::no_gpu:
        return ExitCode::no_gpu;
    case GpuProblem::no_nvrtc:
        return ExitCode::no_nvrtc;
    case GpuProblem::below_compute_capability_90:
        return ExitCode::below_compute_capability_90;
    }
    return ExitCode::no_gpu;
}

} // namespace pdlcts
