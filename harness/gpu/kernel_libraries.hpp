// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"
#include "harness/gpu/kernel_library.hpp"

#include <map>

namespace pdlcts {

/// The units that are loaded on a device: each once, whatever number of cases it holds, and until nobody has the unit
/// any more.
class KernelLibraries {
public:
    KernelLibraries() = default;
    KernelLibraries(const KernelLibraries&) = delete;
    KernelLibraries& operator=(const KernelLibraries&) = delete;

    /// The library stays while the caller, or anybody else, has the unit.
    const KernelLibrary& of(const std::shared_ptr<const CompiledUnit>& unit);

    /// Never unloads what is loaded: a device that is lost would be waited for.
    void abandon();

private:
    std::map<std::shared_ptr<const CompiledUnit>, std::unique_ptr<KernelLibrary>> loaded_;
};

} // namespace pdlcts
