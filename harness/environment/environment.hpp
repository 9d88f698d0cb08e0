// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>

namespace pdlcts {

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
    bool operator==(const Environment&) const = default;
};

/// PRETTY_NAME of an os-release file, without quotes; `unknown` where it has none.
std::string pretty_name(std::istream& os_release);

/// The part that needs no GPU: operating system, kernel and variables.
Environment host_environment();

} // namespace pdlcts
