// SPDX-License-Identifier: Apache-2.0
#include "harness/command/exit_code.hpp"

#include <array>

namespace pdlcts {
namespace {

constexpr std::array meanings = {
    ExitCodeMeaning{ExitCode::success, "done, and nothing speaks against the device, the claim or the file"},
    ExitCodeMeaning{ExitCode::negative,
                    "done, and the answer is no: a cell fails, no cell was run, a claim is refuted, "
                    "a results file does not hold, the gate is shut"},
    ExitCodeMeaning{ExitCode::usage, "the command line is wrong"},
    ExitCodeMeaning{ExitCode::bad_input, "an input file cannot be read or is malformed"},
    ExitCodeMeaning{ExitCode::unknown_case, "no such case"},
    ExitCodeMeaning{ExitCode::unwritable_output, "the output cannot be written"},
    ExitCodeMeaning{ExitCode::built_without_toolkit, "built without the CUDA Toolkit"},
    ExitCodeMeaning{ExitCode::no_driver, "no driver"},
    ExitCodeMeaning{ExitCode::driver_too_old, "the driver is too old"},
    ExitCodeMeaning{ExitCode::no_gpu, "no GPU"},
    ExitCodeMeaning{ExitCode::no_nvrtc, "no NVRTC library"},
    ExitCodeMeaning{ExitCode::below_compute_capability_90, "every GPU is below compute capability 9.0"},
    ExitCodeMeaning{ExitCode::driver_silent, "who was asked for the GPUs died or did not answer"},
    ExitCodeMeaning{ExitCode::device_lost, "a GPU was lost for good before every cell was done"},
    ExitCodeMeaning{ExitCode::interrupted, "a signal ended the run early; what there is was written"},
    ExitCodeMeaning{ExitCode::not_resumable, "`run --resume`: the run that it is to go on with was another one"},
    ExitCodeMeaning{ExitCode::internal_error, "an internal error"},
};

} // namespace

std::span<const ExitCodeMeaning> exit_code_meanings() {
    return meanings;
}

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
