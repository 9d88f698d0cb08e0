// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace pdlcts {
namespace {

using namespace std::chrono_literals;

/// Words of host memory: 0, the secondary has ended its work; 32, the host lets the primary end; 64, the primary has.
constexpr const char* query_source = R"(
extern "C" __global__ void primary(u32* words) {
    trigger();
    const u64 begin = now();
    while (poll(words + 32, 1000000) == 0 && now() - begin < 100000000) {
    }
    raise(words + 64);
}
extern "C" __global__ void secondary(u32* words) { raise(words); }
)";

/// A primary that runs until the host lets it end, and a secondary that never waits.
class RunningPrimary {
public:
    explicit RunningPrimary(const NativeDevice& device)
        : device_(device), library_(device.compile(std::string(native_prelude) + query_source)),
          primary_(library_.kernel("primary")), secondary_(library_.kernel("secondary")), stream_(create_stream()),
          other_(create_stream()), words_(allocate_mapped_words(96)) {}

    /// What cudaStreamQuery says of the secondary's stream once the secondary has ended, while the primary still runs.
    std::string asked(bool same_stream) {
        for (int attempt = 0; attempt < 5; ++attempt) {
            std::fill_n(words_.words.get(), 96, 0u);
            KernelArguments arguments;
            arguments.record = words_.on_device;
            cudaLaunchAttribute pss = pss_attribute(1);
            const cudaStream_t stream = same_stream ? stream_.get() : other_.get();
            check(launch_of(primary_, stream_.get(), arguments, {}), "launching a primary that runs on");
            check(launch_of(secondary_, stream, arguments, std::span(&pss, 1)), "launching a secondary");
            const bool secondary_ran = wait_for_word(0);
            // The secondary's exit is some microseconds behind its word.
            std::this_thread::sleep_for(2ms);
            const std::string answer = returned(cudaStreamQuery(stream));
            const bool primary_ran_on = word(64).load() == 0;
            word(32).store(1);
            device_.wait(stream_.get(), "a primary that was let go");
            device_.wait(other_.get(), "a secondary of another stream");
            if (secondary_ran && primary_ran_on) {
                return answer;
            }
        }
        return "never asked while the primary ran and the secondary had ended";
    }

private:
    std::atomic_ref<std::uint32_t> word(std::size_t index) { return std::atomic_ref(words_.words.get()[index]); }
    bool wait_for_word(std::size_t index) {
        const auto end = std::chrono::steady_clock::now() + 50ms;
        while (word(index).load() == 0) {
            if (std::chrono::steady_clock::now() > end) {
                return false;
            }
        }
        return true;
    }

    const NativeDevice& device_;
    KernelLibrary library_;
    Kernel primary_;
    Kernel secondary_;
    Stream stream_;
    Stream other_;
    MappedWords words_;
};

void query_covers_unwaited_primary(const NativeDevice& device, Probes& probes) {
    RunningPrimary running(device);
    const std::string behind = running.asked(true);
    if (behind.starts_with("never")) {
        // Nothing was asked in the situation that the statement is about, so that nothing differs either.
        probes.holds("cudaStreamQuery behind a secondary", {behind}, behind);
        probes.differs("whether that was asked while the primary ran", {behind}, behind);
        return;
    }
    probes.holds("cudaStreamQuery behind a secondary that has ended, while its primary runs", {"cudaErrorNotReady"},
                 behind);
    probes.differs("the same of a secondary in a stream of its own", {"cudaErrorNotReady"}, running.asked(false));
}

constexpr const char* graph_source = R"(
extern "C" __global__ void primary(u32* words) {
    trigger();
    const u32 seen = poll(words + started, 200000);
    pause(1000);
    store(words + data, 1);
    add(words + overlapped, seen);
}
extern "C" __global__ void secondary(u32* words) {}
extern "C" __global__ void reader(u32* words) {
    raise(words + started);
    add(words + old, load(words + data) == 0);
}
extern "C" __global__ void alone(u32* words) {
    u32 others;
    asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(others) : "l"(words) : "memory");
    pause(5000);
    add(words + overlapped, others != 0);
    asm volatile("red.relaxed.gpu.global.add.u32 [%0], -1;" :: "l"(words) : "memory");
}
)";

GraphExec graph_of(Kernel kernel, std::uint32_t* words) {
    const Graph graph = create_graph();
    KernelArguments arguments;
    arguments.record = words;
    static_cast<void>(add_kernel_node(graph.get(), kernel, {}, arguments, {}));
    return instantiate(graph.get(), false);
}

void graph_launch_ordered(const NativeDevice& device, Probes& probes) {
    constexpr int trials = 50;
    const KernelLibrary library = device.compile(pair_source(graph_source));
    const Stream stream = create_stream();
    const Stream other = create_stream();
    const DeviceWords words = allocate_device_words(4 * pair_line);
    const auto clear = [&](std::size_t lines) {
        clear_lines(words.get(), lines, stream.get());
        device.wait(stream.get(), "clearing the words of a graph");
    };
    const auto read = [&](std::size_t line) {
        device.wait(stream.get(), "graphs behind kernels");
        device.wait(other.get(), "graphs in another stream");
        std::uint32_t value = 0;
        check(cudaMemcpy(&value, words.get() + line * pair_line, sizeof value, cudaMemcpyDeviceToHost),
              "reading the words of a graph");
        return value;
    };
    const GraphExec reader = graph_of(library.kernel("reader"), words.get());
    const auto behind_a_chain = [&](cudaStream_t of_graph) {
        clear(4);
        for (int trial = 0; trial < trials; ++trial) {
            clear(2);
            KernelArguments arguments;
            arguments.record = words.get();
            cudaLaunchAttribute pss = pss_attribute(1);
            check(launch_of(library.kernel("primary"), stream.get(), arguments, {}), "launching a primary");
            check(launch_of(library.kernel("secondary"), stream.get(), arguments, std::span(&pss, 1)),
                  "launching a secondary that never waits");
            check(cudaGraphLaunch(reader.get(), of_graph), "launching a graph");
            device.wait(of_graph, "a graph behind a chain");
        }
        return read(3) > 0 ? "old values" : "new values only";
    };
    const std::vector<std::string> fresh = {"new values only"};
    static_cast<void>(behind_a_chain(stream.get()));
    probes.holds("what a graph reads behind a primary for which nobody waited", fresh, behind_a_chain(stream.get()));
    probes.differs("what the same graph reads in another stream", fresh, behind_a_chain(other.get()));

    const GraphExec first = graph_of(library.kernel("alone"), words.get());
    const GraphExec second = graph_of(library.kernel("alone"), words.get());
    const auto twice = [&](cudaGraphExec_t in_other) {
        clear(4);
        for (int trial = 0; trial < trials; ++trial) {
            check(cudaGraphLaunch(first.get(), stream.get()), "launching a graph");
            check(cudaGraphLaunch(in_other, other.get()), "launching a graph in another stream");
        }
        return read(2) > 0 ? "at once" : "one after the other";
    };
    const std::vector<std::string> serial = {"one after the other"};
    probes.holds("two launches of one executable graph, in two streams", serial, twice(first.get()));
    probes.differs("launches of two executable graphs, in two streams", serial, twice(second.get()));
}

} // namespace

std::vector<NativeCheck> stream_checks() {
    return {
        {"stream/query-behind-an-unwaited-primary", query_covers_unwaited_primary},
        {"stream/graph-launch-ordered", graph_launch_ordered},
    };
}

} // namespace pdlcts
