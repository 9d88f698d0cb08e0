// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/benchmarks/bare_loop.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/parser.hpp"
#include "harness/gpu/branches.hpp"
#include "harness/gpu/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

/// What the suite's trials cost beside a bare loop over the same two kernels, and how many controls they kill a second.
/// Prints Markdown.
namespace pdlcts {
namespace {

constexpr int repetitions = 7;
constexpr double goal_of_cost = 1.1;
constexpr double goal_of_kills = 1e6;

/// cases/visibility/post-trigger-writes.litmus, which bare_loop.cpp has by hand.
constexpr const char* hand_shake = R"(memory  x = 0, started = 0
grid primary <<<1, 32>>>
  thread 0:
      trigger
      await started == 1 -> overlapped within 50us
      delay 500ns
      st.weak x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
      st.relaxed.sys started, 1
-     wait
      ld.weak x -> seen
never   seen == 0
armed   overlapped == 1
)";

/// A run of the suite's: pairs of trials, or of instances.
struct Sample {
    double trial = 0;  ///< seconds of a trial's launches; of a launch, where it has instances
    double whole = 0;  ///< seconds of a trial, everything counted
    double killed = 0; ///< controls a second of launches
    double killed_whole = 0;
};

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double median_of(const std::vector<Sample>& samples, double Sample::*field) {
    std::vector<double> values;
    values.reserve(samples.size());
    for (const Sample& sample : samples) {
        values.push_back(sample.*field);
    }
    return median(std::move(values));
}

struct Bench {
    Gpu& gpu;
    Litmus litmus;
    CompiledCase compiled;
    std::uint64_t seed = 1;

    Sample run(Route route, TrialOptions options) {
        options.seed = seed++;
        const RouteRun run = gpu.run(litmus, compiled, route, options);
        if (run.incident != Incident::none) {
            throw std::runtime_error("a run failed: " + run.incident_detail);
        }
        const Condition killed = *parse_condition("overlapped == 1 && seen == 0");
        std::uint64_t kills = 0;
        for (const auto& [outcome, count] : run.form.control->tally.outcomes) {
            kills += matches(killed, *parse_outcome(outcome)) ? count : 0;
        }
        for (const auto& [outcome, count] : run.form.program.tally.outcomes) {
            if (matches(*parse_condition("seen == 0"), *parse_outcome(outcome))) {
                throw std::runtime_error("the program read too early, " + outcome);
            }
        }
        const auto trials = static_cast<double>(2 * options.trials);
        const auto [seconds, launch_seconds] = *run.form.time;
        const auto count = static_cast<double>(kills);
        return {launch_seconds / trials, seconds / trials, count / launch_seconds, count / seconds};
    }
};

/// One line of the table of costs: the two sides are measured in turn.
void compare(const std::string& name, const std::function<double()>& bare, const std::function<Sample()>& suite,
             bool judged) {
    std::vector<double> bare_seconds;
    std::vector<Sample> samples;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        bare_seconds.push_back(bare());
        samples.push_back(suite());
    }
    const double cost = median(bare_seconds);
    const double trial = median_of(samples, &Sample::trial);
    fmt::print("| {} | {:.3f} | {:.3f} | {:.2f}{} | {:.3f} |\n", name, cost * 1e6, trial * 1e6, trial / cost,
               judged && trial / cost > goal_of_cost ? " (too much)" : "", median_of(samples, &Sample::whole) * 1e6);
    static_cast<void>(std::fflush(stdout));
}

void count_kills(const std::string& name, const std::function<Sample()>& suite, bool judged) {
    std::vector<Sample> samples;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        samples.push_back(suite());
    }
    const double killed = median_of(samples, &Sample::killed);
    fmt::print("| {} | {:.0f}{} | {:.0f} |\n", name, killed, judged && killed < goal_of_kills ? " (too few)" : "",
               median_of(samples, &Sample::killed_whole));
    static_cast<void>(std::fflush(stdout));
}

TrialOptions plain(std::uint64_t trials, unsigned branches) {
    TrialOptions options;
    options.trials = trials;
    options.branches = branches;
    options.calibration = false;
    options.jitter = false;
    return options;
}

void run_benchmark(Gpu& gpu) {
    const Litmus litmus = *parse_litmus(hand_shake, "hand-shake.litmus");
    const auto compiled = gpu.compile({&litmus});
    if (!compiled.front()) {
        throw std::runtime_error(compiled.front().error().message);
    }
    Bench bench{gpu, litmus, *compiled.front()};
    BareLoop bare;
    const Environment& environment = gpu.environment();
    fmt::print("{}, driver {}, CUDA {}; medians of {} repetitions, bare loop and suite in turn\n\n", environment.gpu,
               environment.driver_version, environment.nvrtc_version, repetitions);

    constexpr std::uint64_t on_stream = 4000;
    constexpr std::uint64_t one_branch = 10'000;
    constexpr std::uint64_t many_branches = 100'000;
    constexpr std::uint64_t in_graph = 400;
    constexpr unsigned launches = 20;
    static_cast<void>(bench.run(Route::stream, plain(100, 1)));
    static_cast<void>(bare.on_stream(100));
    if (bare.stale() == 0) {
        throw std::runtime_error("the bare loop shows no race");
    }
    const auto bare_stream = [&] { return bare.on_stream(on_stream) / (2 * on_stream); };
    const auto bare_graph = [&](unsigned branches) {
        return [&bare, branches] { return bare.captured(in_graph, branches, launches) / (2 * in_graph * launches); };
    };
    fmt::print("| route | bare loop, us a trial | suite, us a trial | ratio | suite, everything counted |\n"
               "|---|--:|--:|--:|--:|\n");
    compare(
        "stream", bare_stream, [&] { return bench.run(Route::stream, plain(on_stream, 0)); }, true);
    compare(
        "stream, one branch", bare_stream, [&] { return bench.run(Route::stream, plain(on_stream, 1)); }, false);
    compare(
        "stream, as `pdlcts run` does it", bare_stream,
        [&] {
            TrialOptions options;
            options.trials = on_stream;
            return bench.run(Route::stream, options);
        },
        false);
    compare(
        "captured", bare_graph(most_branches), [&] { return bench.run(Route::captured, plain(many_branches, 0)); },
        true);
    compare(
        "captured, one branch", bare_graph(1), [&] { return bench.run(Route::captured, plain(one_branch, 1)); }, true);
    compare(
        "captured, as `pdlcts run` does it", bare_graph(most_branches),
        [&] {
            TrialOptions options;
            options.trials = many_branches;
            return bench.run(Route::captured, options);
        },
        false);

    fmt::print("\n| killed controls a second | of launches | everything counted |\n|---|--:|--:|\n");
    count_kills(
        "stream", [&] { return bench.run(Route::stream, plain(on_stream, 0)); }, false);
    for (const unsigned branches : {1u, 2u, 4u, 8u, most_branches}) {
        count_kills(
            fmt::format("captured, {} branches", branches),
            [&, branches] {
                return bench.run(Route::captured, plain(branches < 4 ? one_branch : many_branches, branches));
            },
            branches == most_branches);
    }
    for (const unsigned instances : {16u, 64u, most_instances}) {
        count_kills(
            fmt::format("captured, by instances, {} a launch", instances),
            [&, instances] {
                TrialOptions options = plain(128, 0);
                options.instances = instances;
                return bench.run(Route::captured, options);
            },
            false);
    }
}

int run_benchmark() {
    auto opened = open_gpu(0);
    if (const auto* unavailable = std::get_if<GpuUnavailable>(&opened)) {
        fmt::print(stderr, "no usable GPU: {}\n", unavailable->message);
        return 1;
    }
    run_benchmark(*std::get<std::unique_ptr<Gpu>>(opened));
    return 0;
}

} // namespace
} // namespace pdlcts

int main() {
    try {
        return pdlcts::run_benchmark();
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
