// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/environment/environment.hpp"

namespace pdlcts {

/// Describes one GPU, and the machine that it is in. Throws CudaError.
Environment gpu_environment(int device, const std::string& nvrtc_version);

/// Adds what the GPU's state is at the end of a run.
void look_again(int device, Environment& environment);

} // namespace pdlcts
