// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/device_wait.hpp"

#include <thread>

namespace pdlcts {
namespace {

/// The shortest sleep is longer than many a batch.
constexpr auto without_a_pause = std::chrono::microseconds(500);

template <typename Query>
void poll(Query query, Deadline deadline, const std::string& what) {
    const auto start = std::chrono::steady_clock::now();
    auto pause = std::chrono::microseconds(20);
    while (true) {
        const auto now = std::chrono::steady_clock::now();
        const bool late = now >= deadline;
        const cudaError_t status = query();
        if (status == cudaSuccess) {
            return;
        }
        if (status != cudaErrorNotReady) {
            throw CudaError(status, what);
        }
        if (late) {
            throw DeadlineMissed(what);
        }
        if (now - start < without_a_pause) {
            std::this_thread::yield();
            continue;
        }
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(1000));
    }
}

} // namespace

void wait_for(cudaStream_t stream, Deadline deadline, const std::string& what) {
    poll([=] { return cudaStreamQuery(stream); }, deadline, what);
}

void wait_for(cudaEvent_t event, Deadline deadline, const std::string& what) {
    poll([=] { return cudaEventQuery(event); }, deadline, what);
}

} // namespace pdlcts
