// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/statements/ledger.hpp"
#include "harness/judge/picture.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What a results file holds of one case on one route: everything that a verdict is derived from, and nothing that is
/// only the verdict's own word. `judge` (judge.hpp) is the one function from here to a verdict.
namespace pdlcts {

/// The outcomes of the trials of one program, counted. An outcome is written as conformance/litmus/outcome.hpp prints
/// it: `overlapped=1 seen=0`.
struct Tally {
    std::map<std::string, std::uint64_t> outcomes;
    /// Trials in which a register that every execution writes was found poisoned: the harness is at fault.
    std::uint64_t unwritten = 0;

    std::uint64_t trials() const; ///< the outcomes' sum and `unwritten`
    bool operator==(const Tally&) const = default;
};

/// The claim of a case, as text, so that a results file can be judged without the case.
struct ClaimText {
    std::string never;     ///< a condition, or empty
    std::string sometimes; ///< a condition, or empty
    bool ends = false;
    std::string armed; ///< a condition, or empty: then every trial is armed
    bool operator==(const ClaimText&) const = default;
};

/// A program's dependencies, one line each, as print_dependencies writes them: `expected` is what the rules of
/// lowering give, `built` what was read back from the driver (empty where nothing can be read back).
struct Structure {
    std::vector<std::string> expected;
    std::vector<std::string> built;
    bool read_back = false;
    /// Why no document says what `expected` has to be. Empty where the documents speak.
    std::vector<std::string> undocumented;
    bool operator==(const Structure&) const = default;
};

/// One program on a device: what happened, and what the abstract machine allows.
struct Observation {
    Tally tally;
    /// Every outcome that the machine allows; meaningless while `decided` is false.
    std::vector<std::string> allowed;
    bool decided = false;
    Structure structure;
    /// The same trials by how they were varied (harness/gpu/variation.hpp): `plain`, `timing`, `load`... Their sum is
    /// the tally. Empty where that was not recorded. For a person, not for the judge.
    std::map<std::string, Tally> variations;
    bool operator==(const Observation&) const = default;
};

/// How long a poll took in the pilot, in the trials in which it was satisfied, in nanoseconds.
struct PollLatencies {
    std::uint64_t trials = 0;
    std::uint64_t satisfied = 0;
    std::uint64_t median_ns = 0; ///< 0 where it never was
    std::uint64_t high_ns = 0;   ///< the quantile of 95 %
    bool operator==(const PollLatencies&) const = default;
};

/// The bound of a poll (`await`, `mbarrier.wait`) in the trials behind the pilot, in nanoseconds.
struct PollWindow {
    std::string poll;                     ///< `primary: block 7 thread 0: await started == 1 -> seen within 20us`
    std::uint64_t ceiling_ns = 0;         ///< the program's own `within`
    std::uint64_t window_ns = 0;          ///< at most the ceiling
    std::optional<PollLatencies> program; ///< none where this form does not have the poll
    std::optional<PollLatencies> control;
    bool operator==(const PollWindow&) const = default;
};

/// How long trials took on the host's clock, in seconds. It says how much evidence a second gives, and decides nothing.
struct RunTime {
    double seconds = 0;        ///< everything: memory written and read back, graphs built, launches, counting
    double launch_seconds = 0; ///< the launches alone: of each batch from its first launch until all of it has ended
    bool operator==(const RunTime&) const = default;
};

/// Launches of grids of many blocks, each block an execution of the program of its own, with its own words. The blocks
/// of a launch share its trigger and its end, so they are counted apart from trials, and never as such: what they show
/// against a claim counts, and nothing that they show counts for it.
struct Instances {
    std::uint64_t launches = 0; ///< of the program, and as many of the control
    unsigned blocks = 0;        ///< of each grid: instances a launch
    Tally program;              ///< of instances
    std::optional<Tally> control;
    RunTime time;
    bool operator==(const Instances&) const = default;
};

/// Where grids of a second GPU (`peer`) ran.
struct SecondGpu {
    std::string name;
    /// The first GPU stood in for it: the program ran, and nothing of two GPUs was shown.
    bool stood_in_for = false;
    bool operator==(const SecondGpu&) const = default;
};

/// Program and control on one route.
struct Form {
    Route route = Route::stream;
    Observation program;
    std::optional<Observation> control;
    std::vector<PollWindow> windows; ///< empty where the windows were not calibrated
    /// Chains of trials that ran side by side, where a device ran: 1 where each trial ran alone.
    std::optional<unsigned> branches;
    std::optional<RunTime> time; ///< where a device ran
    std::optional<Instances> instances;
    std::optional<SecondGpu> second_gpu; ///< where a device ran, and a grid is on a second GPU
    bool operator==(const Form&) const = default;
};

/// What went wrong instead of an observation.
enum class Incident { none, timeout, crash, device_error, harness_error, missing, not_supported };

/// What the abstract machine says of the case on this route, where it ran instead of a device.
struct MachineAnswer {
    enum class Kind { proved, refuted, not_decided } kind = Kind::not_decided;
    std::string reason;
    std::vector<std::string> trace;
    bool operator==(const MachineAnswer&) const = default;
};

/// The least evidence that a PASS needs. A cell may ask for more than the suite's minimum, never for less: the judge
/// raises a lower number to 21 and to 1,000 (100 where `quick`), so no results file can lower the bar.
struct Thresholds {
    /// Armed violations of the control: 21 make the chance of missing such a violation in an equal run below 1e-9.
    std::uint64_t control_violations = 21;
    /// Armed trials of the program; 100 with --quick.
    std::uint64_t program_trials = 1000;
    bool quick = false;
    bool operator==(const Thresholds&) const = default;
};

/// The image of cells whose trials are sampled executions of the abstract machine begins so, and ends with the name of
/// the fault that it had, or `none`.
inline constexpr std::string_view sampled_image = "sampled executions, fault ";

/// Tries of a cell before the one that counts, at most.
inline constexpr std::size_t most_tries = 16;

struct Cell {
    std::string case_id;   ///< `trigger.kickoff-requires-all-blocks/withholding-block`
    std::string statement; ///< statement id
    Strength strength = Strength::guarantee;
    Basis basis = Basis::read;
    /// What the GPU ran: `sass sm_90`, or `ptx compute_90` compiled by the driver; `machine` where no GPU ran, and
    /// sampled_image with a name where the machine's executions were sampled.
    std::string image;
    /// SHA-256 of the case as run: its canonical text, the route, and the source and image options.
    std::string digest;
    ClaimText claim;
    Thresholds thresholds;
    Form form;
    /// The same programs by the other form that an equivalence speaks of: the explicit edges beside the capture.
    std::optional<Form> other_form;
    Incident incident = Incident::none;
    std::string incident_detail;
    std::optional<MachineAnswer> machine;
    /// Rounds of trials whose counts were summed here (`run --soak`), where there is more than one.
    std::optional<std::uint64_t> rounds;
    /// What was run before this cell in its place, and was VACUOUS each time (`run --retries`), oldest first. A try
    /// has no tries of its own. The judge holds each to that: trying again never takes another verdict away.
    std::vector<Cell> tries;
    /// What else was on the GPU or in the process that can keep grids from overlapping: a reason for a VACUOUS cell,
    /// and for nothing else. Empty where nothing was noticed.
    std::string interference;
    /// Of `form`'s program. For a person, not for the judge; absent where no pictures were taken.
    std::optional<Pictures> pictures;
    std::vector<Latency> latency;
    bool operator==(const Cell&) const = default;
};

std::string_view name(Incident incident);

} // namespace pdlcts
