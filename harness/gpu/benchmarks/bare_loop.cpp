// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/benchmarks/bare_loop.hpp"

#include "harness/gpu/nvrtc.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

namespace pdlcts {
namespace {

// The case visibility/post-trigger-writes by hand, in CUDA C++ with inline PTX, as NVRTC knows no intrinsics without
// the toolkit's headers.
constexpr const char* source = R"(
typedef unsigned int word;
typedef unsigned long long nanoseconds;
__device__ __forceinline__ nanoseconds now() {
    nanoseconds time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
}
// A slot: x, started, seen, overlapped, each on a cache line of its own.
extern "C" __global__ void __launch_bounds__(32) primary(volatile word* slot) {
    if (threadIdx.x != 0) return;
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    nanoseconds start = now();
    word overlapped = 0;
    for (word poll = 0; poll < 100000 && !overlapped && now() - start < 50000; ++poll) {
        overlapped = slot[32];
    }
    start = now();
    for (word reading = 0; reading < 1000 && now() - start < 500; ++reading) {
    }
    slot[0] = 1;
    slot[96] = overlapped;
}
extern "C" __global__ void __launch_bounds__(32) waiting(volatile word* slot) {
    if (threadIdx.x != 0) return;
    slot[32] = 1;
    asm volatile("griddepcontrol.wait;" ::: "memory");
    slot[64] = slot[0];
}
extern "C" __global__ void __launch_bounds__(32) not_waiting(volatile word* slot) {
    if (threadIdx.x != 0) return;
    slot[32] = 1;
    slot[64] = slot[0];
}
)";
constexpr std::size_t words_a_slot = 128;
constexpr std::size_t seen = 64;
constexpr std::uint32_t poison = 0xdead;

void launch_one(Kernel kernel, std::uint32_t* slot, cudaStream_t stream, cudaLaunchAttribute* attribute) {
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(1);
    config.blockDim = dim3(32);
    config.stream = stream;
    config.attrs = attribute;
    config.numAttrs = attribute == nullptr ? 0 : 1;
    void* argument[] = {&slot};
    check(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), argument), "launching a bare kernel");
}

class Clock {
public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

BareLoop::BareLoop() : stream_(create_stream()) {
    int version = 0;
    int device = 0;
    int major = 0;
    int minor = 0;
    check(cudaDriverGetVersion(&version), "reading the driver's version");
    check(cudaGetDevice(&device), "finding the GPU of this thread");
    check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "reading what the GPU can do");
    check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "reading what the GPU can do");
    const auto nvrtc = load_nvrtc(version);
    if (!nvrtc) {
        throw HarnessFault(nvrtc.error().message);
    }
    const auto target = target_for(*nvrtc, 10 * major + minor);
    if (!target) {
        throw HarnessFault(target.error().message);
    }
    const auto code = compile_source(*nvrtc, source, *target);
    if (!code) {
        throw HarnessFault(code.error().message);
    }
    library_ = std::make_unique<KernelLibrary>(*code);
    primary_ = library_->kernel("primary");
    waiting_ = library_->kernel("waiting");
    not_waiting_ = library_->kernel("not_waiting");
}

void BareLoop::allocate(std::uint64_t pairs) {
    if (pairs != pairs_) {
        slots_ = allocate_device_words(2 * pairs * words_a_slot);
        host_slots_ = allocate_host_words(2 * pairs * words_a_slot);
        pairs_ = pairs;
    }
}

void BareLoop::reset() {
    const std::size_t words = 2 * pairs_ * words_a_slot;
    std::fill(host_slots_.get(), host_slots_.get() + words, 0);
    for (std::uint64_t slot = 0; slot < 2 * pairs_; ++slot) {
        host_slots_.get()[slot * words_a_slot + seen] = poison;
    }
    check(cudaMemcpy(slots_.get(), host_slots_.get(), words * sizeof(std::uint32_t), cudaMemcpyHostToDevice),
          "resetting the slots");
    check(cudaDeviceSynchronize(), "waiting for the slots");
}

void BareLoop::launch_pair(std::uint64_t pair, cudaStream_t stream) const {
    cudaLaunchAttribute overlap{};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    for (const auto& [secondary, slot] :
         std::array{std::pair{waiting_, 2 * pair}, std::pair{not_waiting_, 2 * pair + 1}}) {
        std::uint32_t* const words = slots_.get() + slot * words_a_slot;
        launch_one(primary_, words, stream, nullptr);
        launch_one(secondary, words, stream, &overlap);
    }
}

double BareLoop::on_stream(std::uint64_t pairs) {
    allocate(pairs);
    reset();
    const Clock clock;
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        launch_pair(pair, stream_.get());
    }
    check(cudaStreamSynchronize(stream_.get()), "waiting for the bare loop");
    return clock.seconds();
}

double BareLoop::captured(std::uint64_t pairs, unsigned branches, unsigned launches) {
    allocate(pairs);
    std::vector<Stream> streams;
    for (unsigned branch = 0; branch < branches; ++branch) {
        streams.push_back(create_stream());
    }
    const Event event = create_event();
    check(cudaStreamBeginCapture(streams[0].get(), cudaStreamCaptureModeThreadLocal), "beginning a capture");
    check(cudaEventRecord(event.get(), streams[0].get()), "forking a capture");
    for (unsigned branch = 1; branch < branches; ++branch) {
        check(cudaStreamWaitEvent(streams[branch].get(), event.get(), 0), "forking a capture");
    }
    for (std::uint64_t pair = 0; pair < pairs; ++pair) {
        launch_pair(pair, streams[pair % branches].get());
    }
    for (unsigned branch = 1; branch < branches; ++branch) {
        check(cudaEventRecord(event.get(), streams[branch].get()), "joining a capture");
        check(cudaStreamWaitEvent(streams[0].get(), event.get(), 0), "joining a capture");
    }
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(streams[0].get(), &captured), "ending a capture");
    const Graph graph(captured);
    const GraphExec exec = instantiate(captured, false);
    double seconds = 0;
    for (unsigned launch = 0; launch < launches; ++launch) {
        reset();
        const Clock clock;
        check(cudaGraphLaunch(exec.get(), stream_.get()), "launching the bare graph");
        check(cudaStreamSynchronize(stream_.get()), "waiting for the bare graph");
        seconds += clock.seconds();
    }
    return seconds;
}

std::uint64_t BareLoop::stale() const {
    const std::size_t words = 2 * pairs_ * words_a_slot;
    check(cudaMemcpy(host_slots_.get(), slots_.get(), words * sizeof(std::uint32_t), cudaMemcpyDeviceToHost),
          "reading the slots");
    std::uint64_t stale = 0;
    for (std::uint64_t pair = 0; pair < pairs_; ++pair) {
        stale += host_slots_.get()[(2 * pair + 1) * words_a_slot + seen] == 0 ? 1 : 0;
    }
    return stale;
}

} // namespace pdlcts
