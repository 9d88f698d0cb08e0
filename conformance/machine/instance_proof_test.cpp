// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/instance_proof.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/instances.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

Program program_of(const std::string& text) {
    auto litmus = parse_litmus(text + "never seen == 7\n", "t.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return litmus->program;
}

bool proves(const Program& program, Route route) {
    const Plan plan = *lower(program, route);
    return proves_instances(program, plan, explore(program, plan));
}

std::string hand_shake(const char* wait) {
    return std::string(R"(memory  x = 0, started = 0
grid primary <<<1, 32>>>
  thread 0:
      trigger
      await started == 1 -> overlapped within 50us
      st.weak x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
      st.relaxed.sys started, 1
)") + wait +
           "      ld.weak x -> seen\n";
}

} // namespace

TEST_CASE("two instances of a program, spelled out") {
    Program widened = widen(program_of(R"(memory  x[2] = {3, 4}, y = 0
grid primary <<<1, 32>>>
  shared tile[2] = 0
  thread 0:
      st.weak tile[1], 1
      ld.weak.v2 x[0] -> {seen, other}
      atom.relaxed.gpu.add y, 1 -> old
grid secondary <<<1, 32>>> pss
  threads 0..31:
      wait
      ld.weak y -> later
)"),
                            2);
    widened.claim.ends = true;
    Litmus file;
    file.program = widened;
    CHECK(print(file) ==
          R"(memory  x_0[2] = {3, 4}, y_0 = 0, x_1[2] = {3, 4}, y_1 = 0

grid primary <<<2, 32>>>
  shared tile[2] = 0
  block 0 thread 0:
      st.weak tile[1], 1
      ld.weak.v2 x_0[0] -> {seen_0, other_0}
      atom.relaxed.gpu.add y_0, 1 -> old_0
  block 1 thread 0:
      st.weak tile[1], 1
      ld.weak.v2 x_1[0] -> {seen_1, other_1}
      atom.relaxed.gpu.add y_1, 1 -> old_1

grid secondary <<<2, 32>>> pss
  block 0 threads 0..31:
      wait
      ld.weak y_0 -> later_0
  block 1 threads 0..31:
      wait
      ld.weak y_1 -> later_1

ends
)");
}

TEST_CASE("instances of a hand-shake have the outcomes of the program, with the wait and without") {
    for (const char* wait : {"      wait\n", ""}) {
        for (const Route route : basic_routes) {
            CHECK(proves(program_of(hand_shake(wait)), route));
        }
    }
}

TEST_CASE("an exploration that lacks an outcome is not proved") {
    const Program program = program_of(hand_shake(""));
    const Plan plan = *lower(program, Route::stream);
    Exploration allowed = explore(program, plan);
    REQUIRE(allowed.outcomes.size() > 1);
    allowed.outcomes.erase(allowed.outcomes.begin());
    CHECK_FALSE(proves_instances(program, plan, allowed));
    CHECK_FALSE(proves_instances(program, plan, explore(program, plan), Limits{.states = 10}));
    CHECK_FALSE(proves_instances(program, plan, Exploration{}));
}

TEST_CASE("what blocks or the host share is nobody's own") {
    const auto why = [](const std::string& text) { return why_no_instances(program_of(text)).value_or(""); };
    const std::string reader = "  thread 0:\n      ld.weak x -> seen\n";
    CHECK(why("memory x = 0\ngrid g <<<1, 32>>>\n" + reader).empty());
    CHECK(why("memory x = 0\ngrid g <<<2, 32>>>\n  block 0 thread 0:\n      ld.weak x -> seen\n") ==
          "grid g has more than one block");
    CHECK(why("memory x = 0\ngrid g <<<1, 32>>> priority -1\n" + reader) ==
          "grid g is about what all grids of a GPU share");
    CHECK(why("memory x = 0\nmemset x, 1\ngrid g <<<1, 32>>>\n" + reader) ==
          "an operation beside grids and events is one for all instances of a launch");
    CHECK(why("host_memory x = 0\ngrid g <<<1, 32>>>\n" + reader) ==
          "host memory is shared by all instances of a launch");
}
