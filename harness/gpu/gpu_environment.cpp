// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/gpu_environment.hpp"

#include "conformance/support/sha256.hpp"
#include "harness/gpu/cuda_error.hpp"
#include "harness/gpu/nvml.hpp"

#include <array>

namespace pdlcts {
namespace {

int attribute(cudaDeviceAttr which, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, device), "reading an attribute of the GPU");
    return value;
}

/// As nvidia-smi writes it, so that owners can recognise their own GPU by its hash.
std::string uuid_text(const cudaUUID_t& uuid) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text = "GPU-";
    for (std::size_t index = 0; index < sizeof uuid.bytes; ++index) {
        text += index == 4 || index == 6 || index == 8 || index == 10 ? "-" : "";
        const auto byte = static_cast<unsigned char>(uuid.bytes[index]);
        text += digits[byte / 16];
        text += digits[byte % 16];
    }
    return text;
}

std::string compute_mode(int device) {
    switch (attribute(cudaDevAttrComputeMode, device)) {
    case cudaComputeModeDefault:
        return "default";
    case cudaComputeModeProhibited:
        return "prohibited";
    case cudaComputeModeExclusiveProcess:
        return "exclusive process";
    default:
        return "unknown";
    }
}

/// Older drivers do not know this attribute.
std::string mps(int device) {
    int enabled = 0;
    if (cudaDeviceGetAttribute(&enabled, cudaDevAttrMpsEnabled, device) != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
        return "unknown";
    }
    return enabled != 0 ? "on" : "off";
}

} // namespace

Environment gpu_environment(int device, const std::string& nvrtc_version) {
    Environment environment = host_environment();
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, device), "reading the properties of the GPU");
    environment.gpu = properties.name;
    environment.gpu_uuid_hash = sha256(uuid_text(properties.uuid)).substr(0, 16);
    environment.compute_capability = properties.major * 10 + properties.minor;
    environment.multiprocessors = properties.multiProcessorCount;
    environment.ecc = properties.ECCEnabled != 0 ? "on" : "off";
    environment.compute_mode = compute_mode(device);
    environment.mps = mps(device);
    check(cudaDriverGetVersion(&environment.driver_api_version), "reading the driver's version");
    check(cudaRuntimeGetVersion(&environment.runtime_version), "reading the runtime's version");
    environment.nvrtc_version = nvrtc_version;

    std::array<char, 32> pci_bus_id{};
    check(cudaDeviceGetPCIBusId(pci_bus_id.data(), static_cast<int>(pci_bus_id.size()), device),
          "reading the PCI bus id of the GPU");
    const ManagedDevice managed = ask_nvml(pci_bus_id.data());
    environment.driver_version = managed.driver_version;
    environment.mig_mode = managed.mig_mode;
    environment.sm_clock_mhz = managed.sm_clock_mhz;
    environment.memory_clock_mhz = managed.memory_clock_mhz;
    environment.gpu_state = managed.state;
    return environment;
}

void look_again(int device, Environment& environment) {
    std::array<char, 32> pci_bus_id{};
    if (!environment.gpu_state ||
        cudaDeviceGetPCIBusId(pci_bus_id.data(), static_cast<int>(pci_bus_id.size()), device) != cudaSuccess) {
        return;
    }
    if (const auto state = ask_nvml(pci_bus_id.data()).state) {
        environment.gpu_state->ecc_errors_at_end = state->ecc_errors;
        environment.gpu_state->throttled_at_end = state->throttled;
    }
}

} // namespace pdlcts
