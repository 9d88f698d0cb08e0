// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_error.hpp"

#include <array>
#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <span>
#include <string>
#include <vector>

/// Compiled code on the device: loading it, and the two ways to use a kernel of it.
namespace pdlcts {

/// A kernel of a library: what cudaKernel_t points to.
using Kernel = cudaKernel_t;

/// Loads a cubin or PTX.
class KernelLibrary {
public:
    explicit KernelLibrary(const std::vector<char>& code);

    /// The kernel of this name, loaded now: where modules load lazily its first launch would not overlap, and a
    /// capture might refuse it.
    Kernel kernel(const std::string& name) const;

    /// Where a variable of this name stands in the device's memory: not to be read on the host.
    std::uint32_t* variable(const std::string& name) const;

private:
    struct Unload {
        void operator()(void* library) const;
    };
    std::unique_ptr<void, Unload> library_;
};

struct LaunchShape {
    unsigned blocks = 1;
    unsigned threads = 1;
    unsigned shared_memory = 0; ///< dynamic, in bytes
};

/// The arguments of an emitted kernel, in the order of its parameters (emit.hpp). Records are where the device sees
/// them; a kernel that accesses no host memory does not take the last.
struct KernelArguments {
    void* record = nullptr;
    std::uint32_t blocks_before = 0; ///< blocks of the launch that stand before the grid's own, and exit at once
    std::uint32_t starts_late = 0;   ///< 1: agents let their start's time pass first
    std::uint32_t measures = 0;      ///< 1: polls leave their latencies
    void* host_record = nullptr;
};

/// Pointers to all arguments, as a launch takes them.
inline std::array<void*, 5> pointers_to(KernelArguments& arguments) {
    return {&arguments.record, &arguments.blocks_before, &arguments.starts_late, &arguments.measures,
            &arguments.host_record};
}

/// Lets a kernel have as much dynamic shared memory, and clusters of more blocks than are portable.
void allow(Kernel kernel, unsigned shared_memory, bool large_cluster);

/// Whether at least one cluster of this launch fits the GPU.
bool fits_cluster(Kernel kernel, LaunchShape shape, std::span<cudaLaunchAttribute> attributes);

/// `pointers`: one to each argument of the kernel.
void launch_with(Kernel kernel, LaunchShape shape, cudaStream_t stream, std::span<void*> pointers,
                 std::span<cudaLaunchAttribute> attributes);

inline void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, KernelArguments arguments,
                   std::span<cudaLaunchAttribute> attributes) {
    std::array<void*, 5> pointers = pointers_to(arguments);
    launch_with(kernel, shape, stream, pointers, attributes);
}

/// Adds the same as a node without dependencies. The attributes are those that a node can have.
cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, KernelArguments arguments,
                                std::span<cudaLaunchAttribute> attributes);

} // namespace pdlcts
