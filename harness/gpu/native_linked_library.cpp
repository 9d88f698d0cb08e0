// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_linked_library.hpp"

#include "harness/gpu/driver_functions.hpp"

#include <array>
#include <string_view>
#include <vector>

namespace pdlcts {
namespace {

/// A cubin of PTX and the device runtime.
std::vector<char> linked(const std::vector<char>& ptx, const std::string& runtime) {
    auto* const create = require_driver_function<decltype(cuLinkCreate)>("cuLinkCreate_v2");
    auto* const add_data = require_driver_function<decltype(cuLinkAddData)>("cuLinkAddData_v2");
    auto* const add_file = require_driver_function<decltype(cuLinkAddFile)>("cuLinkAddFile_v2");
    auto* const complete = require_driver_function<decltype(cuLinkComplete)>("cuLinkComplete");
    auto* const destroy = require_driver_function<decltype(cuLinkDestroy)>("cuLinkDestroy");
    check(cudaFree(nullptr), "making the context for a link");
    CUlinkState state = nullptr;
    check(as_runtime_error(create(0, nullptr, nullptr, &state)), "beginning a link");
    std::string copy(ptx.data(), ptx.size());
    CUresult status = add_data(state, CU_JIT_INPUT_PTX, copy.data(), copy.size(), "check", 0, nullptr, nullptr);
    if (status == CUDA_SUCCESS) {
        status = add_file(state, CU_JIT_INPUT_LIBRARY, runtime.c_str(), 0, nullptr, nullptr);
    }
    void* cubin = nullptr;
    std::size_t size = 0;
    if (status == CUDA_SUCCESS) {
        status = complete(state, &cubin, &size);
    }
    std::vector<char> code;
    if (status == CUDA_SUCCESS) {
        // The cubin is the link's, and goes with it.
        code.assign(static_cast<const char*>(cubin), static_cast<const char*>(cubin) + size);
    }
    static_cast<void>(destroy(state));
    check(as_runtime_error(status), "linking code with the device runtime");
    return code;
}

} // namespace

LinkedLibrary::LinkedLibrary(const NativeDevice& device, const std::string& source) {
    static constexpr std::array<std::string_view, 3> folders = {"lib64", "lib", "targets/x86_64-linux/lib"};
    const std::string folder = toolkit_folder(device.nvrtc(), folders, "libcudadevrt.a");
    std::vector<std::string> options = device.with_headers();
    options.emplace_back("--relocatable-device-code=true");
    if (folder.empty()) {
        throw NativeUnsupported(
            "the device runtime, libcudadevrt.a, was not found around NVRTC, in CUDA_HOME, CUDA_PATH "
            "or /usr/local/cuda");
    }
    const Target target{false, device.target().architecture};
    const auto ptx = compile_source(device.nvrtc(), "#include <cuda_device_runtime_api.h>\n" + source, target, options);
    if (!ptx) {
        throw HarnessFault(ptx.error().message);
    }
    library_.emplace(linked(*ptx, folder + "/libcudadevrt.a"));
}

} // namespace pdlcts
