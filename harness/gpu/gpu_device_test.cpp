// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "harness/gpu/device_testing.hpp"

#include <doctest/doctest.h>
#include <thread>

using namespace pdlcts;

namespace {

std::uint64_t matching(const Tally& tally, const std::string& condition) {
    return pdlcts::matching(tally, *parse_condition(condition));
}

constexpr const char* handshake = R"(memory  x = 0, started = 0
grid primary <<<1, 32>>>
  thread 0:
      trigger
      await started == 1 -> overlapped within 50us
      delay 2us
      st.weak x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
      st.relaxed.sys started, 1
-     wait
      ld.weak x -> seen
never   seen == 0
armed   overlapped == 1
)";

} // namespace

TEST_CASE("a hand-shake runs on every route: all trials counted, edges as expected, the control's race seen") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    CHECK(gpu->environment().compute_capability >= 90);
    CHECK(gpu->environment().gpu_uuid_hash.size() == 16);
    const Litmus litmus = litmus_of(handshake);
    const CompiledCase compiled = compile(*gpu, litmus);
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        const RouteRun run = gpu->run(litmus, compiled, route, {.trials = 300});
        REQUIRE_MESSAGE(run.incident == Incident::none, run.incident_detail);
        REQUIRE(run.form.control);
        CHECK(run.form.program.tally.trials() == 300);
        CHECK(run.form.control->tally.trials() == 300);
        CHECK(run.form.program.tally.unwritten == 0);
        CHECK(matching(run.form.program.tally, "seen == 0") == 0);
        CHECK(matching(run.form.program.tally, "overlapped == 1") > 0);
        CHECK(matching(run.form.control->tally, "overlapped == 1 && seen == 0") > 0);
        CHECK(run.form.program.structure.expected == print_dependencies(litmus.program, *lower(litmus.program, route)));
        CHECK(run.form.program.structure.read_back == launches_graph(route));
        if (launches_graph(route)) {
            CHECK(run.form.program.structure.built == run.form.program.structure.expected);
            REQUIRE(run.program_built);
            CHECK(run.program_built->nodes == lower(litmus.program, route)->nodes);
        }
    }
}

TEST_CASE("branches run side by side on every route, and show what one branch shows") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(handshake);
    const CompiledCase compiled = compile(*gpu, litmus);
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        for (const unsigned branches : {1u, 3u, 0u}) {
            const RouteRun run = gpu->run(litmus, compiled, route, {.trials = 200, .branches = branches});
            REQUIRE_MESSAGE(run.incident == Incident::none, run.incident_detail);
            REQUIRE(run.form.branches);
            CHECK(*run.form.branches >= 1);
            CHECK((branches == 0 || *run.form.branches <= branches));
            CHECK(run.form.program.tally.trials() == 200);
            CHECK(matching(run.form.program.tally, "seen == 0") == 0);
            CHECK(matching(run.form.control->tally, "overlapped == 1 && seen == 0") > 100);
            REQUIRE(run.form.time);
            CHECK(run.form.time->launch_seconds > 0);
            CHECK(run.form.time->seconds >= run.form.time->launch_seconds);
        }
    }
}

TEST_CASE("blocks as instances: each has its own words, and all are counted") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(handshake);
    const CompiledCase compiled = compile(*gpu, litmus);
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        const RouteRun run = gpu->run(litmus, compiled, route, {.trials = 20, .instances = 64});
        REQUIRE_MESSAGE(run.incident == Incident::none, run.incident_detail);
        CHECK(run.instances == 64);
        CHECK(run.form.program.tally.trials() == 20 * 64);
        CHECK(run.form.program.tally.unwritten == 0);
        CHECK(matching(run.form.program.tally, "seen == 1") == 20 * 64);
        // In a graph no host can be late.
        CHECK(matching(run.form.program.tally, "overlapped == 1") > (launches_graph(route) ? 20 * 64 - 1 : 10 * 64));
        CHECK(run.form.control->tally.trials() == 20 * 64);
        CHECK(matching(run.form.control->tally, "overlapped == 1 && seen == 0") > 10 * 64);
        if (launches_graph(route)) {
            CHECK(run.form.program.structure.built == run.form.program.structure.expected);
        }
    }
}

TEST_CASE("classes, memsets, events and a second stream run on every route") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(R"(memory  x = 0, y = 1, count = 0
stream  s, t
memset  y, 7 on s
grid first <<<4, 32>>> on s
  blocks 0..3 threads 0..1:
      red.relaxed.gpu.add count, 1
      ld.weak y -> pattern
  block 3 thread 31:
      st.weak x, 2
record  done on s
wait_event done on t
grid second <<<1, 32>>> on t
  threads 0..31:
      ld.weak x -> seen
      ld.weak count -> counted
grid independent <<<1, 1>>> on t
  thread 0:
      trigger
never   any seen == 0 || any counted != 8 || any pattern != 117901063
)");
    const CompiledCase compiled = compile(*gpu, litmus);
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        const RouteRun run = gpu->run(litmus, compiled, route, {.trials = 60});
        REQUIRE_MESSAGE(run.incident == Incident::none, run.incident_detail);
        CHECK_FALSE(run.form.control);
        CHECK(run.form.program.tally.outcomes ==
              std::map<std::string, std::uint64_t>{{"counted=8 pattern=117901063 seen=2", 60}});
        if (launches_graph(route)) {
            CHECK(run.form.program.structure.built == run.form.program.structure.expected);
        }
    }
}

TEST_CASE("a grid that another only started behind is awaited before the next trial") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    // C does not wait, and B ends at once: nothing but the separator waits for A, whose store comes last.
    const Litmus litmus = litmus_of(R"(memory  x = 0
grid a <<<1, 1>>>
  thread 0:
      trigger
      delay 20us
      st.weak x, 1
      ld.weak x -> stored
grid b <<<1, 1>>> pss
  thread 0:
      trigger
grid c <<<1, 1>>> pss
  thread 0:
      trigger
never   stored == 0
)");
    const CompiledCase compiled = compile(*gpu, litmus);
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        const RouteRun run = gpu->run(litmus, compiled, route, {.trials = 100});
        REQUIRE_MESSAGE(run.incident == Incident::none, run.incident_detail);
        CHECK(run.form.program.tally.outcomes == std::map<std::string, std::uint64_t>{{"stored=1", 100}});
    }
}

TEST_CASE("a host's thread that waits by a blocking call is left behind at the deadline") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(R"(memory  x = 0
host_memory h = 0
grid slow <<<1, 1>>>
  thread 0:
      await x == 1 -> r within 900ms
sync device
read h -> seen
ends
)");
    const CompiledCase compiled = compile(*gpu, litmus);
    const TrialOptions options{.trials = 1, .deadline = std::chrono::milliseconds(100)};
    const RouteRun late = gpu->run(litmus, compiled, Route::stream, options);
    CHECK(late.incident == Incident::timeout);
    CHECK(late.incident_detail.ends_with("slow: block 0 has not written r; the host has not written seen"));
    CHECK(gpu->run(litmus, compiled, Route::stream, options).incident == Incident::device_error);
    // What is left on the device ends by itself: only then may another test use it.
    std::this_thread::sleep_for(std::chrono::seconds(2));
}

TEST_CASE("a grid of a second GPU runs there, or on the first where that stands in for it") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(R"(memory  x = 0, flag = 0, started = 0, looking = 0
grid primary <<<1, 32>>> on s
  thread 0:
      trigger
      await started == 1 -> overlapped within 50us
      await looking == 1 -> beside within 200us
      delay 4us
      st.weak x, 1
grid secondary <<<1, 32>>> on s pss
  thread 0:
      st.relaxed.sys started, 1
-     wait
      st.release.sys flag, 1
grid reader <<<1, 32>>> on t peer
  thread 0:
      st.relaxed.sys looking, 1
      await flag == 1 -> got within 200us
      fence.acq_rel.sys
      ld.weak x -> seen
record looked on t
wait_event looked on s
grid behind <<<1, 32>>> on s
  thread 0:
      ld.weak x -> later
sync device
never   (got == 1 && seen == 0) || later == 0
armed   overlapped == 1 && got == 1
)");
    const CompiledCase compiled = compile(*gpu, litmus);
    for (const bool one_gpu_as_two : {true, false}) {
        CAPTURE(one_gpu_as_two);
        const RouteRun run =
            gpu->run(litmus, compiled, Route::stream, {.trials = 200, .one_gpu_as_two = one_gpu_as_two});
        if (!one_gpu_as_two && run.incident == Incident::not_supported) {
            MESSAGE("no second GPU: " << run.incident_detail);
            continue;
        }
        REQUIRE_MESSAGE(run.incident == Incident::none, run.incident_detail);
        REQUIRE(run.form.second_gpu);
        CHECK(run.form.second_gpu->stood_in_for == one_gpu_as_two);
        CHECK(run.form.program.tally.trials() == 200);
        CHECK(run.form.program.tally.unwritten == 0);
        CHECK(matching(run.form.program.tally, "(got == 1 && seen == 0) || later == 0") == 0);
        CHECK(matching(run.form.program.tally, "overlapped == 1 && got == 1") > 0);
        CHECK(matching(run.form.control->tally, "overlapped == 1 && got == 1 && seen == 0") > 0);
    }
}

TEST_CASE("stamped trials give pictures and latencies on every route, and leave the device as it was") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(handshake);
    CompileOptions with_stamps;
    with_stamps.stamps = true;
    const auto compiled = gpu->compile({&litmus}, with_stamps);
    REQUIRE_MESSAGE(compiled[0], compiled[0].error().message);
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        const PictureRun run = gpu->take_pictures(litmus, *compiled[0], route, {});
        REQUIRE_MESSAGE(run.incident == Incident::none, run.pictures.note);
        CHECK(run.pictures.note.empty());
        CHECK(run.pictures.trials >= 25);
        CHECK(run.pictures.armed > 0);
        CHECK(run.pictures.resolution_ns > 0);
        REQUIRE(run.pictures.median);
        REQUIRE(run.pictures.worst);
        CHECK(run.pictures.worst->measured >= run.pictures.median->measured);
        REQUIRE(run.pictures.median->nodes.size() == 2);
        for (const NodePicture& node : run.pictures.median->nodes) {
            REQUIRE(node.shown.size() == 1);
            CHECK(node.shown[0].multiprocessor < static_cast<unsigned>(gpu->environment().multiprocessors));
        }
        CHECK(run.pictures.median->nodes[0].shown[0].trigger);
        CHECK(run.pictures.median->nodes[1].shown[0].wait_returned);
        REQUIRE(run.latency.size() == 1);
        // An armed trial overlaps. That a wait returns behind the primary's end is what values show, not clocks.
        CHECK(run.latency[0].begin.p95_ns < 0);
        CHECK(run.latency[0].wait_return.has_value());
    }
    const RouteRun counted = gpu->run(litmus, compile(*gpu, litmus), Route::edges, {.trials = 50});
    CHECK(counted.incident == Incident::none);
    // Each image is only good for what it was compiled for.
    CHECK(gpu->run(litmus, *compiled[0], Route::edges, {.trials = 50}).incident == Incident::harness_error);
    const PictureRun refused = gpu->take_pictures(litmus, compile(*gpu, litmus), Route::edges, {});
    CHECK(refused.incident == Incident::harness_error);
    CHECK_FALSE(refused.pictures.median);
}

TEST_CASE("what a GPU lacks is not run") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of("grid g <<<1, 1>>> priority 100\nends\n");
    const RouteRun run = gpu->run(litmus, compile(*gpu, litmus), Route::edges, {.trials = 1});
    CHECK(run.incident == Incident::not_supported);
    CHECK(run.incident_detail.find("priority 100") != std::string::npos);
    CHECK(run.form.program.tally.trials() == 0);
}

TEST_CASE("a missed deadline is a timeout that names the block, and ends the use of the device") {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    const Litmus litmus = litmus_of(R"(memory  x = 0
grid quick <<<1, 1>>>
  thread 0:
      ld.weak x -> q
grid slow <<<3, 1>>>
  block 0 thread 0:
      ld.weak x -> s
  block 1 thread 0:
      await x == 1 -> r within 900ms
  block 2 thread 0:
      ld.weak x -> t
ends
)");
    const CompiledCase compiled = compile(*gpu, litmus);
    const TrialOptions options{.trials = 1, .deadline = std::chrono::milliseconds(100)};
    const RouteRun late = gpu->run(litmus, compiled, Route::stream, options);
    CHECK(late.incident == Incident::timeout);
    CHECK(late.incident_detail.find("batch 1 of 1") != std::string::npos);
    CHECK(late.incident_detail.ends_with(
        " did not finish within 100 ms; a trial of the program has not ended: slow: block 1 has not written r"));
    CHECK(gpu->run(litmus, compiled, Route::stream, options).incident == Incident::device_error);
}
