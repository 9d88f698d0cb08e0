// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/requirements.hpp"

namespace pdlcts {

/// Asks the current device. Throws CudaError.
DeviceLimits device_limits();

} // namespace pdlcts
