// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_device.hpp"
#include "harness/gpu/native_hand_shake.hpp"
#include "harness/gpu/native_source.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <thread>

namespace pdlcts {
namespace {

constexpr std::size_t copied_words = 1024;
constexpr std::size_t record_words = 2 * copied_words; ///< the source, then the destination
constexpr std::size_t streams = 4;                     ///< with as many trials at once
constexpr std::size_t trials_a_stream = 32;            ///< in a batch
constexpr std::size_t trials_a_batch = streams * trials_a_stream;

// Counters of the device: 0, trials whose secondary ran; 32, those in which it read an old word. Words of host memory:
// 0, the pollers are to end; 32, blocks of them that have begun.
constexpr const char* copy_source = R"(
constexpr u32 copied_words = 1024;
extern "C" __global__ void prepare(u32* record, u32 salt) {
    for (u32 word = threadIdx.x; word < copied_words; word += blockDim.x) {
        store(record + word, salt + 1);
        store(record + copied_words + word, salt);
    }
}
extern "C" __global__ void primary(u32* record) {
    trigger();
    pause(2000);
}
extern "C" __global__ void secondary(const u32* record, u32 salt, u32 waits, u32 unused, u32* counters) {
    if (waits) {
        wait();
    }
    u32 old = 0;
    for (u32 word = threadIdx.x; word < copied_words; word += blockDim.x) {
        old |= load(record + copied_words + word) != salt + 1;
    }
    old = __syncthreads_or(old);
    if (threadIdx.x == 0) {
        add(counters, 1);
        add(counters + 32, old != 0);
    }
}
extern "C" __global__ void poller(u32* host) {
    if (threadIdx.x == 0) {
        asm volatile("red.relaxed.sys.global.add.u32 [%0], 1;" :: "l"(host + 32) : "memory");
        const u64 begin = now();
        for (u32 step = 0; step < 4000000 && look(host) == 0 && now() - begin < 1000000000; ++step) {
            asm volatile("nanosleep.u32 200;");
        }
    }
}
)";

enum class Follows { with_pss, plainly, with_pss_and_wait, with_pss_past_the_copy };

/// A block that polls on each of these multiprocessors leaves the trials their room.
constexpr unsigned usual_polling_blocks = 30;
/// Of the runs that look for old words: where the polls come from decides whether there are any, and an H200 that shows
/// tens of them in one run shows none in another.
constexpr std::array<unsigned, 4> polling_blocks_of_runs{usual_polling_blocks, 60, 15, 45};

/// Primary, copy, secondary, beside kernels that poll host memory.
class CopyTrials {
public:
    explicit CopyTrials(const NativeDevice& device)
        : device_(device), library_(device.compile(std::string(native_prelude) + copy_source)),
          prepare_(library_.kernel("prepare")), primary_(library_.kernel("primary")),
          secondary_(library_.kernel("secondary")), poller_(library_.kernel("poller")), polling_(create_stream()),
          records_(allocate_device_words(trials_a_batch * record_words)), counters_(allocate_device_words(64)),
          separators_(allocate_device_words(streams)), host_(allocate_mapped_words(64)) {
        for (std::size_t stream = 0; stream < streams; ++stream) {
            streams_.push_back(create_stream());
            others_.push_back(create_stream());
            copied_.push_back(create_event());
        }
        // What is loaded or allocated at its first use is, before a kernel runs that would be in the way.
        for (const Follows each :
             {Follows::with_pss, Follows::plainly, Follows::with_pss_and_wait, Follows::with_pss_past_the_copy}) {
            batch(each);
        }
        static_cast<void>(read_counters());
    }

    /// Whether a secondary read an old word of the copy, in one of so many batches, with so many blocks that poll
    /// beside them.
    std::string run(Follows follows, unsigned batches, unsigned polling_blocks = usual_polling_blocks) {
        check(cudaMemsetAsync(counters_.get(), 0, 64 * sizeof(std::uint32_t), streams_[0].get()), "clearing counters");
        device_.wait(streams_[0].get(), "counters that were cleared");
        start_pollers(polling_blocks);
        try {
            for (unsigned number = 0; number < batches; ++number) {
                batch(follows);
            }
        } catch (...) {
            word(0).store(1);
            throw;
        }
        stop_pollers();
        old_ = read_counters();
        ran_ = batches * trials_a_batch;
        if (counted_ != ran_) {
            throw HarnessFault(concat(counted_, " of ", ran_, " secondaries ran"));
        }
        return old_ == 0 ? "every word is new" : "old words";
    }
    /// `old words in 23 of 2048 trials`, of the last run.
    std::string counts() const { return concat("old words in ", old_, " of ", ran_, " trials"); }

private:
    void batch(Follows follows) {
        salt_ += 16;
        for (std::size_t trial = 0; trial < trials_a_batch; ++trial) {
            launch(prepare_, {1, 256, 0}, stream(trial), arguments(trial, false), {});
        }
        wait_for_all("records that were prepared");
        for (std::size_t trial = 0; trial < trials_a_batch; ++trial) {
            issue(trial, follows);
        }
        wait_for_all("secondaries behind a copy");
    }

    void issue(std::size_t trial, Follows follows) {
        const cudaStream_t main = stream(trial);
        const cudaStream_t other = others_[trial % streams].get();
        const cudaEvent_t event = copied_[trial % streams].get();
        const bool past = follows == Follows::with_pss_past_the_copy;
        std::uint32_t* const record = records_.get() + trial * record_words;
        // Behind a memset the primary begins when the trial before has ended.
        check(cudaMemsetAsync(separators_.get() + trial % streams, 0, sizeof(std::uint32_t), main),
              "separating two trials");
        launch(primary_, {1, 1, 0}, main, arguments(trial, false), {});
        if (past) {
            check(cudaEventRecord(event, main), "recording a primary");
            check(cudaStreamWaitEvent(other, event, 0), "waiting for a primary in another stream");
        }
        check(cudaMemcpyAsync(record + copied_words, record, copied_words * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToDevice, past ? other : main),
              "copying behind a primary");
        cudaLaunchAttribute pss = pss_attribute(1);
        launch(secondary_, {1, 32, 0}, main, arguments(trial, follows == Follows::with_pss_and_wait),
               std::span(&pss, follows == Follows::plainly ? 0 : 1));
        if (past) {
            check(cudaEventRecord(event, other), "recording a copy");
            check(cudaStreamWaitEvent(main, event, 0), "waiting for a copy in another stream");
        }
    }

    KernelArguments arguments(std::size_t trial, bool waits) const {
        KernelArguments arguments;
        arguments.record = records_.get() + trial * record_words;
        arguments.blocks_before = salt_;
        arguments.starts_late = waits ? 1 : 0;
        arguments.host_record = counters_.get();
        return arguments;
    }

    cudaStream_t stream(std::size_t trial) const { return streams_[trial % streams].get(); }
    std::atomic_ref<std::uint32_t> word(std::size_t index) { return std::atomic_ref(host_.words.get()[index]); }

    void wait_for_all(const std::string& what) const {
        for (const Stream& each : streams_) {
            device_.wait(each.get(), what);
        }
    }

    void start_pollers(unsigned polling_blocks) {
        word(0).store(0);
        word(32).store(0);
        KernelArguments arguments;
        arguments.record = host_.on_device;
        launch(poller_, {polling_blocks, 32, 0}, polling_.get(), arguments, {});
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
        while (word(32).load() < polling_blocks) {
            if (std::chrono::steady_clock::now() > end) {
                word(0).store(1);
                throw HarnessFault("the kernel that polls host memory did not begin");
            }
        }
    }

    /// Throws where it did not run beside all trials: then nothing was seen beside it.
    void stop_pollers() {
        const bool ran = cudaStreamQuery(polling_.get()) == cudaErrorNotReady;
        word(0).store(1);
        device_.wait(polling_.get(), "the kernel that polls host memory");
        if (!ran) {
            throw HarnessFault("the kernel that polls host memory ended before the trials beside it");
        }
    }

    std::uint32_t read_counters() {
        std::uint32_t counters[64] = {};
        check(cudaMemcpyAsync(counters, counters_.get(), sizeof counters, cudaMemcpyDeviceToHost, streams_[0].get()),
              "reading counters");
        device_.wait(streams_[0].get(), "counters that were read");
        counted_ = counters[0];
        return counters[32];
    }

    const NativeDevice& device_;
    KernelLibrary library_;
    Kernel prepare_;
    Kernel primary_;
    Kernel secondary_;
    Kernel poller_;
    Stream polling_;
    std::vector<Stream> streams_;
    std::vector<Stream> others_;
    std::vector<Event> copied_;
    DeviceWords records_;
    DeviceWords counters_;
    DeviceWords separators_;
    MappedWords host_;
    std::uint32_t salt_ = 0;
    std::uint32_t old_ = 0;
    std::uint32_t counted_ = 0;
    std::size_t ran_ = 0;
};

void copy_beside_host_polling(const NativeDevice& device, Probes& probes) {
    const std::vector<std::string> all_new = {"every word is new"};
    CopyTrials trials(device);
    std::string read = all_new.front();
    std::string counts;
    for (const unsigned polling_blocks : polling_blocks_of_runs) {
        if (read == all_new.front()) {
            read = trials.run(Follows::with_pss, 16, polling_blocks);
            counts +=
                concat(counts.empty() ? "" : ", ", trials.counts(), " with ", polling_blocks, " blocks that poll");
        }
    }
    probes.holds("4 KiB copied between a primary and a secondary with pss, beside kernels that poll host memory",
                 all_new, read);
    probes.noted("of these", counts);
    probes.holds("the same without pss", all_new, trials.run(Follows::plainly, 4));
    probes.holds("the same with pss and a wait", all_new, trials.run(Follows::with_pss_and_wait, 4));
    probes.differs("the same with pss, and the copy in another stream", all_new,
                   trials.run(Follows::with_pss_past_the_copy, 2));
}

} // namespace

std::vector<NativeCheck> stream_copy_checks() {
    return {{"stream/copy-beside-host-polling", copy_beside_host_polling}};
}

} // namespace pdlcts
