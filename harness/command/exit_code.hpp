// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"

#include <span>
#include <string_view>

/// The exit codes of pdlcts. They are part of its interface: `pdlcts --help` and README.md list them in the same words,
/// and a test holds the three together.
namespace pdlcts {

enum class ExitCode : int {
    success = 0,
    /// The run was complete, and its answer is no: a cell that fails, a claim that is refuted, a file that does not
    /// hold.
    negative = 1,
    usage = 2,
    /// A litmus or results file that cannot be read or is malformed.
    bad_input = 3,
    unknown_case = 4,
    unwritable_output = 5,
    built_without_toolkit = 10,
    no_driver = 11,
    driver_too_old = 12,
    no_gpu = 13,
    no_nvrtc = 14,
    below_compute_capability_90 = 15,
    /// Who was asked for the GPUs died or did not answer: nobody knows what there is, so nothing falls back.
    driver_silent = 16,
    /// A GPU was lost for good before every cell was done. A worker that is lost takes one cell with it, and no run.
    device_lost = 20,
    /// SIGINT, SIGTERM or SIGHUP: the cell that ran was finished, and what there is was written.
    interrupted = 21,
    /// `run --resume` of a run that had another suite, GPU, driver, options or cases, or whose journal is malformed.
    not_resumable = 22,
    /// A mistake in pdlcts itself.
    internal_error = 70,
};

ExitCode exit_code(GpuProblem problem);

/// An exit code in the words of `pdlcts --help` and of README.md.
struct ExitCodeMeaning {
    ExitCode code;
    std::string_view meaning;
};
/// Every code, in order.
std::span<const ExitCodeMeaning> exit_code_meanings();

} // namespace pdlcts
