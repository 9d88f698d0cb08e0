// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_handles.hpp"
#include "harness/gpu/kernel_library.hpp"

#include <cstdint>
#include <memory>

/// What somebody writes who wants to see the race once: the two kernels of a hand-shake, launched in a loop, each pair
/// with an observation slot of its own. No separators, no salts, no reading back of graphs, no deadline.
namespace pdlcts {

class BareLoop {
public:
    /// Compiles the kernels for the current GPU.
    BareLoop();

    /// Times `pairs` pairs of trials, one with the wait and one without, from the first launch until all have ended, in
    /// seconds; the slots were written and synchronised before.
    double on_stream(std::uint64_t pairs);
    /// The same captured, as a graph of so many branches, which is launched `launches` times. Of all launches together,
    /// without those that reset the slots in between.
    double captured(std::uint64_t pairs, unsigned branches, unsigned launches);

    /// Of the latest launch: reads without the wait that came too early.
    std::uint64_t stale() const;

private:
    void allocate(std::uint64_t pairs);
    void reset();
    void launch_pair(std::uint64_t pair, cudaStream_t stream) const;

    std::unique_ptr<KernelLibrary> library_;
    Kernel primary_ = nullptr;
    Kernel waiting_ = nullptr;
    Kernel not_waiting_ = nullptr;
    std::uint64_t pairs_ = 0;
    DeviceWords slots_;
    HostWords host_slots_;
    Stream stream_;
};

} // namespace pdlcts
