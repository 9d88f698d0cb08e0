// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/nvml.hpp"

#include "harness/gpu/dynamic_library.hpp"

#include <algorithm>
#include <array>

namespace pdlcts {
namespace {

// Prototypes and constants of nvml.h, which a toolkit need not have.
struct NvmlDevice;
using Status = int;
constexpr Status not_supported = 3;
constexpr Status insufficient_size = 7;
constexpr int uncorrected = 1;
constexpr int since_the_driver_was_loaded = 0;
struct Utilization {
    unsigned gpu = 0;
    unsigned memory = 0;
};
struct ThrottleReason {
    unsigned long long bit;
    const char* name;
};
/// Less those that are no slowdown: an idle GPU, clocks that somebody has set.
constexpr std::array<ThrottleReason, 6> throttle_reasons{{{0x04, "power cap"},
                                                          {0x08, "hardware slowdown"},
                                                          {0x10, "sync boost"},
                                                          {0x20, "software thermal slowdown"},
                                                          {0x40, "hardware thermal slowdown"},
                                                          {0x80, "hardware power brake"}}};
constexpr unsigned clock_of_sm = 1;
constexpr unsigned clock_of_memory = 2;
constexpr std::size_t driver_version_size = 80;

struct Nvml {
    Status (*init)() = nullptr;
    Status (*shutdown)() = nullptr;
    Status (*driver_version)(char* version, unsigned size) = nullptr;
    Status (*device)(const char* pci_bus_id, NvmlDevice** device) = nullptr;
    Status (*mig_mode)(NvmlDevice* device, unsigned* current, unsigned* pending) = nullptr;
    Status (*clock)(NvmlDevice* device, unsigned clock, unsigned* megahertz) = nullptr;
    // Of the state of the GPU: older libraries may lack some.
    Status (*processes)(NvmlDevice* device, unsigned* count, void* infos) = nullptr;
    Status (*utilization)(NvmlDevice* device, Utilization* utilization) = nullptr;
    Status (*ecc_errors)(NvmlDevice* device, int type, int counter, unsigned long long* count) = nullptr;
    Status (*throttle)(NvmlDevice* device, unsigned long long* reasons) = nullptr;
};

std::optional<GpuState> read_state(const Nvml& nvml, NvmlDevice* device) {
    GpuState state;
    // Their number alone: without room for them the answer is that there is too little.
    unsigned processes = 0;
    const Status counted = nvml.processes(device, &processes, nullptr);
    Utilization utilization;
    unsigned long long throttled = 0;
    if ((counted != 0 && counted != insufficient_size) || nvml.utilization(device, &utilization) != 0 ||
        nvml.throttle(device, &throttled) != 0) {
        return std::nullopt;
    }
    state.other_processes = processes > 0 ? processes - 1 : 0;
    state.utilisation_percent = std::min(utilization.gpu, 100u);
    unsigned long long errors = 0;
    if (nvml.ecc_errors(device, uncorrected, since_the_driver_was_loaded, &errors) == 0) {
        state.ecc_errors = errors;
    }
    for (const ThrottleReason& reason : throttle_reasons) {
        if ((throttled & reason.bit) != 0) {
            state.throttled.emplace_back(reason.name);
        }
    }
    return state;
}

void read_device(const Nvml& nvml, const std::string& pci_bus_id, ManagedDevice& managed) {
    std::array<char, driver_version_size> version{};
    if (nvml.driver_version(version.data(), version.size()) == 0) {
        managed.driver_version = version.data();
    }
    NvmlDevice* device = nullptr;
    if (nvml.device(pci_bus_id.c_str(), &device) != 0) {
        return;
    }
    unsigned current = 0;
    unsigned pending = 0;
    const Status mig = nvml.mig_mode(device, &current, &pending);
    if (mig == 0) {
        managed.mig_mode = current != 0 ? "on" : "off";
    } else if (mig == not_supported) {
        managed.mig_mode = "off";
    }
    unsigned megahertz = 0;
    if (nvml.clock(device, clock_of_sm, &megahertz) == 0) {
        managed.sm_clock_mhz = static_cast<int>(megahertz);
    }
    if (nvml.clock(device, clock_of_memory, &megahertz) == 0) {
        managed.memory_clock_mhz = static_cast<int>(megahertz);
    }
    if (nvml.processes != nullptr && nvml.utilization != nullptr && nvml.ecc_errors != nullptr &&
        nvml.throttle != nullptr) {
        managed.state = read_state(nvml, device);
    }
}

} // namespace

ManagedDevice ask_nvml(const std::string& pci_bus_id) {
    ManagedDevice managed;
    void* library = open_library({"libnvidia-ml.so.1"});
    if (library == nullptr) {
        return managed;
    }
    Nvml nvml;
    const bool complete = find_function(library, "nvmlInit_v2", nvml.init) &&
                          find_function(library, "nvmlShutdown", nvml.shutdown) &&
                          find_function(library, "nvmlSystemGetDriverVersion", nvml.driver_version) &&
                          find_function(library, "nvmlDeviceGetHandleByPciBusId_v2", nvml.device) &&
                          find_function(library, "nvmlDeviceGetMigMode", nvml.mig_mode) &&
                          find_function(library, "nvmlDeviceGetClockInfo", nvml.clock);
    static_cast<void>(find_function(library, "nvmlDeviceGetComputeRunningProcesses_v3", nvml.processes) &&
                      find_function(library, "nvmlDeviceGetUtilizationRates", nvml.utilization) &&
                      find_function(library, "nvmlDeviceGetTotalEccErrors", nvml.ecc_errors) &&
                      find_function(library, "nvmlDeviceGetCurrentClocksThrottleReasons", nvml.throttle));
    if (complete && nvml.init() == 0) {
        read_device(nvml, pci_bus_id, managed);
        static_cast<void>(nvml.shutdown());
    }
    return managed;
}

} // namespace pdlcts
