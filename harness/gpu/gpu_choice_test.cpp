// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/gpu_choice.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

GpuUnavailable unavailable(const std::vector<int>& compute_capabilities) {
    const auto chosen = choose_gpus(compute_capabilities);
    REQUIRE(std::holds_alternative<GpuUnavailable>(chosen));
    return std::get<GpuUnavailable>(chosen);
}

bool says(const GpuUnavailable& problem, const char* part) {
    return problem.message.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("GPUs of compute capability 9.0 and up are used, whatever stands beside them") {
    CHECK(std::get<std::vector<int>>(choose_gpus(std::vector{90})) == std::vector{0});
    CHECK(std::get<std::vector<int>>(choose_gpus(std::vector{75, 100, 89, 120, 0})) == std::vector{1, 3});
}

TEST_CASE("below 9.0 there is one line that says what is there and what is needed") {
    const GpuUnavailable ada = unavailable({80, 89});
    CHECK(ada.problem == GpuProblem::below_compute_capability_90);
    CHECK(says(ada, "needs compute capability 9.0, and the best of 2 GPU(s) here has 8.9"));
    CHECK(unavailable({0}).problem == GpuProblem::below_compute_capability_90);
}

TEST_CASE("a driver that offers no GPU is explained") {
    using Kind = DriverAnswer::Kind;
    CHECK(explain_no_gpu({Kind::too_old, 0, 13000, ""}).problem == GpuProblem::no_driver);
    const GpuUnavailable old = explain_no_gpu({Kind::too_old, 12080, 13000, ""});
    CHECK(old.problem == GpuProblem::driver_too_old);
    CHECK(says(old, "supports CUDA 12.8, which this program, built with toolkit 13.0"));
    CHECK(explain_no_gpu({Kind::no_gpu, 13000, 13000, ""}).problem == GpuProblem::no_gpu);
    const GpuUnavailable broken = explain_no_gpu({Kind::other, 13000, 13000, "cudaErrorSystemNotReady"});
    CHECK(broken.problem == GpuProblem::no_driver);
    CHECK(says(broken, "cudaErrorSystemNotReady"));
}
