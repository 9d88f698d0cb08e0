// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/background.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace pdlcts {
namespace {

/// Longer than a kernel takes to begin on a GPU that has room for it.
constexpr std::chrono::milliseconds longest_begin{100};

std::atomic_ref<std::uint32_t> signal(std::uint32_t* word) {
    return std::atomic_ref<std::uint32_t>(*word);
}

/// Of the least priority: blocks of the trials that wait for room come first.
Stream create_background_stream(const DeviceLimits& limits) {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, limits.least_priority), "creating a stream");
    return Stream(stream);
}

} // namespace

Background::Background(const std::vector<char>& code, const DeviceLimits& limits)
    : limits_(limits), library_(code), kernel_(library_.kernel("background")),
      stream_(create_background_stream(limits)), memory_(allocate_device_words(background_words)),
      signals_(allocate_mapped_words(1 + limits.multiprocessors)) {
    allow(kernel_, static_cast<unsigned>(limits.shared_memory_a_block - reserved_shared_memory), false);
}

bool Background::start(const BackgroundLoad& load, std::chrono::nanoseconds within, Deadline deadline) {
    stop_and_wait(deadline); // should one have been left behind
    std::uint32_t* const words = signals_.words.get();
    for (unsigned word = 0; word <= load.blocks; ++word) {
        signal(words + word).store(0);
    }
    void* stop = signals_.on_device;
    void* begun = signals_.on_device + 1;
    void* memory = memory_.get();
    std::uint32_t count = background_words;
    std::uint32_t streams_memory = load.streams_memory ? 1 : 0;
    auto nanoseconds = static_cast<unsigned long long>(within.count());
    void* pointers[] = {&stop, &begun, &memory, &count, &streams_memory, &nanoseconds};
    const std::size_t shared = load.fills_shared_memory ? limits_.shared_memory_a_block - reserved_shared_memory : 0;
    launch_with(kernel_, {load.blocks, background_threads, static_cast<unsigned>(shared)}, stream_.get(), pointers, {});
    const Deadline begin = std::min(deadline, std::chrono::steady_clock::now() + longest_begin);
    const auto all_run = [&] {
        return std::all_of(words + 1, words + 1 + load.blocks,
                           [](std::uint32_t& word) { return signal(&word).load() != 0; });
    };
    while (!all_run()) {
        if (std::chrono::steady_clock::now() >= begin) {
            stop_and_wait(deadline);
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

bool Background::stop(Deadline deadline) {
    const bool runs = cudaStreamQuery(stream_.get()) == cudaErrorNotReady;
    stop_and_wait(deadline);
    return runs;
}

void Background::let_end() {
    signal(signals_.words.get()).store(1);
}

void Background::stop_and_wait(Deadline deadline) {
    let_end();
    wait_for(stream_.get(), deadline, "stopping the kernel beside the trials");
}

} // namespace pdlcts
