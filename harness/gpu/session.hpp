// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/background.hpp"
#include "harness/gpu/calibration.hpp"
#include "harness/gpu/graph_route.hpp"
#include "harness/gpu/host_thread.hpp"
#include "harness/gpu/stream_separators.hpp"
#include "harness/gpu/trial_record.hpp"
#include "harness/gpu/trials.hpp"

namespace pdlcts {

/// Everything that a run has on the device.
class Session {
public:
    /// The library is that of the case's unit, and has to outlive the session. `branches`: chains of trials side by
    /// side.
    /// `background`: what may run beside batches, none where nothing may. `gpus`: where grids run. Throws Unsupported
    /// where streams or events cannot be divided among them.
    Session(const Litmus& litmus, const CaseLayout& layout, const CompiledCase& compiled, const KernelLibrary& library,
            Route route, const GpuPair& gpus, const TrialOptions& options, unsigned branches, Background* background);

    /// Throws Unsupported where a grid does not fit the GPU.
    void load(Role role, const Program& program, Plan expected);

    /// Whom to show every batch to, if anybody.
    void watch(BatchObserver observer) { observer_ = std::move(observer); }

    /// Whatever is thrown, the result has the trials that were counted before.
    void run(const std::vector<std::uint64_t>& batches, RouteRun& result);

    /// Behind a DeadlineMissed of run: which blocks have not got to their end, as far as they leave a trace.
    const std::string& left_undone() const { return left_undone_; }

    /// Waits, with the deadline, until nothing of the run is on the device.
    void settle() const;

private:
    using Trials = std::vector<Trial>;

    cudaStream_t main() const { return branches_[0].main(); }

    /// Program and control in turn, also within a branch; the seed says how each pair is varied, and which begins.
    Trials place_trials(std::uint64_t of_each, bool pilot) const;
    void allocate(std::uint64_t of_each);
    void run_batches(const std::vector<std::uint64_t>& batches, RouteRun& result);
    void prepare_records(Trials& trials, bool loaded);
    void launch_trials(const Trials& trials, const TrialGraph* graph, Deadline deadline);
    bool launch_loaded(const Trials& trials, const TrialGraph* graph, std::size_t batch, Deadline deadline);
    void issue_eagerly(const Trials& trials, Deadline deadline);
    void issue_branch(const Trials& trials, std::size_t branch, Deadline deadline);
    void issue_one_by_one(const Trials& trials, Deadline deadline);
    TrialGraph make_graph(const Trials& trials);
    Trials with_other_parameters(const Trials& trials);
    const TrialGraph& graph_of(const Trials& trials, RouteRun& result);
    void copy(const Trials& trials, cudaMemcpyKind direction, Deadline deadline);
    void count(const Trials& trials, bool loaded);
    std::string unfinished(const Trials& trials);
    void report(RouteRun& result) const;
    /// Whether the run goes on.
    bool show(const Trials& trials) const;
    bool has(TrialDefect defect) const { return options_.defect == defect; }
    /// Whether the self-test has a pair of trials use the records of the pair before it: `round` of so many in a batch.
    bool shares_record(std::uint64_t round, std::uint64_t rounds) const;
    /// Where the outcome of a trial is read: in its own record, unless the self-test says otherwise.
    const Trial& read_for(const Trials& trials, std::size_t trial) const;
    Observation& observation_of(Role role, RouteRun& result) const;
    void calibrate_windows(const Trials& pilot, RouteRun& result);

    std::size_t words_of(const Trials& trials) const;
    TrialRecords on_host(const Trial& trial, unsigned instance = 0) const;
    /// Executions that one trial is: its instances, or 1.
    unsigned executions() const { return std::max(options_.instances, 1u); }

    Route route_;
    const StreamCalls& interface_;
    GpuPair gpus_;
    TrialOptions options_;
    CaseLayout layout_;
    const KernelLibrary& library_;
    std::string kernel_prefix_;
    std::vector<TrialStreams> branches_;
    SaltSequence salts_;
    NamedEvents events_;
    std::vector<LoadedProgram> programs_;
    std::map<std::pair<Role, std::string_view>, OutcomeCounter> outcomes_; ///< and by the variation of the trials
    bool host_takes_part_ = false;
    DeviceWords records_;
    HostWords host_copies_; ///< of the records in device memory
    MappedWords host_records_;
    std::size_t record_words_ = 0; ///< of all records of a batch
    std::size_t host_record_words_ = 0;
    DeviceWords other_records_; ///< of route `updated`: of what is instantiated and never launched
    MappedWords other_host_records_;
    std::optional<TrialEvents> stream_events_;
    std::optional<StreamSeparators> stream_separators_;
    HostCalls host_calls_; ///< of a batch on streams
    /// By number of trials, and whether they measure.
    std::map<std::pair<std::size_t, bool>, TrialGraph> graphs_;
    std::map<Role, TrialTimes> times_;
    std::uint32_t allowance_ = 0;      ///< the most that other times can make a trial longer
    std::uint64_t pairs_ = 0;          ///< that have been prepared
    std::vector<std::uint32_t> bases_; ///< of a batch's executions
    bool memory_load_;                 ///< the case asks for it
    Background* background_;
    std::string batch_name_;
    std::string left_undone_;
    BatchObserver observer_;
};

} // namespace pdlcts
