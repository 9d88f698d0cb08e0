// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/native_case.hpp"
#include "harness/command/machine_answers.hpp"
#include "harness/judge/native_cell.hpp"
#include "harness/worker/images.hpp"

#include <vector>

namespace pdlcts {

/// Does on one GPU what a run asks for, one job after the other: in a worker, or in the process of the run itself.
class Performer {
public:
    /// The GPU has to outlive it, and so has the cache, where there is one.
    Performer(Gpu& gpu, RunSetup setup, std::vector<Case> cases, const CodeCache* cache);

    /// Before everything else (images.hpp).
    CompiledUnits compile(const Announce& announce) { return images_.compile(announce); }
    /// Whether something is being compiled beside the job.
    bool is_compiling() const { return images_.is_compiling(); }

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
    RouteRun run_form(const CellJob& job, Route route, std::uint64_t form, const Announce& announce);

    Gpu& gpu_;
    RunSetup setup_;
    std::vector<Case> cases_;
    MachineAnswers machine_; ///< about programs of `cases_`
    Images images_;
};

/// What a PASS of this run takes.
Thresholds thresholds_of(bool quick);

} // namespace pdlcts
