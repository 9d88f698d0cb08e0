// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_handles.hpp"
#include "harness/gpu/device_wait.hpp"
#include "harness/gpu/kernel_library.hpp"
#include "harness/gpu/native_code.hpp"
#include "harness/gpu/nvrtc.hpp"
#include "harness/native/probes.hpp"

#include <span>
#include <string>
#include <vector>

/// What a native check may use of a GPU. The device is current when the check is called, and everything that the check
/// launches has ended when it returns: it waits with `deadline`, and polls of its kernels are bounded.
namespace pdlcts {

class NativeDevice {
public:
    NativeDevice(int device, int compute_capability, const Nvrtc& nvrtc, NativeCode& code, Deadline deadline)
        : device_(device), compute_capability_(compute_capability), nvrtc_(nvrtc), code_(code), deadline_(deadline) {}

    int device() const { return device_; }
    int compute_capability() const { return compute_capability_; } ///< major * 10 + minor
    Deadline deadline() const { return deadline_; }
    const Nvrtc& nvrtc() const { return nvrtc_; }

    /// What code is compiled for. Throws NativeUnsupported where the compiler knows nothing that the GPU runs.
    Target target() const;
    /// CUDA C++ without headers, compiled for this GPU and loaded. Throws HarnessFault with the compiler's log.
    KernelLibrary compile(const std::string& source) const { return load(source, target()); }
    /// The same for another target, or with more options.
    KernelLibrary load(const std::string& source, const Target& target,
                       std::span<const std::string> more_options = {}) const;
    /// The same code, not loaded.
    std::vector<char> code(const std::string& source, const Target& target,
                           std::span<const std::string> more_options = {}) const;
    /// Has these compiled side by side, so that what asks for them one after the other need not wait.
    void compile_ahead(std::vector<std::string> sources, const Target& target,
                       std::span<const std::string> more_options = {}) const;
    /// Options with which the compiler finds the headers of a toolkit, and its intrinsics with them. Throws
    /// NativeUnsupported where there is no toolkit.
    std::vector<std::string> with_headers() const;
    /// Waits for everything in a stream. Throws as wait_for does.
    void wait(cudaStream_t stream, const std::string& what) const { wait_for(stream, deadline_, what); }

private:
    int device_;
    int compute_capability_;
    const Nvrtc& nvrtc_;
    NativeCode& code_;
    Deadline deadline_;
};

/// A kernel as the calls of the runtime take it that harness/gpu/kernel_library.hpp has no wrapper for. Throws
/// NativeUnsupported where the runtime is older than its calls for libraries, so ask before the first probe.
void* runtime_function(Kernel kernel);

/// `cudaErrorInvalidValue`: what a probe writes down of a call. Clears the error that the runtime keeps.
std::string returned(cudaError_t status);

/// `type programmatic, port programmatic`: what a probe writes down of edge data.
std::string print(const cudaGraphEdgeData& edge);

/// A launch of one block of one thread: what it returned.
cudaError_t launch_of(Kernel kernel, cudaStream_t stream, KernelArguments arguments,
                      std::span<cudaLaunchAttribute> attributes);

} // namespace pdlcts
