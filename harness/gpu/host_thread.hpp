// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/device_wait.hpp"

#include <functional>
#include <mutex>

/// The host's thread of programs that wait for the device by calls that block: `sync stream` is cudaStreamSynchronize
/// itself. Such a call has no deadline, so it is made by a thread that can be left behind.
namespace pdlcts {

/// Given to what runs on that thread.
class BlockingCalls {
public:
    struct State;
    BlockingCalls(State& state, std::unique_lock<std::mutex>& lock) : state_(state), lock_(lock) {}

    /// Makes a call that may block. Does not return if nobody waits for the thread any more: then what it works on may
    /// be gone.
    void make(const std::function<cudaError_t()>& call, const char* doing);

private:
    State& state_;
    std::unique_lock<std::mutex>& lock_;
};

/// Runs `work` on a thread of its own, on this thread's device, and throws what it throws. Throws DeadlineMissed, with
/// `what`, when a blocking call of it does not return in time; `work` is then never resumed, and only what it holds by
/// value must outlive this call.
void run_with_blocking_calls(Deadline deadline, const std::string& what,
                             const std::function<void(BlockingCalls&)>& work);

} // namespace pdlcts
