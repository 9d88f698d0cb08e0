// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("a program and its control are read from one file") {
    const auto litmus = parse_litmus("memory x = 0\n"
                                     "grid primary <<<1, 32>>>\n"
                                     "  thread 0:\n"
                                     "      st.weak x, 1\n"
                                     "grid secondary <<<1, 32>>> pss\n"
                                     "  thread 0:\n"
                                     "-     wait\n"
                                     "      ld.weak x -> seen\n"
                                     "never seen == 0\n",
                                     "test");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    REQUIRE(litmus->control);
    const auto& instructions = std::get<Grid>(litmus->program.operations[1]).agents[0].instructions;
    const auto& control = std::get<Grid>(litmus->control->operations[1]).agents[0].instructions;
    const Instruction load = Load{Ordering::weak, Scope::sys, CacheOperator::unspecified, "x", "seen"};
    CHECK(instructions == std::vector<Instruction>{Wait{}, load});
    CHECK(control == std::vector<Instruction>{load});
}
