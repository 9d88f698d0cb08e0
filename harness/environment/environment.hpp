// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pdlcts {

/// Who else was on the GPU, and what happened to it meanwhile, as the management library says: before the run, and
/// where a name says so at its end.
struct GpuState {
    std::uint64_t other_processes = 0;     ///< with a context on it
    std::uint64_t utilisation_percent = 0; ///< of the moment before the run touched it
    std::uint64_t ecc_errors = 0;          ///< uncorrected, since the driver was loaded
    std::uint64_t ecc_errors_at_end = 0;
    std::vector<std::string> throttled; ///< why clocks were held down: `power cap`, `hardware thermal slowdown`...
    std::vector<std::string> throttled_at_end;
    bool operator==(const GpuState&) const = default;
};

/// Where a run took place. Holds no host name, no user name, no path.
struct Environment {
    std::string gpu; ///< `NVIDIA H200`; `abstract machine` where no GPU ran
    /// Where executions of the abstract machine were sampled, and no GPU ran: the name of the fault that it had, or
    /// `none`.
    std::optional<std::string> fault;
    std::string gpu_uuid_hash;  ///< first 16 hex digits of the SHA-256 of the UUID
    int compute_capability = 0; ///< major * 10 + minor
    int multiprocessors = 0;
    std::string driver_version; ///< `580.159.04`
    int driver_api_version = 0; ///< cudaDriverGetVersion, 13000
    int runtime_version = 0;    ///< cudaRuntimeGetVersion of the linked runtime, 13000
    std::string nvrtc_version;  ///< `13.0`
    std::string mig_mode;       ///< `off`, `on`, `unknown`
    std::string mps;            ///< `off`, `on`, `unknown`
    std::string ecc;            ///< `off`, `on`, `unknown`
    std::string compute_mode;   ///< `default`, `exclusive process`, `prohibited`, `unknown`
    int sm_clock_mhz = 0;       ///< at the start of the run; 0 where unknown
    int memory_clock_mhz = 0;
    std::string operating_system; ///< PRETTY_NAME of /etc/os-release
    std::string kernel;           ///< release of uname
    /// Variables that change overlap, as set: CUDA_LAUNCH_BLOCKING, CUDA_DEVICE_MAX_CONNECTIONS, CUDA_MODULE_LOADING.
    /// Of an injected tool only that it is there: `set`.
    std::map<std::string, std::string> variables;
    std::optional<GpuState> gpu_state; ///< none where the management library did not say, and in older files
    /// Tools that run a program's kernels their own way, and were attached: `compute-sanitizer`, `nsys`...
    std::vector<std::string> tools;
    bool operator==(const Environment&) const = default;
};

/// PRETTY_NAME of an os-release file, without quotes; `unknown` where it has none.
std::string pretty_name(std::istream& os_release);

/// What else was on the GPU or in this process that can keep grids from overlapping, in one clause for a person; empty
/// where nothing was noticed. It explains a VACUOUS cell, and decides nothing.
std::string interference_of(const Environment& environment);

/// The tools that are mapped into a process (the text of its /proc/PID/maps) or have started it (the name of its
/// parent).
std::vector<std::string> attached_tools(std::string_view maps, std::string_view parent);

/// The part that needs no GPU: operating system, kernel and variables.
Environment host_environment();

} // namespace pdlcts
