// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/background_load.hpp"
#include "harness/gpu/cuda_handles.hpp"
#include "harness/gpu/device_wait.hpp"
#include "harness/gpu/kernel_library.hpp"

#include <chrono>
#include <vector>

/// A kernel beside the trials of a batch: in a stream of its own, in the way of nobody but as any other kernel is. It
/// spins or streams memory on some multiprocessors until it is stopped, or for a bounded time.
namespace pdlcts {

class Background {
public:
    Background(const std::vector<char>& code, const DeviceLimits& limits);

    const DeviceLimits& limits() const { return limits_; }

    /// Returns when all blocks of the kernel run; false, and nothing runs, where they do not in good time. The kernel
    /// ends by itself after `within`.
    bool start(const BackgroundLoad& load, std::chrono::nanoseconds within, Deadline deadline);
    /// Returns when nothing of the kernel runs any more. Whether it ran until now.
    bool stop(Deadline deadline);
    /// Tells the kernel to end, and waits for nothing.
    void let_end();

private:
    void stop_and_wait(Deadline deadline);

    DeviceLimits limits_;
    KernelLibrary library_;
    Kernel kernel_;
    Stream stream_;
    DeviceWords memory_;
    MappedWords signals_; ///< the first stops the kernel, and each block sets one of the others when it begins
};

} // namespace pdlcts
