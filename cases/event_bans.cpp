// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_device.hpp"

/// What the two event attributes of a launch forbid alike: the checks of two sections.
namespace pdlcts {
namespace {

enum class EventAttribute { programmatic, launch_completion };

constexpr const char* source = R"(
extern "C" __global__ void count(unsigned* word) { *word += 1; }
)";

/// A kernel that counts its launches, and the attribute that names an event.
class CountedLaunch {
public:
    explicit CountedLaunch(const NativeDevice& device)
        : device_(device), library_(device.compile(source)), kernel_(library_.kernel("count")),
          stream_(create_stream()), word_(allocate_device_words(1)) {
        check(cudaMemsetAsync(word_.get(), 0, sizeof(std::uint32_t), stream_.get()), "clearing a count of launches");
        device_.wait(stream_.get(), "clearing a count of launches");
    }

    cudaError_t launch(EventAttribute attribute, cudaEvent_t event, int flags) const {
        cudaLaunchAttribute value{};
        if (attribute == EventAttribute::programmatic) {
            value.id = cudaLaunchAttributeProgrammaticEvent;
            value.val.programmaticEvent.event = event;
            value.val.programmaticEvent.flags = flags;
        } else {
            value.id = cudaLaunchAttributeLaunchCompletionEvent;
            value.val.launchCompletionEvent.event = event;
            value.val.launchCompletionEvent.flags = flags;
        }
        KernelArguments arguments;
        arguments.record = word_.get();
        return launch_of(kernel_, stream_.get(), arguments, std::span(&value, 1));
    }

    std::string launches() const {
        std::uint32_t count = 0;
        check(cudaMemcpyAsync(&count, word_.get(), sizeof count, cudaMemcpyDeviceToHost, stream_.get()),
              "reading a count of launches");
        device_.wait(stream_.get(), "a launch with an event");
        return std::to_string(count);
    }

    cudaStream_t stream() const { return stream_.get(); }

private:
    const NativeDevice& device_;
    KernelLibrary library_;
    Kernel kernel_;
    Stream stream_;
    DeviceWords word_;
};

Event create_event_with(unsigned flags) {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, flags), "creating an event");
    return Event(event);
}

/// A launch whose attribute names an event that was created with `event_flags`, with the attribute's `record_flags`.
/// What the launch must leave as it was is the word that its kernel would have counted up. Beside it the same launch
/// with an event without timing, and no flag. `what` says what is illegal.
void probe_event(const NativeDevice& device, Probes& probes, EventAttribute attribute, unsigned event_flags,
                 int record_flags, const std::string& what) {
    const CountedLaunch counted(device);
    const Event event = create_event_with(event_flags);
    const std::string before = counted.launches();
    const std::string answer = returned(counted.launch(attribute, event.get(), record_flags));
    probes.illegal(concat("a launch with ", what), {}, answer);
    if (answer != "cudaSuccess") {
        probes.kept(concat("launches of the kernel, after ", what), before, counted.launches());
    } else {
        probes.kept(concat("launches of the kernel, after ", what), "1", counted.launches());
    }
    const Event sound = create_event();
    probes.legal("the same launch with an event without timing, and no flag",
                 returned(counted.launch(attribute, sound.get(), 0)));
    device.wait(counted.stream(), "a launch with a sound event");
}

/// The same in a capture, where the nodes of the graph are what must stay as they were.
void probe_captured_event(const NativeDevice& device, Probes& probes, EventAttribute attribute, int record_flags,
                          const std::string& what) {
    const auto captured = [&](int flags) {
        const CountedLaunch counted(device);
        const Event event = create_event();
        check(cudaStreamBeginCapture(counted.stream(), cudaStreamCaptureModeThreadLocal), "beginning a capture");
        const std::string answer = returned(counted.launch(attribute, event.get(), flags));
        cudaGraph_t graph = nullptr;
        static_cast<void>(cudaStreamEndCapture(counted.stream(), &graph));
        static_cast<void>(cudaGetLastError());
        std::size_t nodes = 0;
        if (graph != nullptr) {
            const Graph owned(graph);
            check(cudaGraphGetNodes(graph, nullptr, &nodes), "counting the nodes of a graph");
        }
        return std::pair(answer, nodes);
    };
    const auto [answer, nodes] = captured(record_flags);
    probes.illegal(concat("a launch with ", what), {}, answer);
    probes.kept(concat("nodes of the graph, after ", what), answer == "cudaSuccess" ? "1" : "0", std::to_string(nodes));
    probes.legal("the same captured launch without the flag", captured(0).first);
}

template <EventAttribute attribute>
void not_interprocess(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, attribute, cudaEventDisableTiming | cudaEventInterprocess, 0, "an interprocess event");
}

template <EventAttribute attribute>
void timing_disabled(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, attribute, cudaEventDefault, 0, "an event with timing");
    probe_event(device, probes, attribute, cudaEventBlockingSync, 0, "an event with timing and blocking waits");
}

template <EventAttribute attribute>
void no_external_flag(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, attribute, cudaEventDisableTiming, cudaEventRecordExternal, "flag external");
    probe_captured_event(device, probes, attribute, cudaEventRecordExternal, "flag external, captured");
}

template <EventAttribute attribute>
std::vector<NativeCheck> checks_of(const std::string& section) {
    return {
        {section + "/not-interprocess", not_interprocess<attribute>},
        {section + "/timing-disabled", timing_disabled<attribute>},
        {section + "/no-external-flag", no_external_flag<attribute>},
    };
}

} // namespace

std::vector<NativeCheck> event_programmatic_checks() {
    return checks_of<EventAttribute::programmatic>("event-programmatic");
}

std::vector<NativeCheck> event_launch_completion_checks() {
    return checks_of<EventAttribute::launch_completion>("event-launch-completion");
}

} // namespace pdlcts
