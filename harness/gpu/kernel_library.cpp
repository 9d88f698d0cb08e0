// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/kernel_library.hpp"

// The runtime loads libraries, and takes kernels that are none of its own, from 12.8 on. Before that both are the
// driver's.
#if CUDART_VERSION < 12080
#include "harness/gpu/driver_launch.hpp"
#endif

namespace pdlcts {
namespace {

constexpr const char* allowing_shared_memory = "allowing a grid its dynamic shared memory";
constexpr const char* allowing_large_clusters = "allowing a grid clusters of more than 8 blocks";
constexpr const char* asking_for_clusters = "asking how many clusters of a grid fit the GPU";

void set_node_attributes(cudaGraphNode_t node, std::span<const cudaLaunchAttribute> attributes) {
    for (const cudaLaunchAttribute& attribute : attributes) {
        check(cudaGraphKernelNodeSetAttribute(node, attribute.id, &attribute.val),
              "giving the node of a grid its attributes");
    }
}

} // namespace

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

std::uint32_t* KernelLibrary::variable(const std::string& name) const {
    void* variable = nullptr;
    std::size_t bytes = 0;
    check(cudaLibraryGetGlobal(&variable, &bytes, static_cast<cudaLibrary_t>(library_.get()), name.c_str()),
          ("finding variable " + name).c_str());
    return static_cast<std::uint32_t*>(variable);
}

namespace {

cudaLaunchConfig_t configuration(LaunchShape shape, std::span<cudaLaunchAttribute> attributes) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = shape.shared_memory;
    config.attrs = attributes.data();
    config.numAttrs = static_cast<unsigned>(attributes.size());
    return config;
}

void set_attribute(Kernel kernel, cudaFuncAttribute attribute, unsigned value, const char* doing) {
    int device = 0;
    check(cudaGetDevice(&device), doing);
    check(cudaKernelSetAttributeForDevice(kernel, attribute, static_cast<int>(value), device), doing);
}

} // namespace

void allow(Kernel kernel, unsigned shared_memory, bool large_cluster) {
    if (shared_memory > 0) {
        set_attribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_memory, allowing_shared_memory);
    }
    if (large_cluster) {
        set_attribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1, allowing_large_clusters);
    }
}

bool fits_cluster(Kernel kernel, LaunchShape shape, std::span<cudaLaunchAttribute> attributes) {
    const cudaLaunchConfig_t config = configuration(shape, attributes);
    int clusters = 0;
    check(cudaOccupancyMaxActiveClusters(&clusters, reinterpret_cast<const void*>(kernel), &config),
          asking_for_clusters);
    return clusters > 0;
}

void launch_with(Kernel kernel, LaunchShape shape, cudaStream_t stream, std::span<void*> pointers,
                 std::span<cudaLaunchAttribute> attributes) {
    cudaLaunchConfig_t config = configuration(shape, attributes);
    config.stream = stream;
    check(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), pointers.data()), "launching a grid");
}

cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, KernelArguments arguments,
                                std::span<cudaLaunchAttribute> attributes) {
    std::array<void*, 5> pointers = pointers_to(arguments);
    cudaKernelNodeParams parameters{};
    parameters.func = reinterpret_cast<void*>(kernel);
    parameters.gridDim = dim3(shape.blocks);
    parameters.blockDim = dim3(shape.threads);
    parameters.sharedMemBytes = shape.shared_memory;
    parameters.kernelParams = pointers.data();
    cudaGraphNode_t node = nullptr;
    check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), "adding a grid to a graph");
    set_node_attributes(node, attributes);
    return node;
}

#else

KernelLibrary::KernelLibrary(const std::vector<char>& code) {
    CUlibrary library = nullptr;
    check_driver(require_driver_function<decltype(cuLibraryLoadData)>("cuLibraryLoadData")(
                     &library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
                 "loading the compiled case");
    library_.reset(library);
}

void KernelLibrary::Unload::operator()(void* library) const {
    try {
        static_cast<void>(
            require_driver_function<decltype(cuLibraryUnload)>("cuLibraryUnload")(static_cast<CUlibrary>(library)));
    } catch (const std::exception&) {
        // It was there when the library was loaded; a library that stays loaded harms nobody.
    }
}

Kernel KernelLibrary::kernel(const std::string& name) const {
    CUkernel kernel = nullptr;
    check_driver(require_driver_function<decltype(cuLibraryGetKernel)>("cuLibraryGetKernel")(
                     &kernel, static_cast<CUlibrary>(library_.get()), name.c_str()),
                 ("finding kernel " + name).c_str());
    CUfunction function = nullptr;
    check_driver(require_driver_function<decltype(cuKernelGetFunction)>("cuKernelGetFunction")(&function, kernel),
                 ("loading kernel " + name).c_str());
    return kernel;
}

std::uint32_t* KernelLibrary::variable(const std::string& name) const {
    CUdeviceptr variable = 0;
    std::size_t bytes = 0;
    check_driver(require_driver_function<decltype(cuLibraryGetGlobal)>("cuLibraryGetGlobal")(
                     &variable, &bytes, static_cast<CUlibrary>(library_.get()), name.c_str()),
                 ("finding variable " + name).c_str());
    return reinterpret_cast<std::uint32_t*>(variable);
}

namespace {

void set_attribute(Kernel kernel, CUfunction_attribute attribute, unsigned value, const char* doing) {
    int device = 0;
    check(cudaGetDevice(&device), doing);
    check_driver(require_driver_function<decltype(cuKernelSetAttribute)>("cuKernelSetAttribute")(
                     attribute, static_cast<int>(value), kernel, device),
                 doing);
}

} // namespace

void allow(Kernel kernel, unsigned shared_memory, bool large_cluster) {
    if (shared_memory > 0) {
        set_attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_memory, allowing_shared_memory);
    }
    if (large_cluster) {
        set_attribute(kernel, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1, allowing_large_clusters);
    }
}

bool fits_cluster(Kernel kernel, LaunchShape shape, std::span<cudaLaunchAttribute> attributes) {
    const DriverLaunch configuration(shape, attributes);
    int clusters = 0;
    check_driver(require_driver_function<decltype(cuOccupancyMaxActiveClusters)>("cuOccupancyMaxActiveClusters")(
                     &clusters, reinterpret_cast<CUfunction>(kernel), &configuration.config),
                 asking_for_clusters);
    return clusters > 0;
}

void launch_with(Kernel kernel, LaunchShape shape, cudaStream_t stream, std::span<void*> pointers,
                 std::span<cudaLaunchAttribute> attributes) {
    launch_by_driver(reinterpret_cast<CUfunction>(kernel), shape, stream, pointers, attributes);
}

cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, KernelArguments arguments,
                                std::span<cudaLaunchAttribute> attributes) {
    std::array<void*, 5> pointers = pointers_to(arguments);
    CUDA_KERNEL_NODE_PARAMS parameters{};
    parameters.kern = kernel;
    parameters.gridDimX = shape.blocks;
    parameters.gridDimY = parameters.gridDimZ = 1;
    parameters.blockDimX = shape.threads;
    parameters.blockDimY = parameters.blockDimZ = 1;
    parameters.sharedMemBytes = shape.shared_memory;
    parameters.kernelParams = pointers.data();
    CUgraphNode node = nullptr;
    static const auto add_node = require_driver_function<decltype(cuGraphAddKernelNode)>("cuGraphAddKernelNode_v2");
    check_driver(add_node(&node, graph, nullptr, 0, &parameters), "adding a grid to a graph");
    set_node_attributes(node, attributes);
    return node;
}

#endif

} // namespace pdlcts
