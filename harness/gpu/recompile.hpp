// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <string>
#include <vector>

namespace pdlcts {

/// Compiles a source that emit wrote for an image that a results file names, `sass sm_90` or `ptx compute_90`, by the
/// NVRTC of this machine; no GPU is asked. An error where there is no NVRTC, or the image is named otherwise.
Result<std::vector<char>> compile_for_image(const std::string& source, const std::string& image);

} // namespace pdlcts
