// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/environment/environment.hpp"

namespace pdlcts {

/// Describes one GPU, and the machine that it is in. Throws CudaError.
Environment gpu_environment(int device, const std::string& nvrtc_version);

} // namespace pdlcts
