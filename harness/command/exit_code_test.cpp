// SPDX-License-Identifier: Apache-2.0
#include "harness/command/exit_code.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace pdlcts;

TEST_CASE("every exit code has one meaning of its own") {
    std::set<int> codes;
    std::set<std::string> texts;
    for (const ExitCodeMeaning& each : exit_code_meanings()) {
        CHECK(static_cast<int>(each.code) >= (codes.empty() ? 0 : *codes.rbegin() + 1)); // in order
        CHECK(codes.insert(static_cast<int>(each.code)).second);
        CHECK(texts.insert(std::string(each.meaning)).second);
        // What a shell or a signal says otherwise: 126 to 128 and above.
        CHECK(static_cast<int>(each.code) < 126);
    }
}

TEST_CASE("every reason why there is no usable GPU has a code of its own, from 10 to 15") {
    struct Row {
        GpuProblem problem;
        int code;
    };
    const Row rows[] = {{GpuProblem::built_without_toolkit, 10},
                        {GpuProblem::no_driver, 11},
                        {GpuProblem::driver_too_old, 12},
                        {GpuProblem::no_gpu, 13},
                        {GpuProblem::no_nvrtc, 14},
                        {GpuProblem::below_compute_capability_90, 15}};
    for (const Row& row : rows) {
        CHECK(static_cast<int>(exit_code(row.problem)) == row.code);
    }
}
