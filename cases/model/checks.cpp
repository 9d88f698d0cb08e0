// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

#include <functional>

/// Overlap that was asked for and does not come: a secondary for which the primary leaves no room.
namespace pdlcts {
namespace {

/// As many blocks as multiprocessors, which all trigger first. None leaves before all have looked for the secondary:
/// where each fills its multiprocessor, no block of the secondary can begin while any of them still looks.
constexpr const char* source = R"(
extern "C" __global__ void primary(u32* words) {
    u32* const met = words + 16; // cleared with `started`
    trigger();
    const u32 seen = poll(words + started, 20000);
    add(met, 1);
    const u64 begin = now();
    for (u32 step = 0; step < 1000000 && look(met) < gridDim.x && now() - begin < 200000; ++step) {
    }
    add(words + overlapped, seen);
}
extern "C" __global__ void late_trigger(u32* words) {
    const u32 seen = poll(words + started, 20000);
    trigger();
    add(words + overlapped, seen);
}
extern "C" __global__ void secondary(u32* words) { raise(words + started); }
)";

class Room {
public:
    explicit Room(const NativeDevice& device)
        : pair_(device, source), other_(create_stream()), event_(create_event()), join_(create_event()) {
        check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device.device()),
              "counting multiprocessors");
        check(cudaDeviceGetAttribute(&shared_memory_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.device()),
              "asking for the shared memory of a block");
        allow(pair_.primary(), static_cast<unsigned>(shared_memory_), false);
    }

    /// Every block of the primary takes the shared memory of its multiprocessor, or none.
    std::string behind_attribute(bool is_full) const {
        return shown(pair_.run(primary_with(is_full, {}), HandShake::with_pss(1)));
    }

    /// The secondary stands in another stream, behind a launch-completion event of the primary.
    std::string behind_event(bool is_full) const {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
        attribute.val.launchCompletionEvent.event = event_.get();
        const auto secondary = [this](const HandShakeLaunch& each) {
            check(cudaStreamWaitEvent(other_.get(), event_.get(), 0), "waiting for a launch-completion event");
            const cudaError_t status = launch_of(each.kernel, other_.get(), each.arguments, {});
            check(cudaEventRecord(join_.get(), other_.get()), "recording an event");
            check(cudaStreamWaitEvent(each.stream, join_.get(), 0), "joining two streams");
            return status;
        };
        return shown(pair_.run(primary_with(is_full, {attribute}), secondary));
    }

    /// The trigger stands behind the primary's look for the secondary.
    std::string behind_late_trigger(const KernelLibrary& library) const {
        const Kernel late = library.kernel("late_trigger");
        return shown(
            pair_.run([late](const HandShakeLaunch& each) { return launch_of(late, each.stream, each.arguments, {}); },
                      HandShake::with_pss(1)));
    }

private:
    static std::string shown(const PairCounts& counts) {
        return !counts.refused.empty() ? counts.refused : counts.overlapped > 0 ? "overlap" : "serial";
    }

    HandShakeFunction primary_with(bool is_full, std::vector<cudaLaunchAttribute> attributes) const {
        const LaunchShape shape{static_cast<unsigned>(multiprocessors_), 1,
                                is_full ? static_cast<unsigned>(shared_memory_) : 0u};
        return [shape, attributes](const HandShakeLaunch& each) mutable {
            try {
                launch(each.kernel, shape, each.stream, each.arguments, attributes);
            } catch (const CudaError& error) {
                return error.status;
            }
            return cudaSuccess;
        };
    }

    NativePair pair_;
    Stream other_;
    Event event_;
    Event join_;
    int multiprocessors_ = 0;
    int shared_memory_ = 0;
};

const std::vector<std::string> serial = {"serial"};

void probe_room(const Room& room, Probes& probes) {
    probes.holds("a secondary with pss behind a primary that triggers first and fills every multiprocessor", serial,
                 room.behind_attribute(true));
    probes.differs("the same behind a primary that leaves room", serial, room.behind_attribute(false));
}

/// What would be a deadlock, were the primary's look for the secondary not bounded.
void no_reliance_on_concurrency(const NativeDevice& device, Probes& probes) {
    const Room room(device);
    probes.holds("a primary that triggers, fills every multiprocessor and waits for its secondary to begin", serial,
                 room.behind_attribute(true));
    probes.differs("the same primary where it leaves room", serial, room.behind_attribute(false));
}

void overlap_is_opportunistic(const NativeDevice& device, Probes& probes) {
    probe_room(Room(device), probes);
}

void overlap_depends_on_resources(const NativeDevice& device, Probes& probes) {
    const Room room(device);
    probe_room(room, probes);
    const KernelLibrary library = device.compile(pair_source(source));
    probes.noted("a secondary behind a primary that leaves room and triggers late", room.behind_late_trigger(library));
}

void held_until_the_event_kernel_ends(const NativeDevice& device, Probes& probes) {
    const Room room(device);
    probes.holds("a dependent of the launch-completion event of a kernel that fills every multiprocessor", serial,
                 room.behind_event(true));
    probes.differs("a dependent of the launch-completion event of a kernel that leaves room", serial,
                   room.behind_event(false));
}

} // namespace

std::vector<NativeCheck> room_checks() {
    return {
        {"model/overlap-is-opportunistic", overlap_is_opportunistic},
        {"model/no-reliance-on-concurrency", no_reliance_on_concurrency},
        {"model/overlap-depends-on-resources", overlap_depends_on_resources},
        {"trigger/held-until-completion", overlap_is_opportunistic},
        {"event-launch-completion/held-until-completion", held_until_the_event_kernel_ends},
    };
}

} // namespace pdlcts
