// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/device_wait.hpp"

#include <thread>

namespace pdlcts {
namespace {

template <typename Query>
void poll(Query query, Deadline deadline, const std::string& what) {
    auto pause = std::chrono::microseconds(20);
    while (true) {
        const bool late = std::chrono::steady_clock::now() >= deadline;
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
