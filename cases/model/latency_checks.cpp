// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/compile.hpp"
#include "harness/gpu/kernel_libraries.hpp"
#include "harness/gpu/native_device.hpp"
#include "harness/gpu/picture_run.hpp"

/// Latencies: the programs are stamped and launched as those of cases are (harness/gpu/picture_run.hpp).
namespace pdlcts {
namespace {

struct Follows {
    const char* how; ///< the secondary is put behind the primary
    const char* program;
};

/// The primary works for longer than the host takes to launch what follows.
constexpr Follows ways_to_follow[] = {
    {"no attribute", R"(grid primary <<<1, 32>>>
  thread 0:
      trigger
      delay 20us
grid secondary <<<1, 32>>>
  thread 0:
      trigger
ends
)"},
    {"pss, and no block triggers", R"(grid primary <<<1, 32>>>
  thread 0:
      delay 20us
grid secondary <<<1, 32>>> pss
  thread 0:
      wait
ends
)"},
    {"pss, and the block triggers first", R"(grid primary <<<1, 32>>>
  thread 0:
      trigger
      delay 20us
grid secondary <<<1, 32>>> pss
  thread 0:
      wait
ends
)"},
    {"pss behind a memset", R"(memory x = 0
grid primary <<<1, 32>>>
  thread 0:
      trigger
      delay 20us
memset x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
      wait
ends
)"},
    {"a programmatic event", R"(grid primary <<<1, 32>>> on s programmatic_event e
  thread 0:
      trigger
      delay 20us
wait_event e on t
grid secondary <<<1, 32>>> on t
  thread 0:
      wait
ends
)"},
    {"a programmatic event at block start", R"(grid primary <<<1, 32>>> on s programmatic_event e at_block_start
  thread 0:
      delay 20us
wait_event e on t
grid secondary <<<1, 32>>> on t
  thread 0:
      wait
ends
)"},
    {"a launch-completion event", R"(grid primary <<<1, 32>>> on s launch_completion_event e
  thread 0:
      delay 20us
wait_event e on t
grid secondary <<<1, 32>>> on t
  thread 0:
      wait
ends
)"},
    {"an ordinary event", R"(grid primary <<<1, 32>>> on s
  thread 0:
      delay 20us
record e on s
wait_event e on t
grid secondary <<<1, 32>>> on t
  thread 0:
      trigger
ends
)"},
};

std::string print(const LatencyFigures& figures) {
    return concat("median ", figures.median_ns, " ns, 5 % ", figures.p5_ns, " ns, 95 % ", figures.p95_ns, " ns");
}

std::string print(const PictureRun& run) {
    if (run.latency.empty()) {
        return run.pictures.note.empty() ? "the plan puts no grid behind another" : run.pictures.note;
    }
    const Latency& latency = run.latency.front();
    std::string text = concat("begin ", print(latency.begin));
    if (latency.wait_return) {
        text += concat("; wait returned ", print(*latency.wait_return));
    }
    return concat(text, "; of ", latency.begin.trials, " trials, to ", run.pictures.resolution_ns, " ns");
}

std::vector<Litmus> programs() {
    std::vector<Litmus> all;
    for (const Follows& way : ways_to_follow) {
        Result<Litmus> litmus = parse_litmus(way.program, way.how);
        if (!litmus) {
            throw HarnessFault(litmus.error().message);
        }
        all.push_back(*std::move(litmus));
    }
    return all;
}

void latency_of_routes(const NativeDevice& device, Probes& probes) {
    const std::vector<Litmus> litmus = programs();
    std::vector<const Litmus*> cases;
    for (const Litmus& each : litmus) {
        cases.push_back(&each);
    }
    const auto compiled = compile_cases(unit_compiler(device.nvrtc(), device.target()), cases, {.stamps = true});
    KernelLibraries libraries;
    bool usable = true;
    for (std::size_t index = 0; index < litmus.size(); ++index) {
        if (!compiled[index]) {
            throw HarnessFault(compiled[index].error().message);
        }
        for (const Route route : all_routes) {
            if (!lower(litmus[index].program, route)) {
                continue;
            }
            TrialOptions options;
            options.deadline = std::chrono::milliseconds(2000);
            const PictureRun run = take_pictures(litmus[index], *compiled[index], libraries, route, options, usable);
            if (!usable) {
                libraries.abandon();
                throw DeadlineMissed(concat(ways_to_follow[index].how, " on ", name(route), ": ", run.pictures.note));
            }
            probes.noted(concat(ways_to_follow[index].how, ", route ", name(route)), print(run));
        }
    }
}

} // namespace

std::vector<NativeCheck> latency_checks() {
    return {{"model/latency-of-routes", latency_of_routes}};
}

} // namespace pdlcts
