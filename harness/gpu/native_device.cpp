// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_device.hpp"

#include "conformance/plan/plan.hpp"
#include "conformance/support/concat.hpp"

#include <array>
#include <string_view>

namespace pdlcts {

Target NativeDevice::target() const {
    const auto target = target_for(nvrtc_, compute_capability_);
    if (!target) {
        throw NativeUnsupported(target.error().message);
    }
    return *target;
}

KernelLibrary NativeDevice::load(const std::string& source, const Target& target,
                                 std::span<const std::string> more_options) const {
    return KernelLibrary(code(source, target, more_options));
}

std::vector<char> NativeDevice::code(const std::string& source, const Target& target,
                                     std::span<const std::string> more_options) const {
    auto code = code_.compile(nvrtc_, source, target, more_options);
    if (!code) {
        throw HarnessFault(code.error().message);
    }
    return *std::move(code);
}

void NativeDevice::compile_ahead(std::vector<std::string> sources, const Target& target,
                                 std::span<const std::string> more_options) const {
    code_.compile_ahead(nvrtc_, std::move(sources), target, more_options);
}

std::vector<std::string> NativeDevice::with_headers() const {
    static constexpr std::array<std::string_view, 2> folders = {"include", "targets/x86_64-linux/include"};
    const std::string folder = toolkit_folder(nvrtc_, folders, "cuda_device_runtime_api.h");
    if (folder.empty()) {
        throw NativeUnsupported("the headers of a CUDA Toolkit were not found around NVRTC, in CUDA_HOME, CUDA_PATH or "
                                "/usr/local/cuda");
    }
    return {"--include-path=" + folder};
}

void* runtime_function(Kernel kernel) {
#if CUDART_VERSION >= 12080
    return reinterpret_cast<void*>(kernel);
#else
    static_cast<void>(kernel);
    throw NativeUnsupported("this call of the runtime takes a kernel that was loaded from memory since CUDA 12.8");
#endif
}

std::string returned(cudaError_t status) {
    static_cast<void>(cudaGetLastError());
    return cudaGetErrorName(status);
}

std::string print(const cudaGraphEdgeData& edge) {
    // Values that no document has are shown as numbers.
    const bool known_type = edge.type <= static_cast<int>(DependencyType::programmatic);
    const bool known_port = edge.from_port <= static_cast<int>(Port::launch_completion);
    const std::string type = known_type ? std::string(name(static_cast<DependencyType>(edge.type)))
                                        : std::to_string(static_cast<int>(edge.type));
    const std::string port = known_port ? std::string(name(static_cast<Port>(edge.from_port)))
                                        : std::to_string(static_cast<int>(edge.from_port));
    std::string text = concat("type ", type, ", port ", port);
    if (edge.to_port != 0) {
        text += concat(", to port ", static_cast<int>(edge.to_port));
    }
    return text;
}

cudaError_t launch_of(Kernel kernel, cudaStream_t stream, KernelArguments arguments,
                      std::span<cudaLaunchAttribute> attributes) {
    try {
        launch(kernel, LaunchShape{}, stream, arguments, attributes);
    } catch (const CudaError& error) {
        return error.status;
    }
    return cudaSuccess;
}

} // namespace pdlcts
