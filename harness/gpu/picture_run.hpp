// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/kernel_libraries.hpp"

namespace pdlcts {

/// Takes the pictures of a case on the current device, with the image that is compiled for that. `usable` is as for
/// run_trials.
PictureRun take_pictures(const Litmus& litmus, const CompiledCase& stamped, KernelLibraries& libraries, Route route,
                         const TrialOptions& options, bool& usable);

} // namespace pdlcts
