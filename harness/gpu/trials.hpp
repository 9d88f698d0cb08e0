// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/kernel_libraries.hpp"

namespace pdlcts {

/// Runs a case on the current device. `usable` becomes false when the device cannot be used in this process any more:
/// then nothing of the run has been freed, because freeing would wait for the device.
RouteRun run_trials(const Litmus& litmus, const CompiledCase& compiled, KernelLibraries& libraries, Route route,
                    TrialOptions options, bool& usable);

} // namespace pdlcts
