// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "harness/gpu/constructs.hpp"
#include "harness/gpu/gpu.hpp"

#include <doctest/doctest.h>

#include <vector>

/// For tests that need a GPU: elsewhere they say that they were skipped, and CTest shows it so.
namespace pdlcts {

inline std::unique_ptr<Gpu> gpu_or_skip() {
    auto opened = open_gpu(0);
    if (const auto* unavailable = std::get_if<GpuUnavailable>(&opened)) {
        MESSAGE("skipped: no usable GPU: " << unavailable->message);
        return nullptr;
    }
    return std::move(std::get<std::unique_ptr<Gpu>>(opened));
}

inline Litmus litmus_of(const std::string& text) {
    auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *litmus;
}

inline CompiledCase compile(const Gpu& gpu, const Litmus& litmus) {
    auto compiled = gpu.compile({&litmus});
    REQUIRE(compiled.size() == 1);
    REQUIRE_MESSAGE(compiled[0], compiled[0].error().message);
    return *compiled[0];
}

/// Runs every construct by the routes that are chosen for it, and has each run checked that took place.
template <typename Routes, typename Check>
void run_constructs(std::uint64_t trials, const Routes& routes_for, const Check& check) {
    const auto gpu = gpu_or_skip();
    if (!gpu) {
        return;
    }
    for (const Construct& construct : constructs()) {
        const Litmus litmus = litmus_of(construct.text);
        const CompiledCase compiled = compile(*gpu, litmus);
        const std::vector<Route> routes = routes_for(litmus);
        for (const Route route : routes) {
            CAPTURE(construct.name);
            CAPTURE(std::string(name(route)));
            const RouteRun run = gpu->run(litmus, compiled, route, {.trials = trials});
            if (run.incident == Incident::not_supported) {
                MESSAGE(construct.name << " is not supported: " << run.incident_detail);
                continue;
            }
            CHECK_MESSAGE(run.incident == Incident::none, run.incident_detail);
            if (run.incident == Incident::none) {
                check(litmus, route, run);
            }
        }
    }
}

/// How many trials a condition matched.
inline std::uint64_t matching(const Tally& tally, const Condition& condition) {
    std::uint64_t count = 0;
    for (const auto& [text, times] : tally.outcomes) {
        if (matches(condition, *parse_outcome(text))) {
            count += times;
        }
    }
    return count;
}

} // namespace pdlcts
