// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/environment/environment.hpp"

#include <optional>
#include <string>

namespace pdlcts {

/// What the management library says of one GPU; what it does not say keeps its initial value.
struct ManagedDevice {
    std::string driver_version = "unknown";
    std::string mig_mode = "unknown"; ///< `off`, `on`, `unknown`
    int sm_clock_mhz = 0;
    int memory_clock_mhz = 0;
    /// As of now, with nothing at the end; none where NVML does not say all of it. A process that has a context on the
    /// GPU when it asks is not counted among the others.
    std::optional<GpuState> state;
};

/// Asks NVML, which comes with the driver and is found at run time. `pci_bus_id` is what cudaDeviceGetPCIBusId writes.
ManagedDevice ask_nvml(const std::string& pci_bus_id);

} // namespace pdlcts
