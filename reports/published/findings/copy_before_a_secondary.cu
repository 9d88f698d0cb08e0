// SPDX-License-Identifier: Apache-2.0
// A device-to-device copy stands between a primary and a secondary with programmatic stream serialization. A copy is no
// kernel, so the secondary may not begin before it is complete (stream.copy-completes-before-pss-kernel). Here the
// secondary reads what was copied, without a wait, while a few blocks of another kernel poll a word of host memory;
// counted is how often it finds what was there before the copy. The same is done without the attribute, and with a
// wait: both are 0 where the copy itself is sound.
//
//     nvcc -std=c++17 -arch=sm_90 -o copy_before_a_secondary copy_before_a_secondary.cu && ./copy_before_a_secondary
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

namespace {

constexpr int streams = 4;
constexpr int trials_a_batch = 32;
constexpr std::size_t words = 1024; // that are copied
constexpr unsigned unwritten = 0xdeadbeef;
constexpr std::chrono::seconds time_of_a_variant{4};
constexpr unsigned polling_blocks = 30;

void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

__device__ unsigned long long now() {
    unsigned long long nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds) : : "memory");
    return nanoseconds;
}

__global__ void prepare(unsigned* source, unsigned* destination, unsigned* seen, unsigned salt) {
    for (std::size_t word = threadIdx.x; word < words; word += blockDim.x) {
        source[word] = salt + 1;
        destination[word] = salt;
    }
    if (threadIdx.x == 0)
        *seen = unwritten;
}

__global__ void primary(unsigned nanoseconds) {
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
    const unsigned long long start = now();
    for (int round = 0; round < 100000 && now() - start < nanoseconds; ++round) {
    }
}

template <bool waits>
__global__ void secondary(const unsigned* destination, unsigned* seen, unsigned salt) {
    if (waits)
        asm volatile("griddepcontrol.wait;" : : : "memory");
    unsigned old = 0;
    for (std::size_t word = threadIdx.x; word < words; word += 32) {
        unsigned value;
        asm volatile("ld.weak.global.u32 %0, [%1];" : "=r"(value) : "l"(destination + word) : "memory");
        old += value == salt + 1 ? 0 : 1;
    }
    old = __reduce_add_sync(0xffffffffu, old);
    if (threadIdx.x == 0)
        *seen = old;
}

/// For three milliseconds a thread of each block polls a word of host memory, as kernels do that wait for the host.
__global__ void poll_host_memory(const volatile unsigned* word) {
    const unsigned long long start = now();
    while (threadIdx.x == 0 && *word == 0 && now() - start < 3000000)
        __nanosleep(200);
}

struct Variant {
    const char* name;
    bool attribute;
    bool waits;
};

struct Counts {
    std::atomic<long> copied{0};
    std::atomic<long> in_part{0};
    std::atomic<long> not_at_all{0};
    std::atomic<long> lost{0};
};

/// One stream's trials: memset, primary, copy, secondary.
class Trials {
public:
    explicit Trials(unsigned salt) : salt_(salt) {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
        check(cudaMalloc(&source_, trials_a_batch * words * 4), "allocating");
        check(cudaMalloc(&destination_, trials_a_batch * words * 4), "allocating");
        check(cudaMalloc(&seen_, trials_a_batch * 4), "allocating");
        check(cudaMalloc(&separator_, 4), "allocating");
    }

    void batch(const Variant& variant, Counts& counts) {
        const unsigned first = salt_;
        for (int trial = 0; trial < trials_a_batch; ++trial) {
            prepare<<<1, 256, 0, stream_>>>(source(trial), destination(trial), seen_ + trial, first + 16 * trial);
        }
        check(cudaStreamSynchronize(stream_), "preparing");
        for (int trial = 0; trial < trials_a_batch; ++trial) {
            check(cudaMemsetAsync(separator_, trial, 4, stream_), "separating trials");
            primary<<<1, 32, 0, stream_>>>(2000);
            check(cudaMemcpyAsync(destination(trial), source(trial), words * 4, cudaMemcpyDeviceToDevice, stream_),
                  "copying");
            launch_secondary(variant, trial, first + 16 * trial);
        }
        std::vector<unsigned> seen(trials_a_batch);
        check(cudaStreamSynchronize(stream_), "running");
        check(cudaMemcpy(seen.data(), seen_, trials_a_batch * 4, cudaMemcpyDeviceToHost), "reading");
        for (const unsigned old : seen) {
            ++(old == 0       ? counts.copied
               : old == words ? counts.not_at_all
               : old < words  ? counts.in_part
                              : counts.lost);
        }
        salt_ += 16 * trials_a_batch;
    }

private:
    unsigned* source(int trial) const { return source_ + trial * words; }
    unsigned* destination(int trial) const { return destination_ + trial * words; }

    void launch_secondary(const Variant& variant, int trial, unsigned salt) {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = 1;
        config.blockDim = 32;
        config.stream = stream_;
        config.attrs = &attribute;
        config.numAttrs = variant.attribute ? 1 : 0;
        const unsigned* from = destination(trial);
        check(variant.waits ? cudaLaunchKernelEx(&config, secondary<true>, from, seen_ + trial, salt)
                            : cudaLaunchKernelEx(&config, secondary<false>, from, seen_ + trial, salt),
              "launching the secondary");
    }

    cudaStream_t stream_ = nullptr;
    unsigned* source_ = nullptr;
    unsigned* destination_ = nullptr;
    unsigned* seen_ = nullptr;
    unsigned* separator_ = nullptr;
    unsigned salt_;
};

} // namespace

int main() {
    constexpr Variant variants[] = {
        {"with the attribute", true, false}, {"without it", false, false}, {"with it and a wait", true, true}};
    unsigned* word = nullptr;
    check(cudaHostAlloc(&word, sizeof *word, cudaHostAllocMapped), "allocating host memory");
    *word = 0;
    cudaStream_t load_stream = nullptr;
    check(cudaStreamCreateWithFlags(&load_stream, cudaStreamNonBlocking), "creating a stream");
    std::vector<Trials> trials;
    for (unsigned stream = 0; stream < streams; ++stream)
        trials.emplace_back(1000 + stream * 0x10000000u);

    // Whatever is loaded or allocated at its first use is, before anything is counted.
    for (Trials& each : trials) {
        for (const Variant& variant : variants) {
            Counts ignored;
            each.batch(variant, ignored);
        }
    }
    bool early = false;
    for (const Variant& variant : variants) {
        Counts counts;
        std::atomic<bool> over{false};
        std::thread load([&] {
            while (!over) {
                poll_host_memory<<<polling_blocks, 32, 0, load_stream>>>(word);
                check(cudaStreamSynchronize(load_stream), "polling host memory");
            }
        });
        const auto end = std::chrono::steady_clock::now() + time_of_a_variant;
        std::vector<std::thread> threads;
        for (Trials& each : trials) {
            threads.emplace_back([&] {
                while (std::chrono::steady_clock::now() < end)
                    each.batch(variant, counts);
            });
        }
        for (std::thread& thread : threads)
            thread.join();
        over = true;
        load.join();
        std::printf("%-20s copied %ld, in part %ld, not at all %ld, no result %ld\n", variant.name,
                    counts.copied.load(), counts.in_part.load(), counts.not_at_all.load(), counts.lost.load());
        early |= counts.in_part + counts.not_at_all > 0;
    }
    return early ? 1 : 0;
}
