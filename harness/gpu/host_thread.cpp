// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/host_thread.hpp"

#include <condition_variable>
#include <exception>
#include <memory>
#include <thread>

namespace pdlcts {

/// The thread holds the mutex except while a call blocks, so that it is left behind only there.
struct BlockingCalls::State {
    std::mutex mutex;
    std::condition_variable ended;
    bool has_ended = false;
    bool left_behind = false;
    std::exception_ptr error;
};

namespace {

struct LeftBehind {};

void run_thread(BlockingCalls::State& state, int device, const std::function<void(BlockingCalls&)>& work) {
    std::unique_lock lock(state.mutex);
    try {
        check(cudaSetDevice(device), "selecting the GPU for the host's thread");
        BlockingCalls calls(state, lock);
        work(calls);
    } catch (const LeftBehind&) {
        return;
    } catch (...) {
        state.error = std::current_exception();
    }
    state.has_ended = true;
    lock.unlock();
    state.ended.notify_all();
}

} // namespace

void BlockingCalls::make(const std::function<cudaError_t()>& call, const char* doing) {
    lock_.unlock();
    const cudaError_t status = call();
    lock_.lock();
    if (state_.left_behind) {
        throw LeftBehind();
    }
    check(status, doing);
}

void run_with_blocking_calls(Deadline deadline, const std::string& what,
                             const std::function<void(BlockingCalls&)>& work) {
    int device = 0;
    check(cudaGetDevice(&device), "finding the GPU of this thread");
    const auto state = std::make_shared<BlockingCalls::State>();
    std::unique_lock lock(state->mutex);
    std::thread thread([state, device, work] { run_thread(*state, device, work); });
    if (!state->ended.wait_until(lock, deadline, [&] { return state->has_ended; })) {
        state->left_behind = true;
        thread.detach();
        throw DeadlineMissed(what);
    }
    lock.unlock();
    thread.join();
    if (state->error) {
        std::rethrow_exception(state->error);
    }
}

} // namespace pdlcts
