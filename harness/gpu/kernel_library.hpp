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
};

/// Launches a kernel whose one argument is a trial's record.
void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, void* record,
            std::span<cudaLaunchAttribute> attributes);

/// Adds the same as a node without dependencies.
cudaGraphNode_t add_kernel_node(cudaGraph_t graph, Kernel kernel, LaunchShape shape, void* record);

} // namespace pdlcts
