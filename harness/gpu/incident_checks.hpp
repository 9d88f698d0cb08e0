// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/native/probes.hpp"

#include <string_view>

namespace pdlcts {

/// Kernels that do what no kernel should, written as native checks: `hang` and `fault` of harness/worker/incidents.hpp.
/// Null for any other name, and where the program was built without the CUDA Toolkit.
NativeFunction find_incident_check(std::string_view name);

} // namespace pdlcts
