// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_graph.hpp"
#include "harness/gpu/native_linked_library.hpp"
#include "harness/gpu/native_pair.hpp"

#include <array>

/// A primary that changes its programmatic dependent from the device: with the fence that the header asks for, and
/// without.
namespace pdlcts {
namespace {

/// `turn` counts the launches of the graph. Each primary changes its dependent by `way`, and the dependent compares
/// what it was launched with against the turn, behind its wait. Whether a disabled dependent ran, the next primary
/// tells.
constexpr const char* source = R"(
constexpr u32 turn = 128, ran = 160, failed = 192;
enum Way { param, param_template, enabled, grid_size, several };
extern "C" __global__ void primary(u32* words, cudaGraphDeviceNode_t node, u32 way, u32 fences) {
    const u32 now_turn = load(words + turn) + 1;
    const u32 blocks = now_turn % 3 + 1;
    if (way == enabled && now_turn > 1) {
        // The launch before this one: an odd turn enabled the dependent.
        add(words + old, (load(words + ran) == now_turn - 1) != ((now_turn - 1) % 2 == 1));
    }
    store(words + turn, now_turn);
    cudaError_t status = cudaSuccess;
    if (way == param) {
        status = cudaGraphKernelNodeSetParam(node, sizeof(u64), &now_turn, sizeof now_turn);
    } else if (way == param_template) {
        status = cudaGraphKernelNodeSetParam(node, sizeof(u64), now_turn);
    } else if (way == enabled) {
        status = cudaGraphKernelNodeSetEnabled(node, now_turn % 2 == 1);
    } else if (way == grid_size) {
        status = cudaGraphKernelNodeSetGridDim(node, dim3(blocks, 1, 1));
    } else {
        // The union in it has no default constructor.
        alignas(16) unsigned char storage[2 * sizeof(cudaGraphKernelNodeUpdate)];
        auto* const updates = reinterpret_cast<cudaGraphKernelNodeUpdate*>(storage);
        updates[0].node = node;
        updates[0].field = cudaGraphKernelNodeFieldParam;
        updates[0].updateData.param.pValue = &now_turn;
        updates[0].updateData.param.offset = sizeof(u64);
        updates[0].updateData.param.size = sizeof now_turn;
        updates[1].node = node;
        updates[1].field = cudaGraphKernelNodeFieldGridDim;
        updates[1].updateData.gridDim = dim3(blocks, 1, 1);
        status = cudaGraphKernelNodeUpdatesApply(updates, 2);
    }
    add(words + failed, status != cudaSuccess);
    if (fences) {
        __threadfence();
    }
    trigger();
    pause(2000);
}
extern "C" __global__ void secondary(u32* words, u32 with_turn, u32 way) {
    wait();
    if (blockIdx.x != 0) {
        return;
    }
    const u32 now_turn = load(words + turn);
    const bool old_turn = (way == param || way == param_template || way == several) && with_turn != now_turn;
    const bool old_size = (way == grid_size || way == several) && gridDim.x != now_turn % 3 + 1;
    store(words + ran, now_turn);
    add(words + old, old_turn || old_size);
}
)";

enum class Way : std::uint32_t { param, param_template, enabled, grid_size, several };

/// A graph of the primary and its dependent, made anew for each form: an updated node belongs to one executable graph.
class Updates {
public:
    explicit Updates(const NativeDevice& device)
        : device_(device), stream_(create_stream()), words_(allocate_device_words(7 * pair_line)) {}

    std::string run(Way way, bool fences) const {
        constexpr int launches = 300;
        const Graph graph = create_graph();
        void* words = words_.get();
        std::uint32_t first_turn = 0;
        auto way_number = static_cast<std::uint32_t>(way);
        std::array<void*, 3> of_secondary = {&words, &first_turn, &way_number};
        const cudaGraphNode_t secondary = add(graph.get(), "secondary", of_secondary);
        cudaLaunchAttributeValue updatable{};
        updatable.deviceUpdatableKernelNode.deviceUpdatable = 1;
        check(cudaGraphKernelNodeSetAttribute(secondary, cudaLaunchAttributeDeviceUpdatableKernelNode, &updatable),
              "making a node that the device may update");
        check(cudaGraphKernelNodeGetAttribute(secondary, cudaLaunchAttributeDeviceUpdatableKernelNode, &updatable),
              "reading the handle of a node that the device may update");
        std::uint32_t fences_number = fences ? 1 : 0;
        std::array<void*, 4> of_primary = {&words, &updatable.deviceUpdatableKernelNode.devNode, &way_number,
                                           &fences_number};
        const cudaGraphNode_t primary = add(graph.get(), "primary", of_primary);
        const cudaGraphEdgeData edge = programmatic_edge();
        check(add_dependencies(graph.get(), &primary, &secondary, &edge, 1), "adding an edge");
        const GraphExec exec = instantiate(graph.get(), false);
        check(cudaGraphUpload(exec.get(), stream_.get()), "uploading a graph");
        clear_lines(words_.get(), 7, stream_.get());
        for (int launch = 0; launch < launches; ++launch) {
            check(cudaGraphLaunch(exec.get(), stream_.get()), "launching a graph that updates itself");
        }
        const auto read = read_lines(device_, words_.get(), 7, stream_.get(), "graphs that update themselves");
        if (read[4] != launches || read[6] != 0) {
            throw HarnessFault(
                concat("of ", launches, " launches ", read[4], " ran, and in ", read[6], " the update was refused"));
        }
        return read[3] > 0 ? "launched with the old state" : "launched with the change";
    }

private:
    cudaGraphNode_t add(cudaGraph_t graph, const char* name, std::span<void*> pointers) const {
        cudaKernelNodeParams parameters{};
        parameters.func = runtime_function(library().kernel(name));
        parameters.gridDim = dim3(1);
        parameters.blockDim = dim3(1);
        parameters.kernelParams = pointers.data();
        cudaGraphNode_t node = nullptr;
        check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters), "adding a kernel to a graph");
        return node;
    }
    const LinkedLibrary& library() const { return library_; }

    const NativeDevice& device_;
    LinkedLibrary library_{device_, pair_source(source)};
    Stream stream_;
    DeviceWords words_;
};

template <Way way>
void fence_before_trigger(const NativeDevice& device, Probes& probes) {
    const Updates updates(device);
    // The hazard is the old state where the fence is missing; with the fence no launch may have it.
    const std::vector<std::string> hazard = {"launched with the old state"};
    probes.holds("the dependent of a primary without the fence", hazard, updates.run(way, false));
    probes.differs("the dependent of a primary with the fence", hazard, updates.run(way, true));
}

} // namespace

std::vector<NativeCheck> device_update_checks() {
    return {
        {"device-update/set-param", fence_before_trigger<Way::param>},
        {"device-update/set-param-template", fence_before_trigger<Way::param_template>},
        {"device-update/set-enabled", fence_before_trigger<Way::enabled>},
        {"device-update/set-grid-size", fence_before_trigger<Way::grid_size>},
        {"device-update/several-updates", fence_before_trigger<Way::several>},
    };
}

} // namespace pdlcts
