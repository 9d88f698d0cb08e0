// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/nvrtc.hpp"

#include "harness/gpu/dynamic_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace pdlcts {
namespace {

std::vector<std::string> library_paths(int driver_api_version) {
    std::vector<std::string> names{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    if (driver_api_version / 1000 == 12) {
        std::swap(names[0], names[1]);
    }
    std::vector<std::string> roots;
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        const char* root = std::getenv(variable);
        if (root != nullptr && *root != '\0') {
            roots.emplace_back(root);
        }
    }
    roots.emplace_back("/usr/local/cuda");
    std::vector<std::string> paths = names;
    for (const std::string& root : roots) {
        for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"}) {
            for (const std::string& name : names) {
                paths.push_back(root + "/" + folder + "/" + name);
            }
        }
    }
    return paths;
}

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
    void* library = open_library(library_paths(driver_api_version));
    if (library == nullptr) {
        return Error{
            "NVRTC, the run-time compiler of the CUDA Toolkit, was not found; install it (package cuda-nvrtc), "
            "or set CUDA_HOME to the toolkit"};
    }
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
    return nvrtc;
}

std::string version_of(const Nvrtc& nvrtc) {
    int major = 0;
    int minor = 0;
    return nvrtc.version(&major, &minor) == 0 ? std::to_string(major) + "." + std::to_string(minor) : "unknown";
}

std::string image_name(const Target& target) {
    return (target.is_sass ? "sass sm_" : "ptx compute_") + std::to_string(target.architecture);
}

Result<Target> target_for(const Nvrtc& nvrtc, int compute_capability) {
    int count = 0;
    std::vector<int> known;
    if (nvrtc.supported_archs_count(&count) == 0 && count > 0) {
        known.resize(static_cast<std::size_t>(count));
        if (nvrtc.supported_archs(known.data()) != 0) {
            known.clear();
        }
    }
    std::erase_if(known, [=](int architecture) { return architecture > compute_capability; });
    const auto highest = std::max_element(known.begin(), known.end());
    if (highest == known.end()) {
        return Error{"NVRTC " + version_of(nvrtc) + " compiles for no architecture that a GPU of compute capability " +
                     std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10) +
                     " can run"};
    }
    return Target{*highest == compute_capability, *highest};
}

Result<std::vector<char>> compile_source(const Nvrtc& nvrtc, const std::string& source, const Target& target) {
    NvrtcProgram* created = nullptr;
    if (const auto status = nvrtc.create_program(&created, source.c_str(), "case.cu", 0, nullptr, nullptr)) {
        return Error{std::string("NVRTC: ") + nvrtc.error_string(status)};
    }
    const OwnedProgram program(created, Destroy{&nvrtc});
    const std::string architecture = std::string("--gpu-architecture=") + (target.is_sass ? "sm_" : "compute_") +
                                     std::to_string(target.architecture);
    const char* options[] = {architecture.c_str(), "--std=c++17"};
    if (const auto status = nvrtc.compile_program(created, 2, options)) {
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

} // namespace pdlcts
