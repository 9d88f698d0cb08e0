// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/background.hpp"
#include "harness/gpu/kernel_libraries.hpp"
#include "harness/gpu/trial_record.hpp"

#include <functional>
#include <vector>

namespace pdlcts {

/// Sees the records of a batch of trials of the program behind it; an answer of false ends the run.
using BatchObserver = std::function<bool(const std::vector<PreparedRecords>&)>;

/// Runs a case on the current device. `usable` becomes false when the device cannot be used in this process any more:
/// then nothing of the run has been freed, because freeing would wait for the device. `background`: runs beside some
/// batches, unless the case needs the GPU for itself; may be null.
RouteRun run_trials(const Litmus& litmus, const CompiledCase& compiled, KernelLibraries& libraries, Route route,
                    const TrialOptions& options, Background* background, bool& usable);

/// Runs a case's stamped program (stamps.hpp) on the current device, its trials one after the other, for an observer.
RouteRun run_stamped_trials(const Litmus& stamped, const CompiledCase& compiled, KernelLibraries& libraries,
                            Route route, const TrialOptions& options, bool& usable, const BatchObserver& observer);

} // namespace pdlcts
