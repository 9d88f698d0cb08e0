// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/kernel_library.hpp"

// The runtime loads libraries, and takes kernels that are none of its own, from 12.8 on. Before that both are the
// driver's, whose functions the runtime hands out.
#if CUDART_VERSION < 12080
#include <cstring>
#include <cuda.h>
#endif

namespace pdlcts {

#if CUDART_VERSION >= 12080

KernelLibrary::KernelLibrary(const std::vector<char>& code) {
    cudaLibrary_t library = nullptr;
    check(cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
          "loading the compiled case");
    library_.reset(library);
}

void KernelLibrary::Unload::operator()(void* library) const {
    static_cast<void>(cudaLibraryUnload(static_cast<cudaLibrary_t>(library)));
}

Kernel KernelLibrary::kernel(const std::string& name) const {
    cudaKernel_t kernel = nullptr;
    check(cudaLibraryGetKernel(&kernel, static_cast<cudaLibrary_t>(library_.get()), name.c_str()),
          ("finding kernel " + name).c_str());
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)),
          ("loading kernel " + name).c_str());
    return kernel;
}

void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, void* record,
            std::span<cudaLaunchAttribute> attributes) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.stream = stream;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    void* arguments[] = {&record};
    check(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), arguments), "launching a grid");
}

cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, void* record) {
    void* arguments[] = {&record};
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(kernel);
    parameters.gridDim = dim3(shape.blocks);
    parameters.blockDim = dim3(shape.threads);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), "adding a grid to a graph");
    return node;
}

#else

namespace {

/// The numbers of the two enumerations are the same.
void check(CUresult status, const char* doing) {
    pdlcts::check(static_cast<cudaError_t>(status), doing);
}

template <typename Function>
Function* driver_function(const char* name) {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    pdlcts::check(cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &result), name);
    if (result != cudaDriverEntryPointSuccess) {
        throw HarnessFault(std::string("the driver has no function ") + name + "; use a newer driver");
    }
    return reinterpret_cast<Function*>(function);
}

} // namespace

KernelLibrary::KernelLibrary(const std::vector<char>& code) {
    CUlibrary library = nullptr;
    check(driver_function<decltype(cuLibraryLoadData)>("cuLibraryLoadData")(&library, code.data(), nullptr, nullptr, 0,
                                                                            nullptr, nullptr, 0),
          "loading the compiled case");
    library_.reset(library);
}

void KernelLibrary::Unload::operator()(void* library) const {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result = cudaDriverEntryPointSymbolNotFound;
    if (cudaGetDriverEntryPoint("cuLibraryUnload", &function, cudaEnableDefault, &result) == cudaSuccess &&
        result == cudaDriverEntryPointSuccess) {
        reinterpret_cast<decltype(cuLibraryUnload)*>(function)(static_cast<CUlibrary>(library));
    }
}

Kernel KernelLibrary::kernel(const std::string& name) const {
    CUkernel kernel = nullptr;
    check(driver_function<decltype(cuLibraryGetKernel)>("cuLibraryGetKernel")(
              &kernel, static_cast<CUlibrary>(library_.get()), name.c_str()),
          ("finding kernel " + name).c_str());
    CUfunction function = nullptr;
    check(driver_function<decltype(cuKernelGetFunction)>("cuKernelGetFunction")(&function, kernel),
          ("loading kernel " + name).c_str());
    return kernel;
}

void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, void* record,
            std::span<cudaLaunchAttribute> attributes) {
    static_assert(sizeof(cudaLaunchAttribute) == sizeof(CUlaunchAttribute));
    std::vector<CUlaunchAttribute> of_driver(attributes.size());
    std::memcpy(of_driver.data(), attributes.data(), attributes.size_bytes());
    CUlaunchConfig config{};
    config.gridDimX = shape.blocks;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = shape.threads;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = stream;
    config.attrs = of_driver.data();
    config.numAttrs = static_cast<unsigned>(of_driver.size());
    void* arguments[] = {&record};
    static const auto launch_kernel = driver_function<decltype(cuLaunchKernelEx)>("cuLaunchKernelEx");
    check(launch_kernel(&config, reinterpret_cast<CUfunction>(kernel), arguments, nullptr), "launching a grid");
}

cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, void* record) {
    void* arguments[] = {&record};
    CUDA_KERNEL_NODE_PARAMS parameters{};
    parameters.kern = kernel;
    parameters.gridDimX = shape.blocks;
    parameters.gridDimY = parameters.gridDimZ = 1;
    parameters.blockDimX = shape.threads;
    parameters.blockDimY = parameters.blockDimZ = 1;
    parameters.kernelParams = arguments;
    CUgraphNode node = nullptr;
    static const auto add_node = driver_function<decltype(cuGraphAddKernelNode)>("cuGraphAddKernelNode");
    check(add_node(&node, graph, nullptr, 0, &parameters), "adding a grid to a graph");
    return node;
}

#endif

} // namespace pdlcts
