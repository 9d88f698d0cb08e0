// SPDX-License-Identifier: Apache-2.0
#include "cases/event_bans.hpp"
#include "cases/native_checks.hpp"

namespace pdlcts {
namespace {

constexpr EventAttribute programmatic = EventAttribute::programmatic;

void not_interprocess(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, programmatic, cudaEventDisableTiming | cudaEventInterprocess, 0,
                "an interprocess event");
}

void timing_disabled(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, programmatic, cudaEventDefault, 0, "an event with timing");
    probe_event(device, probes, programmatic, cudaEventBlockingSync, 0, "an event with timing and blocking waits");
}

void no_external_flag(const NativeDevice& device, Probes& probes) {
    probe_event(device, probes, programmatic, cudaEventDisableTiming, cudaEventRecordExternal, "flag external");
    probe_captured_event(device, probes, programmatic, cudaEventRecordExternal, "flag external, captured");
}

} // namespace

std::vector<NativeCheck> event_programmatic_checks() {
    return {
        {"event-programmatic/not-interprocess", not_interprocess},
        {"event-programmatic/timing-disabled", timing_disabled},
        {"event-programmatic/no-external-flag", no_external_flag},
    };
}

} // namespace pdlcts
