// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_error.hpp"

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

/// Where a trial's records are, as the device sees them. A kernel that accesses no host memory takes the first alone.
struct KernelArguments {
    void* record = nullptr;
    void* host_record = nullptr;
};

/// Lets a kernel have as much dynamic shared memory, and clusters of more blocks than are portable.
void allow(Kernel kernel, unsigned shared_memory, bool large_cluster);

/// Whether at least one cluster of this launch fits the GPU.
bool fits_cluster(Kernel kernel, LaunchShape shape, std::span<cudaLaunchAttribute> attributes);

void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, KernelArguments arguments,
            std::span<cudaLaunchAttribute> attributes);

/// Adds the same as a node without dependencies. The attributes are those that a node can have.
cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, KernelArguments arguments,
                                std::span<cudaLaunchAttribute> attributes);

} // namespace pdlcts
