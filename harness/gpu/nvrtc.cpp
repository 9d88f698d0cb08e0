// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/nvrtc.hpp"

#include "harness/gpu/dynamic_library.hpp"
#include "harness/gpu/gpu_choice.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <string_view>

namespace pdlcts {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> library_names(int driver_api_version) {
    std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    if (driver_api_version / 1000 == 12) {
        std::swap(names[0], names[1]);
    }
    return names;
}

void add_folder(std::vector<std::string>& paths, const fs::path& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        paths.push_back((folder / name).native());
    }
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::vector<std::string> usual_paths(const std::vector<std::string>& names) {
    std::vector<std::string> paths;
    std::error_code unknown;
    if (const fs::path program = fs::read_symlink("/proc/self/exe", unknown); !unknown) {
        add_folder(paths, program.parent_path(), names);
    }
    paths.insert(paths.end(), names.begin(), names.end());
    for (const std::string& root : {variable("CUDA_HOME"), variable("CUDA_PATH"), std::string("/usr/local/cuda")}) {
        for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
            if (!root.empty()) {
                add_folder(paths, fs::path(root) / folder, names);
            }
        }
    }
    return paths;
}

/// The first NVRTC of the documented order, or the one line that says that there is none.
Result<void*> open_nvrtc(int driver_api_version) {
    const std::vector<std::string> names = library_names(driver_api_version);
    const std::string named = variable("PDLCTS_NVRTC");
    std::vector<std::string> paths{named};
    if (named.empty()) {
        paths = usual_paths(names);
    } else if (std::error_code unknown; fs::is_directory(named, unknown)) {
        paths.clear();
        add_folder(paths, named, names);
    }
    if (void* const library = open_library(paths)) {
        return library;
    }
    if (!named.empty()) {
        return Error{"PDLCTS_NVRTC is " + named + ", which is neither an NVRTC library nor a folder that holds one; " +
                     "name one, or unset the variable"};
    }
    return Error{"NVRTC, the run-time compiler of the CUDA Toolkit, was not found; install it (package cuda-nvrtc), "
                 "set CUDA_HOME to the toolkit, or PDLCTS_NVRTC to the library"};
}

/// Where the library lies; empty where the loader does not say.
fs::path path_of(const Nvrtc& nvrtc) {
    Dl_info found{};
    const bool known = dladdr(reinterpret_cast<void*>(nvrtc.version), &found) != 0 && found.dli_fname != nullptr;
    return known ? fs::path(found.dli_fname) : fs::path();
}

/// NVRTC loads this library by its bare name when it compiles, which the loader finds where it is already loaded.
void load_builtins(const Nvrtc& nvrtc) {
    const fs::path folder = path_of(nvrtc).parent_path();
    if (!folder.empty()) {
        static_cast<void>(open_library({(folder / ("libnvrtc-builtins.so." + version_of(nvrtc))).native()}));
    }
}

std::string identity_of(const fs::path& file) {
    std::error_code unknown;
    const auto size = fs::file_size(file, unknown);
    const auto time = fs::last_write_time(file, unknown);
    return unknown ? "" : std::to_string(size) + " bytes of " + std::to_string(time.time_since_epoch().count());
}

std::string architecture_option(const Target& target) {
    return std::string("--gpu-architecture=") + (target.is_sass ? "sm_" : "compute_") +
           std::to_string(target.architecture);
}

constexpr const char* intrinsics_header = "cuda_device_runtime_api.h";
constexpr const char* language_option = "--std=c++17";

struct Destroy {
    const Nvrtc* nvrtc;
    void operator()(NvrtcProgram* program) const { static_cast<void>(nvrtc->destroy_program(&program)); }
};
using OwnedProgram = std::unique_ptr<NvrtcProgram, Destroy>;

std::string log_of(const Nvrtc& nvrtc, NvrtcProgram* program) {
    std::size_t size = 0;
    if (nvrtc.log_size(program, &size) != 0 || size == 0) {
        return "";
    }
    std::string log(size, '\0');
    if (nvrtc.log(program, log.data()) != 0) {
        return "";
    }
    log.resize(std::min(log.find('\0'), log.size()));
    return log;
}

} // namespace

Result<Nvrtc> load_nvrtc(int driver_api_version) {
    const auto opened = open_nvrtc(driver_api_version);
    if (!opened) {
        return opened.error();
    }
    void* const library = *opened;
    Nvrtc nvrtc;
    const bool complete = find_function(library, "nvrtcVersion", nvrtc.version) &&
                          find_function(library, "nvrtcGetNumSupportedArchs", nvrtc.supported_archs_count) &&
                          find_function(library, "nvrtcGetSupportedArchs", nvrtc.supported_archs) &&
                          find_function(library, "nvrtcCreateProgram", nvrtc.create_program) &&
                          find_function(library, "nvrtcDestroyProgram", nvrtc.destroy_program) &&
                          find_function(library, "nvrtcCompileProgram", nvrtc.compile_program) &&
                          find_function(library, "nvrtcGetProgramLogSize", nvrtc.log_size) &&
                          find_function(library, "nvrtcGetProgramLog", nvrtc.log) &&
                          find_function(library, "nvrtcGetCUBINSize", nvrtc.cubin_size) &&
                          find_function(library, "nvrtcGetCUBIN", nvrtc.cubin) &&
                          find_function(library, "nvrtcGetPTXSize", nvrtc.ptx_size) &&
                          find_function(library, "nvrtcGetPTX", nvrtc.ptx) &&
                          find_function(library, "nvrtcGetErrorString", nvrtc.error_string);
    if (!complete) {
        return Error{"the NVRTC that was found lacks functions of version 12; install NVRTC 12.4 or newer"};
    }
    nvrtc.file_identity = identity_of(path_of(nvrtc));
    load_builtins(nvrtc);
    return nvrtc;
}

std::string toolkit_folder(const Nvrtc& nvrtc, std::span<const std::string_view> folders, const std::string& file) {
    std::vector<fs::path> roots;
    // Beside the compiler first: its headers are of its version. In wheels each library has a folder of its own.
    for (fs::path folder = path_of(nvrtc).parent_path(); folder.has_relative_path() && roots.size() < 4;
         folder = folder.parent_path()) {
        roots.push_back(folder);
        roots.push_back(folder / "cuda_runtime");
    }
    for (const char* const variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* const root = std::getenv(variable)) {
            roots.emplace_back(root);
        }
    }
    roots.emplace_back("/usr/local/cuda");
    for (const fs::path& root : roots) {
        for (const std::string_view folder : folders) {
            if (std::error_code unknown; fs::is_regular_file(root / folder / file, unknown)) {
                return (root / folder).native();
            }
        }
    }
    return "";
}

std::string version_of(const Nvrtc& nvrtc) {
    int major = 0;
    int minor = 0;
    return nvrtc.version(&major, &minor) == 0 ? std::to_string(major) + "." + std::to_string(minor) : "unknown";
}

std::string image_name(const Target& target) {
    return (target.is_sass ? "sass sm_" : "ptx compute_") + std::to_string(target.architecture) +
           std::string(target.spelling == Spelling::intrinsics ? by_intrinsics : "");
}

Result<Target> target_for(const Nvrtc& nvrtc, int compute_capability, ImageChoice choice) {
    int count = 0;
    std::vector<int> known;
    if (nvrtc.supported_archs_count(&count) == 0 && count > 0) {
        known.resize(static_cast<std::size_t>(count));
        if (nvrtc.supported_archs(known.data()) != 0) {
            known.clear();
        }
    }
    // Below it there are no instructions of Programmatic Dependent Launch.
    std::erase_if(known, [=](int each) { return each > compute_capability || each < least_compute_capability; });
    const auto highest = std::max_element(known.begin(), known.end());
    const std::string gpu = "a GPU of compute capability " + std::to_string(compute_capability / 10) + "." +
                            std::to_string(compute_capability % 10);
    if (highest == known.end()) {
        return Error{"NVRTC " + version_of(nvrtc) + " compiles for no architecture that " + gpu +
                     " can run and that has Programmatic Dependent Launch"};
    }
    if (choice == ImageChoice::ptx) {
        return Target{false, least_compute_capability};
    }
    if (choice == ImageChoice::sass && *highest != compute_capability) {
        return Error{"NVRTC " + version_of(nvrtc) + " does not compile SASS for " + gpu +
                     "; use a newer NVRTC, or --image ptx"};
    }
    return Target{*highest == compute_capability, *highest,
                  choice == ImageChoice::intrinsic ? Spelling::intrinsics : Spelling::ptx};
}

Result<std::vector<char>> compile_source(const Nvrtc& nvrtc, const std::string& source, const Target& target,
                                         std::span<const std::string> more_options) {
    NvrtcProgram* created = nullptr;
    if (const auto status = nvrtc.create_program(&created, source.c_str(), "case.cu", 0, nullptr, nullptr)) {
        return Error{std::string("NVRTC: ") + nvrtc.error_string(status)};
    }
    const OwnedProgram program(created, Destroy{&nvrtc});
    const std::string architecture = architecture_option(target);
    std::vector<const char*> options = {architecture.c_str(), language_option};
    for (const std::string& option : more_options) {
        options.push_back(option.c_str());
    }
    if (const auto status = nvrtc.compile_program(created, static_cast<int>(options.size()), options.data())) {
        return Error{"NVRTC " + version_of(nvrtc) + " for " + image_name(target) + ": " + nvrtc.error_string(status) +
                     "\n" + log_of(nvrtc, created)};
    }
    std::size_t size = 0;
    if (const auto status = (target.is_sass ? nvrtc.cubin_size : nvrtc.ptx_size)(created, &size)) {
        return Error{std::string("NVRTC: ") + nvrtc.error_string(status)};
    }
    std::vector<char> code(size);
    if (const auto status = (target.is_sass ? nvrtc.cubin : nvrtc.ptx)(created, code.data())) {
        return Error{std::string("NVRTC: ") + nvrtc.error_string(status)};
    }
    return code;
}

Result<std::vector<std::string>> intrinsic_options(const Nvrtc& nvrtc) {
    static constexpr std::array<std::string_view, 3> folders = {"include", "targets/x86_64-linux/include",
                                                                "targets/sbsa-linux/include"};
    const std::string folder = toolkit_folder(nvrtc, folders, intrinsics_header);
    if (folder.empty()) {
        return Error{"the headers of a CUDA Toolkit, without which NVRTC knows no intrinsics, were not found around "
                     "NVRTC, in CUDA_HOME, CUDA_PATH or /usr/local/cuda"};
    }
    return std::vector<std::string>{"--include-path=" + folder, std::string("--pre-include=") + intrinsics_header};
}

UnitCompiler unit_compiler(const Nvrtc& nvrtc, const Target& target) {
    Result<std::vector<std::string>> more = std::vector<std::string>();
    std::string header;
    if (target.spelling == Spelling::intrinsics) {
        more = intrinsic_options(nvrtc);
        header = more ? (*more)[0] + " " +
                            identity_of(fs::path((*more)[0].substr((*more)[0].find('=') + 1)) / intrinsics_header)
                      : "";
    }
    return {[nvrtc, target, more](const std::string& source) -> Result<std::vector<char>> {
                if (!more) {
                    return more.error();
                }
                return compile_source(nvrtc, source, target, *more);
            },
            image_name(target),
            "nvrtc " + version_of(nvrtc) + ", " + nvrtc.file_identity + "\n" + architecture_option(target) + " " +
                language_option + header,
            target.spelling};
}

} // namespace pdlcts
