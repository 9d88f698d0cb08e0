// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"
#include "harness/selftest/explorations.hpp"

#include <deque>
#include <mutex>

namespace pdlcts {

/// The abstract machine in the place of a GPU: every outcome that it allows of a program comes up equally often. It
/// shows what the judge makes of a mutant whose every effect shows, and nothing of a GPU. It has no time, and no trials
/// that a defect of their machinery could spoil.
class MachineGpu : public Gpu {
public:
    MachineGpu();
    const Environment& environment() const override { return environment_; }
    using Gpu::compile;
    std::vector<Result<CompiledCase>> compile(const std::vector<const Litmus*>& cases,
                                              const CompileOptions& options) const override;
    RouteRun run(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options) override;
    /// Nothing can be asked of a machine that has no API.
    NativeRun probe(NativeFunction check, std::chrono::milliseconds deadline) override;
    /// None: the machine has no clock.
    PictureRun take_pictures(const Litmus& litmus, const CompiledCase& stamped, Route route,
                             const TrialOptions& options) override;

private:
    const Litmus& emitted(const CompiledCase& compiled) const;

    Environment environment_;
    mutable std::mutex compiling_;
    mutable std::deque<Litmus> compiled_; ///< the code of a CompiledCase is its place in here
    Explorations explorations_;
};

} // namespace pdlcts
