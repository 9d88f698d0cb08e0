// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/faults/sampled_program.hpp"
#include "harness/gpu/gpu.hpp"

#include <deque>
#include <mutex>
#include <string>

namespace pdlcts {

struct Layout;

/// The abstract machine with a fault, or without one, in the place of a GPU: it samples executions, and everything from
/// the runner to the matrix counts, judges and shows them as it does a GPU's. Its environment and the image of each
/// cell say what it is. It has no clock, so that there are no pictures, and no API that a native check could ask.
class SampledGpu : public Gpu {
public:
    explicit SampledGpu(Fault fault);
    Fault fault() const { return fault_; }
    const Environment& environment() const override { return environment_; }
    using Gpu::compile;
    std::vector<Result<CompiledCase>> compile(const std::vector<const Litmus*>& cases,
                                              const CompileOptions& options) const override;
    /// A trial that never ends is a TIMEOUT, which ends the trials of its form.
    RouteRun run(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options) override;
    /// Whether any trial of a case can differ from what it would be without the fault.
    bool has_fault(const CompiledCase& compiled, Route route);
    /// The trial of a program, from 1 on, that violates first, or does not end; nothing where none of so many does.
    std::optional<std::uint64_t> first_violation(const CompiledCase& compiled, Route route, std::uint64_t seed,
                                                 std::uint64_t trials);
    NativeRun probe(NativeFunction check, std::chrono::milliseconds deadline) override;
    PictureRun take_pictures(const Litmus& litmus, const CompiledCase& stamped, Route route,
                             const TrialOptions& options) override;
    bool survives_incidents() const override { return true; }

private:
    const Litmus& emitted(const CompiledCase& compiled);
    Observation observe(const Program& program, Route route, const Layout& layout, SampleRandom random,
                        std::uint64_t trials, std::optional<Plan>& built, RouteRun& run);

    Fault fault_;
    Environment environment_;
    mutable std::mutex compiling_;
    mutable std::deque<Litmus> compiled_; ///< the code of a CompiledCase is its place in here
    Samplers samplers_;
    const Litmus* latest_ = nullptr;
};

/// `none`, or the name of a fault: what `--on fault:NAME`, environments and images say.
std::string_view name_of(Fault fault);

/// What a cell's image says where a machine with this fault ran: `sampled executions, fault wait-without-flush`.
std::string image_of(Fault fault);

} // namespace pdlcts
