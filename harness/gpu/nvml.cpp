// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/nvml.hpp"

#include "harness/gpu/dynamic_library.hpp"

#include <array>

namespace pdlcts {
namespace {

// Prototypes and constants of nvml.h, which a toolkit need not have.
struct NvmlDevice;
using Status = int;
constexpr Status not_supported = 3;
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
};

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
    if (complete && nvml.init() == 0) {
        read_device(nvml, pci_bus_id, managed);
        static_cast<void>(nvml.shutdown());
    }
    return managed;
}

} // namespace pdlcts
