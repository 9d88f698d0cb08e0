// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

/// Programmatic events that are noticed late: by work of another stream, and by the host.
namespace pdlcts {
namespace {

using namespace std::chrono_literals;

cudaLaunchAttribute programmatic(cudaEvent_t event) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticEvent;
    attribute.val.programmaticEvent.event = event;
    return attribute;
}

cudaLaunchAttribute launch_completion(cudaEvent_t event) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
    attribute.val.launchCompletionEvent.event = event;
    return attribute;
}

constexpr const char* dependent_source = R"(
extern "C" __global__ void primary(u32* words) { late_store(words); }
extern "C" __global__ void secondary(u32* words) { raise(words + started); }
)";

void late_observation(const NativeDevice& device, Probes& probes) {
    constexpr int trials = 50;
    const KernelLibrary library = device.compile(pair_source(dependent_source));
    const Kernel primary = library.kernel("primary");
    const Kernel secondary = library.kernel("secondary");
    const Stream stream = create_stream();
    const Stream other = create_stream();
    const Event event = create_event();
    const Event join = create_event();
    const DeviceWords words = allocate_device_words(4 * pair_line);
    KernelArguments arguments;
    arguments.record = words.get();
    cudaLaunchAttribute attribute = programmatic(event.get());
    const auto issue = [&] {
        check(launch_of(primary, stream.get(), arguments, std::span(&attribute, 1)), "launching with an event");
        check(cudaStreamWaitEvent(other.get(), event.get(), 0), "waiting for a programmatic event");
        check(launch_of(secondary, other.get(), arguments, {}), "launching a dependent");
        check(cudaEventRecord(join.get(), other.get()), "recording an event");
        check(cudaStreamWaitEvent(stream.get(), join.get(), 0), "joining two streams");
    };
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), "beginning a capture");
    issue();
    cudaGraph_t captured = nullptr;
    check(cudaStreamEndCapture(stream.get(), &captured), "ending a capture");
    const Graph graph(captured);
    const GraphExec exec = instantiate(graph.get(), false);
    const auto shown = [&](bool as_graph) {
        clear_lines(words.get(), 4, stream.get());
        for (int trial = 0; trial < trials; ++trial) {
            clear_lines(words.get(), 1, stream.get());
            if (as_graph) {
                check(cudaGraphLaunch(exec.get(), stream.get()), "launching a graph");
            } else {
                issue();
            }
        }
        const auto read = read_lines(device, words.get(), 3, stream.get(), "dependents of a programmatic event");
        return read[2] > 0 ? "at once" : "only when the kernel has ended";
    };
    static_cast<void>(shown(false));
    const std::vector<std::string> late = {"only when the kernel has ended"};
    probes.holds("a kernel of another stream behind a programmatic event begins", late, shown(false));
    probes.differs("the same, captured and launched as a graph, begins", late, shown(true));
}

/// Words of host memory: 0, the kernel has triggered; 32, the host lets it end.
constexpr const char* host_source = R"(
extern "C" __global__ void primary(u32* words) {
    trigger();
    raise(words);
    const u64 begin = now();
    while (poll(words + 32, 1000000) == 0 && now() - begin < 100000000) {
    }
}
)";

void host_sync_late(const NativeDevice& device, Probes& probes) {
    const KernelLibrary library = device.compile(std::string(native_prelude) + host_source);
    const Kernel primary = library.kernel("primary");
    const Stream stream = create_stream();
    const Event event = create_event();
    const MappedWords words = allocate_mapped_words(64);
    const auto word = [&](std::size_t index) { return std::atomic_ref(words.words.get()[index]); };
    const auto asked = [&](cudaLaunchAttribute attribute) {
        std::fill_n(words.words.get(), 64, 0u);
        KernelArguments arguments;
        arguments.record = words.on_device;
        check(launch_of(primary, stream.get(), arguments, std::span(&attribute, 1)), "launching with an event");
        const auto triggered_by = std::chrono::steady_clock::now() + 50ms;
        while (word(0).load() == 0 && std::chrono::steady_clock::now() < triggered_by) {
        }
        // The kernel's only block has triggered, and runs on until it is let go.
        const auto end = std::chrono::steady_clock::now() + 5ms;
        cudaError_t status = cudaErrorNotReady;
        while (status == cudaErrorNotReady && std::chrono::steady_clock::now() < end) {
            status = cudaEventQuery(event.get());
        }
        word(32).store(1);
        device.wait(stream.get(), "a kernel that was let go");
        return returned(status);
    };
    const std::vector<std::string> late = {"cudaErrorNotReady"};
    static_cast<void>(asked(programmatic(event.get())));
    probes.holds("cudaEventQuery of a programmatic event, 5 ms after its kernel triggered", late,
                 asked(programmatic(event.get())));
    probes.differs("cudaEventQuery of a launch-completion event, within the same time", late,
                   asked(launch_completion(event.get())));
}

} // namespace

std::vector<NativeCheck> late_event_checks() {
    return {
        {"event-programmatic/noticed-late", late_observation},
        {"event-programmatic/host-notices-late", host_sync_late},
    };
}

} // namespace pdlcts
