// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/native_case.hpp"
#include "harness/command/machine_answers.hpp"
#include "harness/judge/native_cell.hpp"
#include "harness/worker/setup.hpp"

#include <future>
#include <stop_token>
#include <vector>

namespace pdlcts {

struct CodeCache;

/// How the cases of a run came to the code whose trials are counted. What takes their pictures is compiled beside the
/// trials, and not counted here.
struct CompiledUnits {
    double seconds = 0;
    std::uint64_t units = 0;
    std::uint64_t from_cache = 0;
    bool operator==(const CompiledUnits&) const = default;
};

/// Does on one GPU what a run asks for, one job after the other: in a worker, or in the process of the run itself.
class Performer {
public:
    /// The GPU has to outlive it, and so has the cache, where there is one.
    Performer(Gpu& gpu, RunSetup setup, std::vector<Case> cases, const CodeCache* cache);
    ~Performer();

    /// Before everything else. What does not compile is told by its cells. The images that take pictures are then
    /// still being compiled.
    CompiledUnits compile(const Announce& announce);

    /// The cell with its evidence, or what came in between.
    Cell cell(const CellJob& job, const Announce& announce);

    NativeCell native(const NativeCase& listed, const Announce& announce);

    /// A cell that holds pictures and latencies; `incident` is what ended its trials, and no fault of the cell.
    Cell pictures(const CellJob& job, const Announce& announce);

    /// Whether a job that ended so was the last that this process can do.
    bool is_lost(Incident incident) const { return loses_device(incident) && !gpu_.survives_incidents(); }

private:
    TrialOptions options_of(const CellJob& job, const Announce& announce, std::uint64_t form) const;
    void ask_machine(const Litmus& litmus, Route route);
    std::vector<Result<CompiledCase>> images_of(const CompileOptions& options) const;
    const Result<CompiledCase>& stamped_image_of(const CellJob& job);
    RouteRun run_form(const CellJob& job, Route route, std::uint64_t form, const Announce& announce);

    Gpu& gpu_;
    RunSetup setup_;
    std::vector<Case> cases_;
    const CodeCache* cache_;
    MachineAnswers machine_; ///< about programs of `cases_`
    std::optional<std::string> no_image_;
    std::vector<Result<CompiledCase>> compiled_;
    std::vector<Result<CompiledCase>> stamped_; ///< once `stamping_` has been waited for
    std::stop_source stop_stamping_;
    std::future<std::vector<Result<CompiledCase>>> stamping_;
};

/// What a PASS of this run takes.
Thresholds thresholds_of(bool quick);

} // namespace pdlcts
