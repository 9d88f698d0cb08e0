// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"
#include "harness/gpu/native_code.hpp"
#include "harness/gpu/nvrtc.hpp"

#include <memory>

namespace pdlcts {

/// Calls a native check on a thread of its own, so that a call that never returns can be left behind: that is a
/// TIMEOUT, and `usable` becomes false, as it does when the check leaves the device with an error. `code` is shared
/// with a thread that was left behind.
NativeRun run_native_check(NativeFunction check, int device, int compute_capability, const Nvrtc& nvrtc,
                           std::shared_ptr<NativeCode> code, std::chrono::milliseconds deadline, bool& usable);

} // namespace pdlcts
