// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/gpu.hpp"
#include "harness/gpu/incident_checks.hpp"
#include "harness/gpu/recompile.hpp"

/// What gpu.hpp offers where CMake found no CUDA Toolkit.
namespace pdlcts {
namespace {

GpuUnavailable no_toolkit() {
    return {GpuProblem::built_without_toolkit,
            "this program was built without the CUDA Toolkit; install toolkit 12.4 or newer, or set CUDA_HOME, and "
            "build again"};
}

} // namespace

void warm_up_compiler() {}

std::variant<std::vector<int>, GpuUnavailable> usable_gpus() {
    return no_toolkit();
}

std::variant<std::unique_ptr<Gpu>, GpuUnavailable> open_gpu(int) {
    return no_toolkit();
}

Result<std::vector<char>> compile_for_image(const std::string&, const std::string&) {
    return Error{no_toolkit().message};
}

NativeFunction find_incident_check(std::string_view) {
    return nullptr;
}

} // namespace pdlcts
