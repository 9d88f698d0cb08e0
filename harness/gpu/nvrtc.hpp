// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/compile.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// NVRTC, the run-time compiler: found when the program runs. Its prototypes stand here, so that the build needs none
/// of its files.
namespace pdlcts {

struct NvrtcProgram;

struct Nvrtc {
    using Status = int;
    Status (*version)(int* major, int* minor) = nullptr;
    Status (*supported_archs_count)(int* count) = nullptr;
    Status (*supported_archs)(int* archs) = nullptr;
    Status (*create_program)(NvrtcProgram** program, const char* source, const char* name, int headers,
                             const char* const* header_sources, const char* const* header_names) = nullptr;
    Status (*destroy_program)(NvrtcProgram** program) = nullptr;
    Status (*compile_program)(NvrtcProgram* program, int options, const char* const* option) = nullptr;
    Status (*log_size)(NvrtcProgram* program, std::size_t* size) = nullptr;
    Status (*log)(NvrtcProgram* program, char* log) = nullptr;
    Status (*cubin_size)(NvrtcProgram* program, std::size_t* size) = nullptr;
    Status (*cubin)(NvrtcProgram* program, char* code) = nullptr;
    Status (*ptx_size)(NvrtcProgram* program, std::size_t* size) = nullptr;
    Status (*ptx)(NvrtcProgram* program, char* code) = nullptr;
    const char* (*error_string)(Status status) = nullptr;
    /// Size and time of the library's file: the version does not tell 13.0.48 from 13.0.88.
    std::string file_identity;
};

/// Loads the first NVRTC that there is of these: PDLCTS_NVRTC, a file or a folder (then no other is looked for); the
/// folder that the program is in; what the loader finds; CUDA_HOME, CUDA_PATH, /usr/local/cuda. Among several in one
/// place that of the driver's major version comes first: a newer one makes code that the driver refuses. The argument
/// is what cudaDriverGetVersion gives, or 0 where there is no driver.
Result<Nvrtc> load_nvrtc(int driver_api_version);

/// `13.0`.
std::string version_of(const Nvrtc& nvrtc);

/// What code is compiled for: a GPU itself, or a virtual architecture that a driver compiles further.
struct Target {
    bool is_sass = true;
    int architecture = 90; ///< major * 10 + minor
    Spelling spelling = Spelling::ptx;
    bool operator==(const Target&) const = default;
};

/// `sass sm_90`, `ptx compute_90`, `sass sm_90, intrinsics`.
std::string image_name(const Target& target);

/// See ImageChoice. Automatic: SASS where the compiler knows the GPU, else PTX of the highest architecture that it
/// knows and the GPU can run.
Result<Target> target_for(const Nvrtc& nvrtc, int compute_capability, ImageChoice choice = ImageChoice::automatic);

/// A cubin, or PTX with its terminating 0. An error is the compiler's log. Safe to call from several threads.
Result<std::vector<char>> compile_source(const Nvrtc& nvrtc, const std::string& source, const Target& target,
                                         std::span<const std::string> more_options = {});

/// The folder of a toolkit that holds a file, in one of these folders below its root: `include`, `lib64`. Looked for
/// around the compiler's library, in CUDA_HOME, CUDA_PATH and /usr/local/cuda; empty where there is none.
std::string toolkit_folder(const Nvrtc& nvrtc, std::span<const std::string_view> folders, const std::string& file);

/// Options with which the compiler finds the headers of a toolkit, and reads those of the intrinsics first. An error
/// says where they were looked for.
Result<std::vector<std::string>> intrinsic_options(const Nvrtc& nvrtc);

/// compile_source with what the cache has to know of it. Where the target asks for intrinsics and the headers are
/// missing, every unit has that for its error.
UnitCompiler unit_compiler(const Nvrtc& nvrtc, const Target& target);

} // namespace pdlcts
