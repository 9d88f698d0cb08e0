// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/gpu.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("a machine without a usable GPU gets one clear line") {
    const auto found = usable_gpus();
    const auto* unavailable = std::get_if<GpuUnavailable>(&found);
    if (unavailable == nullptr) {
        CHECK_FALSE(std::get<std::vector<int>>(found).empty());
        return;
    }
    CHECK(unavailable->message.size() > 40);
    CHECK(unavailable->message.find('\n') == std::string::npos);
#ifdef PDLCTS_HAS_TOOLKIT
    CHECK(unavailable->problem != GpuProblem::built_without_toolkit);
#else
    CHECK(unavailable->problem == GpuProblem::built_without_toolkit);
#endif
    const auto opened = open_gpu(0);
    REQUIRE(std::holds_alternative<GpuUnavailable>(opened));
    CHECK(std::get<GpuUnavailable>(opened).problem == unavailable->problem);
    CHECK(std::get<GpuUnavailable>(opened).message == unavailable->message);
}
