// SPDX-License-Identifier: Apache-2.0
#include "cases/event_bans.hpp"
#include "cases/native_checks.hpp"

namespace pdlcts {
namespace {

constexpr EventAttribute launch_completion = EventAttribute::launch_completion;

void not_interprocess(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, launch_completion, cudaEventDisableTiming | cudaEventInterprocess, 0,
                "an interprocess event");
}

void timing_disabled(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, launch_completion, cudaEventDefault, 0, "an event with timing");
    probe_event(device, probes, launch_completion, cudaEventBlockingSync, 0, "an event with timing and blocking waits");
}

void no_external_flag(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, launch_completion, cudaEventDisableTiming, cudaEventRecordExternal, "flag external");
    probe_captured_event(device, probes, launch_completion, cudaEventRecordExternal, "flag external, captured");
}

} // namespace

std::vector<NativeCheck> event_launch_completion_checks() {
    return {
        {"event-launch-completion/not-interprocess", not_interprocess},
        {"event-launch-completion/timing-disabled", timing_disabled},
        {"event-launch-completion/no-external-flag", no_external_flag},
    };
}

} // namespace pdlcts
