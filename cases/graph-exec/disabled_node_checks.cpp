// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_pair.hpp"

/// A disabled kernel node between two others: with plain edges, where the documents say what it does, and with
/// programmatic ones, where they do not.
namespace pdlcts {
namespace {

/// `waits` of the last kernel is its second parameter.
constexpr const char* source = R"(
extern "C" __global__ void first(u32* words, u32) { late_store(words); }
extern "C" __global__ void middle(u32* words, u32) { add(words + 128, 1); }
extern "C" __global__ void last(u32* words, u32 waits) {
    raise(words + started);
    if (waits) {
        wait();
    }
    add(words + old, load(words + data) == 0);
}
)";

struct Counts {
    std::uint32_t overlapped = 0;
    std::uint32_t old = 0;
    std::uint32_t middle = 0;
};

class Chain {
public:
    explicit Chain(const NativeDevice& device)
        : device_(device), library_(device.compile(pair_source(source))), stream_(create_stream()),
          words_(allocate_device_words(5 * pair_line)) {}

    static constexpr std::uint32_t trials = 50;

    Counts run(const cudaGraphEdgeData& edge, bool middle_enabled, bool last_waits) const {
        const Graph graph = create_graph();
        const auto add = [&](const char* name) {
            KernelArguments arguments;
            arguments.record = words_.get();
            arguments.blocks_before = last_waits ? 1 : 0;
            return add_kernel_node(graph.get(), library_.kernel(name), {}, arguments, {});
        };
        const cudaGraphNode_t first = add("first");
        const cudaGraphNode_t middle = add("middle");
        const cudaGraphNode_t last = add("last");
        check(add_dependencies(graph.get(), &first, &middle, &edge, 1), "adding an edge");
        check(add_dependencies(graph.get(), &middle, &last, &edge, 1), "adding an edge");
        const GraphExec exec = instantiate(graph.get(), false);
        check(cudaGraphNodeSetEnabled(exec.get(), middle, middle_enabled ? 1 : 0), "disabling a node");
        clear_lines(words_.get(), 5, stream_.get());
        for (std::uint32_t trial = 0; trial < trials; ++trial) {
            clear_lines(words_.get(), 2, stream_.get());
            check(cudaGraphLaunch(exec.get(), stream_.get()), "launching a graph");
        }
        const auto words = read_lines(device_, words_.get(), 5, stream_.get(), "graphs with a disabled node");
        return {words[2], words[3], words[4]};
    }

private:
    const NativeDevice& device_;
    KernelLibrary library_;
    Stream stream_;
    DeviceWords words_;
};

void disabled_node(const NativeDevice& device, Probes& probes) {
    const Chain chain(device);
    const auto asked = [&](bool enabled) {
        const Counts counts = chain.run(default_edge, enabled, false);
        return concat(counts.middle == 0               ? "the middle does not run, "
                      : counts.middle == Chain::trials ? "the middle runs, "
                                                       : "the middle runs at times, ",
                      counts.old == 0 ? "the last reads new values only" : "the last reads old values");
    };
    // As with an empty node: nothing runs, and the order goes through it.
    const std::vector<std::string> as_empty = {"the middle does not run, the last reads new values only"};
    probes.holds("kernels first -> middle -> last, the middle disabled", as_empty, asked(false));
    probes.differs("the same, the middle enabled", as_empty, asked(true));
}

void disabled_node_between(const NativeDevice& device, Probes& probes) {
    const Chain chain(device);
    for (const bool waits : {true, false}) {
        for (const bool enabled : {false, true}) {
            const Counts counts = chain.run(programmatic_edge(), enabled, waits);
            probes.noted(concat("first -> middle -> last by programmatic edges, the middle ",
                                enabled ? "enabled, " : "disabled, ",
                                waits ? "the last waits" : "the last never waits"),
                         concat("the last begins while the first runs in ", counts.overlapped, " of ", Chain::trials,
                                ", reads old values in ", counts.old, ", the middle runs in ", counts.middle));
        }
    }
}

} // namespace

std::vector<NativeCheck> disabled_node_checks() {
    return {
        {"graph-exec/disabled-node", disabled_node},
        {"ambiguities/disabled-node-between", disabled_node_between},
    };
}

} // namespace pdlcts
