// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/native_device.hpp"

#include <functional>
#include <string>

/// Whether a launch lets the secondary start before the primary has ended, for checks about launch attributes and entry
/// points: what a litmus program cannot vary.
namespace pdlcts {

/// What a check launches its way: one block of one thread. Both kernels take the record alone.
struct HandShakeLaunch {
    Kernel kernel = nullptr;
    KernelArguments arguments;
    cudaStream_t stream = nullptr;
};
using HandShakeFunction = std::function<cudaError_t(const HandShakeLaunch&)>;

/// The primary triggers and polls (bounded, 20 us) for a flag that the secondary raises as its first act.
class HandShake {
public:
    explicit HandShake(const NativeDevice& device);

    /// Launches pairs, each behind everything before, and says what they showed: `overlap`, where the flag was seen in
    /// at least one of 100, `serial` where it never was, or what the launch returned.
    std::string run(const HandShakeFunction& primary, const HandShakeFunction& secondary) const;

    /// Launches with these attributes, by cudaLaunchKernelExC.
    static HandShakeFunction with(std::vector<cudaLaunchAttribute> attributes);
    static HandShakeFunction plain() { return with({}); }
    static HandShakeFunction with_pss(int value);

private:
    const NativeDevice& device_;
    KernelLibrary library_;
    Kernel primary_;
    Kernel secondary_;
    Stream stream_;
    DeviceWords words_;
};

cudaLaunchAttribute pss_attribute(int value);

} // namespace pdlcts
