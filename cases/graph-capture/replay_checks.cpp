// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_pair.hpp"

/// Captures in every mode, and their replay with every flag of instantiation: what routes do not vary.
namespace pdlcts {
namespace {

/// The second parameter says whether the secondary waits.
constexpr const char* source = R"(
extern "C" __global__ void primary(u32* words, u32) { late_store(words); }
extern "C" __global__ void secondary(u32* words, u32 waits) {
    raise(words + started);
    if (waits) {
        wait();
    }
    add(words + old, load(words + data) == 0);
}
)";

class Replay {
public:
    explicit Replay(const NativeDevice& device)
        : device_(device), library_(device.compile(pair_source(source))), stream_(create_stream()),
          words_(allocate_device_words(4 * pair_line)) {}

    std::string run(unsigned long long flags, bool waits) const {
        constexpr unsigned launches = 50;
        const Graph graph = capture(cudaStreamCaptureModeThreadLocal, waits, 1);
        cudaGraphInstantiateParams parameters{};
        parameters.flags = flags;
        parameters.uploadStream = stream_.get();
        cudaGraphExec_t made = nullptr;
        const cudaError_t status = cudaGraphInstantiateWithParams(&made, graph.get(), &parameters);
        if (status != cudaSuccess) {
            return returned(status);
        }
        const GraphExec exec(made);
        clear_lines(words_.get(), 4, stream_.get());
        for (unsigned launched = 0; launched < launches; ++launched) {
            clear_lines(words_.get(), 2, stream_.get());
            check(cudaGraphLaunch(exec.get(), stream_.get()), "launching a captured graph");
        }
        const auto words = read_lines(device_, words_.get(), 4, stream_.get(), "replays of a capture");
        return words[3] > 0 ? "old values" : "new values only";
    }

    std::string edge(cudaStreamCaptureMode mode, int pss) const { return only_edge(capture(mode, true, pss).get()); }

private:
    Graph capture(cudaStreamCaptureMode mode, bool waits, int pss) const {
        KernelArguments arguments;
        arguments.record = words_.get();
        arguments.blocks_before = waits ? 1 : 0;
        cudaLaunchAttribute attribute = pss_attribute(pss);
        // Found, and loaded, before the capture begins.
        const Kernel primary = library_.kernel("primary");
        const Kernel secondary = library_.kernel("secondary");
        check(cudaStreamBeginCapture(stream_.get(), mode), "beginning a capture");
        check(launch_of(primary, stream_.get(), arguments, {}), "capturing a primary");
        check(launch_of(secondary, stream_.get(), arguments, std::span(&attribute, 1)), "capturing a secondary");
        cudaGraph_t graph = nullptr;
        check(cudaStreamEndCapture(stream_.get(), &graph), "ending a capture");
        return Graph(graph);
    }

    const NativeDevice& device_;
    KernelLibrary library_;
    Stream stream_;
    DeviceWords words_;
};

void instantiation_flags(const NativeDevice& device, Probes& probes) {
    const Replay replay(device);
    const std::vector<std::string> fresh = {"new values only"};
    for (const auto& [flags, name] :
         {std::pair(0ull, "no flag"),
          std::pair(static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch), "AutoFreeOnLaunch"),
          std::pair(static_cast<unsigned long long>(cudaGraphInstantiateFlagUpload), "Upload"),
          std::pair(static_cast<unsigned long long>(cudaGraphInstantiateFlagDeviceLaunch), "DeviceLaunch"),
          std::pair(static_cast<unsigned long long>(cudaGraphInstantiateFlagUseNodePriority), "UseNodePriority")}) {
        probes.holds(concat("what a captured secondary reads behind its wait, instantiated with ", name), fresh,
                     replay.run(flags, true));
        probes.differs(concat("what it reads without a wait, instantiated with ", name), fresh,
                       replay.run(flags, false));
    }
}

void capture_modes(const NativeDevice& device, Probes& probes) {
    const Replay replay(device);
    const std::vector<std::string> expected = {print(programmatic_edge())};
    for (const auto& [mode, name] :
         {std::pair(cudaStreamCaptureModeGlobal, "global"), std::pair(cudaStreamCaptureModeThreadLocal, "thread-local"),
          std::pair(cudaStreamCaptureModeRelaxed, "relaxed")}) {
        probes.holds(concat("the edge of a kernel and a pss kernel, captured in mode ", name), expected,
                     replay.edge(mode, 1));
        probes.differs(concat("the edge with pss = 0, captured in mode ", name), expected, replay.edge(mode, 0));
    }
}

} // namespace

std::vector<NativeCheck> replay_checks() {
    return {
        {"graph-capture/replay-with-every-flag", instantiation_flags},
        {"graph-capture/every-capture-mode", capture_modes},
    };
}

} // namespace pdlcts
