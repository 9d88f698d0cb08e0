// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "conformance/support/result.hpp"
#include "harness/environment/environment.hpp"
#include "harness/judge/cell.hpp"
#include "harness/native/probes.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

/// Runs litmus programs on a GPU. No type of CUDA appears here, so that a build without the toolkit offers the same
/// functions; they then say that there is no GPU support.
namespace pdlcts {

/// Why no GPU can be used: each has its own exit code (harness/command/exit_code.hpp).
enum class GpuProblem {
    built_without_toolkit,
    no_driver,
    driver_too_old,
    no_gpu,
    no_nvrtc,
    below_compute_capability_90
};

struct GpuUnavailable {
    GpuProblem problem = GpuProblem::no_gpu;
    std::string message; ///< one line: what is missing, and what to do
};

/// A defect of the trials' own machinery, put in by the self-test (harness/selftest) to see the suite notice it. A run
/// has none.
enum class TrialDefect {
    none,
    nothing_launched,         ///< records are prepared, and read again, and nothing runs in between
    no_separators,            ///< trials follow each other without anything in between
    shared_records,           ///< every second trial of a program uses the record of the one before
    shared_records_and_salts, ///< and its salt too, so that the words of both are alike
    no_reset,                 ///< only the first batch starts from prepared records
    neighbours_record,        ///< a trial's outcome is read from the record of another trial of its program
    roles_swapped,            ///< trials of the program count as the control's, and the other way round
    no_read_back,             ///< nobody asks the driver what graph it has built
};

struct TrialOptions {
    std::uint64_t trials = 2000; ///< of the program, and as many of the control
    std::uint64_t seed = 1;
    /// Chains of trials side by side: at most so many; 0 for as many as fit (branches.hpp).
    unsigned branches = 0;
    /// Not 0: each trial is a launch of so many blocks, or as many as fit (branches.hpp), each of them an instance
    /// (conformance/plan/instances.hpp), which is what is counted then. There is no calibration and no jitter then.
    unsigned instances = 0;
    /// For one batch of trials. A batch that misses it is a TIMEOUT, and the device is not usable afterwards.
    std::chrono::milliseconds deadline{20000};
    /// In graphs polls are bounded by what they need (calibration.hpp), not by the program's own bounds.
    bool calibration = true;
    /// Trials are varied (variation.hpp).
    bool jitter = true;
    /// Grids of a second GPU run on this one too, which shows that they run, and nothing of two GPUs.
    bool one_gpu_as_two = false;
    TrialDefect defect = TrialDefect::none;
    /// Told before each batch is launched: if nothing is heard of the run any more, this was it. May be empty.
    std::function<void(std::string_view)> announce = {};
};

/// The code of one translation unit. Cases are compiled several to a unit, and share it on the device.
struct CompiledUnit {
    std::vector<char> code; ///< cubin, or PTX with its terminating 0
    bool from_cache = false;
};

/// A case compiled for one device: program and control in the same translation unit.
struct CompiledCase {
    std::string source;        ///< the CUDA C++ that was compiled: self-standing, and a contiguous part of its unit
    std::string image;         ///< `sass sm_90`, `ptx compute_90`
    std::string kernel_prefix; ///< of the names that its kernels have in the unit
    std::shared_ptr<const CompiledUnit> unit;
    bool stamped = false; ///< this image takes pictures; another one's trials are counted
};

struct CodeCache;

/// What the GPU is given: automatic is SASS where the compiler knows the GPU, else PTX of the newest architecture that
/// both know; sass is that or an error; ptx is PTX of compute_90, which the driver compiles; intrinsic is like
/// automatic, but for trigger and wait, which are spelled as intrinsics.
enum class ImageChoice { automatic, sass, ptx, intrinsic };

struct CompileOptions {
    ImageChoice image = ImageChoice::automatic;
    const CodeCache* cache = nullptr; ///< none: everything is compiled
    bool stamps = false;              ///< the images that take pictures, instead of those whose trials are counted
    /// Beside trials: on few threads, with the priority of the caller's.
    bool beside_trials = false;
    /// What is not begun when a stop is asked for stays undone, and is the error of its cases.
    std::stop_token stop = {};
};

/// What one case did on one route.
struct RouteRun {
    Form form; ///< tallies, and for graphs the dependencies that were read back; `allowed` is left for the machine
    unsigned instances = 0; ///< of each launch, where the options ask for them: then the tallies count instances
    /// The plans read back from the driver, where the route can be read back.
    std::optional<Plan> program_built;
    std::optional<Plan> control_built;
    Incident incident = Incident::none;
    std::string incident_detail;
};

/// What a native check asked, and what went wrong instead.
struct NativeRun {
    std::vector<Probe> probes;
    Incident incident = Incident::none;
    std::string incident_detail;
};

/// The pictures of one case on one route.
struct PictureRun {
    Pictures pictures;
    std::vector<Latency> latency;
    /// What ended the stamped trials early, if anything: no fault of what was counted before.
    Incident incident = Incident::none;
};

/// One GPU, with a context.
class Gpu {
public:
    virtual ~Gpu() = default;
    virtual const Environment& environment() const = 0;
    /// Compiles every case, several to a unit and several units at a time. What is wrong with one case is its error
    /// alone: the compiler's log, with the source. Another thread may run trials meanwhile.
    virtual std::vector<Result<CompiledCase>> compile(const std::vector<const Litmus*>& cases,
                                                      const CompileOptions& options) const = 0;
    std::vector<Result<CompiledCase>> compile(const std::vector<const Litmus*>& cases) const {
        return compile(cases, CompileOptions{});
    }
    /// Why code of this kind cannot be made for the GPU; nothing where it can.
    virtual std::optional<std::string> why_no_image(ImageChoice) const { return std::nullopt; }
    /// Runs program and control interleaved. After Incident::timeout, crash or device_error the device cannot be
    /// used in this process any more.
    virtual RouteRun run(const Litmus& litmus, const CompiledCase& compiled, Route route,
                         const TrialOptions& options) = 0;
    /// Calls a native check, which has as long as `deadline`. After an incident the same holds as for `run`.
    virtual NativeRun probe(NativeFunction check, std::chrono::milliseconds deadline) = 0;
    /// Runs stamped trials of the program, one after the other, and counts none. `stamped` is the image that takes
    /// pictures. What the options say of the number of trials and of their variation does not apply. After
    /// Incident::timeout, crash or device_error the device cannot be used in this process any more.
    virtual PictureRun take_pictures(const Litmus& litmus, const CompiledCase& stamped, Route route,
                                     const TrialOptions& options) = 0;
    /// Brings the part of the environment up to date that can change in a run: errors and throttling since its start.
    virtual void look_again() {}
    /// Whether it can be used after incidents that a GPU does not survive, because it is none.
    virtual bool survives_incidents() const { return false; }
};

/// Loads the compiler and has it compile next to nothing: the first time it reads some hundred megabytes, which may go
/// on beside whatever else takes a while. What is wrong with it is said to whoever asks for code.
void warm_up_compiler();

/// Indices of the GPUs of this machine on which the suite can run, or why there is none.
std::variant<std::vector<int>, GpuUnavailable> usable_gpus();

std::variant<std::unique_ptr<Gpu>, GpuUnavailable> open_gpu(int device);

} // namespace pdlcts
