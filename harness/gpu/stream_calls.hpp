// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_handles.hpp"
#include "harness/gpu/kernel_library.hpp"

#include <cstdint>
#include <span>

/// The calls that a program's operations stand for, by one of the two interfaces. Streams, events and kernels are the
/// same objects in both.
namespace pdlcts {

class StreamCalls {
public:
    virtual ~StreamCalls() = default;
    virtual Event create_event() const = 0;
    virtual void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, KernelArguments arguments,
                        std::span<cudaLaunchAttribute> attributes) const = 0;
    virtual void record(cudaEvent_t event, cudaStream_t stream) const = 0;
    virtual void wait(cudaStream_t stream, cudaEvent_t event) const = 0;
    virtual void set(void* place, std::uint8_t byte, std::size_t bytes, cudaStream_t stream) const = 0;
    virtual void copy(void* destination, const void* source, std::size_t bytes, cudaStream_t stream) const = 0;
    virtual void call(cudaHostFn_t function, void* data, cudaStream_t stream) const = 0;
    /// Unchecked: they block, so that who makes them must be free to go (host_thread.hpp).
    virtual cudaError_t synchronize(cudaStream_t stream) const = 0;
    virtual cudaError_t synchronize(cudaEvent_t event) const = 0;
};

/// cudaLaunchKernelExC, cudaEventRecord...
const StreamCalls& runtime_calls();

/// cuLaunchKernelEx, cuEventRecord... (attr.runtime-driver-equivalent).
const StreamCalls& driver_calls();

} // namespace pdlcts
