// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"

namespace pdlcts {

/// Runs a case on the current device. `usable` becomes false when the device cannot be used in this process any more:
/// then nothing of the run has been freed, because freeing would wait for the device.
RouteRun run_trials(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options,
                    bool& usable);

} // namespace pdlcts
