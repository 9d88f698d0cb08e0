// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/native_device.hpp"

#include <optional>
#include <string>

namespace pdlcts {

/// Code that calls the device runtime - updates of graphs, launches of graphs - compiled with a toolkit's headers and
/// linked by the driver with its libcudadevrt.a. Throws NativeUnsupported where there is no toolkit.
class LinkedLibrary {
public:
    LinkedLibrary(const NativeDevice& device, const std::string& source);

    Kernel kernel(const char* name) const { return library_->kernel(name); }

private:
    std::optional<KernelLibrary> library_;
};

} // namespace pdlcts
