// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"

/// The exit codes of pdlcts. They are part of its interface: README.md lists them, and a test holds the two together.
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
    /// A hang, a crash or a device error ended the run before every cell was done.
    device_lost = 20,
    /// A mistake in pdlcts itself.
    internal_error = 70,
};

ExitCode exit_code(GpuProblem problem);

} // namespace pdlcts
