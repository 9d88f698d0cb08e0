// SPDX-License-Identifier: Apache-2.0
// The machine and SPIN have to find the same outcomes.
#include "conformance/machine/benchmarks/comparison.hpp"

#include <doctest/doctest.h>

#include <iostream>

using namespace pdlcts;
using namespace pdlcts::spin;

namespace {

/// Between them: every ordering, fences, atomics, a class of blocks, bar.sync, a memset, every kind of dependency,
/// trigger, wait and await, and writes that run ahead of reads.
constexpr const char* programs[] = {
    R"(memory x = 0, y = 0, z = 0
stream s, t
grid primary <<<2, 32>>> on s programmatic_event e
  blocks 0..1 thread 0:
    atom.relaxed.gpu.add y, 2 -> old
    fence.acq_rel.gpu
    trigger
    red.release.gpu.max z, 3
wait_event e on t
grid secondary <<<1, 64>>> on t
  thread 0:
    ld.weak y -> early
    wait
    bar.sync
  thread 32:
    ld.weak z -> middle
    bar.sync
    ld.weak z -> late
ends
)",
    R"(memory x = 0, y = 7, flag = 0
memset y, 1
grid primary <<<1, 32>>>
  thread 0:
    ld.weak y -> a
    st.weak x, 1
    st.release.sys flag, 1
    trigger
    await flag == 2 -> b within 1us
grid secondary <<<2, 32>>> pss
  block 0 thread 0:
    ld.relaxed.gpu flag -> c
    fence.acq_rel.gpu
    ld.weak x -> d
  block 1 thread 0:
    atom.acquire.gpu.exch flag, 2 -> e
    ld.weak x -> f
grid last <<<1, 32>>>
  thread 0:
    ld.weak flag -> g
ends
)",
    R"(memory x = 0, y = 0, started = 0
stream s, t
grid primary <<<2, 32>>> on s programmatic_event e at_block_start
  block 0 thread 0:
    ld.relaxed.gpu x -> a
    st.relaxed.gpu y, 1
  block 1 thread 0:
    ld.relaxed.gpu y -> b
    st.relaxed.gpu x, 1
wait_event e on t
grid secondary <<<1, 32>>> on t
  thread 0:
    ld.weak.nc x -> c
    wait
    ld.weak x -> d
ends
)",
    R"(memory x = 0, y = 0
grid kernel <<<4, 32>>>
  block 0 thread 0:
    st.relaxed.gpu x, 1
    fence.sc.gpu
    ld.relaxed.gpu y -> a
  block 1 thread 0:
    st.relaxed.gpu y, 1
    fence.sc.sys
    ld.relaxed.gpu x -> b
  block 2 thread 0:
    st.relaxed.gpu x, 2
  block 3 thread 0:
    ld.relaxed.gpu x -> c
    ld.relaxed.gpu x -> d
ends
)",
};

} // namespace

TEST_CASE("SPIN finds the outcomes that the machine finds") {
    if (spin_version().empty()) {
        std::cout << "SPIN is not installed\n";
        return;
    }
    for (const char* const program : programs) {
        CAPTURE(std::string(program));
        const Subject subject{"test", program, Route::stream, false};
        const Result<SpelledOut> plan = prepare(subject);
        REQUIRE_MESSAGE(plan, plan.error().message);
        const Result<Exploring> machine = explore(subject, 1);
        REQUIRE_MESSAGE(machine, machine.error().message);
        CHECK(machine->outcomes.size() > 1);
        const TemporaryFolder folder;
        const Result<Verification> verified = verify(*plan, folder.path(), {Reduction::none, "-O0", 1});
        REQUIRE_MESSAGE(verified, verified.error().message);
        CHECK(verified->states > verified->outcomes.size());
        CHECK(disagreement(*machine, *verified).value_or("none") == "none");
    }
}

TEST_CASE("a step that fails says what it printed") {
    if (spin_version().empty()) {
        return;
    }
    const TemporaryFolder folder;
    const Result<Run> failed = run({"spin", "-a", "missing.pml"}, folder.path());
    REQUIRE(failed);
    CHECK(failed->status != 0);
    CHECK(failed->output.find("missing.pml") != std::string::npos);
    const Result<Run> unknown = run({"a-program-that-nobody-has"}, folder.path());
    REQUIRE(unknown);
    CHECK(unknown->status == 127);
}
