// SPDX-License-Identifier: Apache-2.0
#include "reports/results/random_results.hpp"

#include "reports/results/example_results.hpp"

#include <limits>

namespace pdlcts {
namespace {

using Random = std::mt19937;

std::uint64_t number(Random& random, std::uint64_t largest) {
    return std::uniform_int_distribution<std::uint64_t>(0, largest)(random);
}

std::string text(Random& random) {
    constexpr const char* pieces[] = {
        "seen=0",    " ",    "\"",   "\\",           "\n",  "\xc3\xa9", "\xf0\x9f\x98\x80",
        "\xff",      "\x1b", "</x>", "\xed\xa0\x80", "|",   "\xe2\x82", "overlapped=1",
        "seen == 0", "\x7f", "~/",   "\xc0\xaf",     "/\t", "x"};
    std::string result;
    for (std::uint64_t i = number(random, 4); i > 0; --i) {
        result += pieces[number(random, std::size(pieces) - 1)];
    }
    return result;
}

std::vector<std::string> texts(Random& random) {
    std::vector<std::string> result(number(random, 3));
    for (std::string& each : result) {
        each = text(random);
    }
    return result;
}

Observation observation(Random& random) {
    Observation result;
    for (std::uint64_t i = number(random, 3); i > 0; --i) {
        result.tally.outcomes[text(random)] = number(random, 1'000'000'000);
    }
    result.tally.unwritten = number(random, 2);
    for (std::uint64_t i = number(random, 2); i > 0; --i) {
        Tally& varied = result.variations[text(random)];
        varied.outcomes[text(random)] = number(random, 1000);
        varied.unwritten = number(random, 2);
    }
    result.allowed = texts(random);
    result.decided = number(random, 1) == 1;
    result.structure = {texts(random), texts(random), number(random, 1) == 1, texts(random)};
    return result;
}

RunTime time(Random& random) {
    return {.seconds = static_cast<double>(number(random, 1'000'000'000)) / 7,
            .launch_seconds = static_cast<double>(number(random, 1'000'000'000)) / 9};
}

Form form(Random& random) {
    Form result;
    result.route = static_cast<Route>(number(random, 2));
    result.program = observation(random);
    for (std::uint64_t i = number(random, 2); i > 0; --i) {
        result.windows.push_back({text(random), number(random, 1000), number(random, 1000), {}, {}});
    }
    if (!result.windows.empty()) {
        result.windows.front().control = PollLatencies{number(random, 9), 2, 3, 4};
    }
    if (number(random, 1) == 1) {
        result.control = observation(random);
    }
    if (number(random, 1) == 1) {
        result.branches = static_cast<unsigned>(number(random, most_results_branches));
        result.time = time(random);
    }
    if (number(random, 1) == 1) {
        result.second_gpu = SecondGpu{text(random), number(random, 1) == 1};
    }
    if (number(random, 1) == 1) {
        result.instances = Instances{.launches = number(random, 1000),
                                     .blocks = static_cast<unsigned>(number(random, most_results_blocks)),
                                     .program = observation(random).tally,
                                     .control = std::nullopt,
                                     .time = time(random)};
        if (number(random, 1) == 1) {
            result.instances->control = observation(random).tally;
        }
    }
    return result;
}

std::optional<TrialPicture> trial_picture(Random& random) {
    const auto time = [&](std::int64_t from) { return from + static_cast<std::int64_t>(number(random, 9'000)); };
    const auto maybe = [&](std::int64_t value) { return number(random, 1) == 1 ? std::optional(value) : std::nullopt; };
    if (number(random, 3) == 0) {
        return std::nullopt;
    }
    TrialPicture result{number(random, 99), text(random), number(random, 1) == 1, time(-4'500), {}};
    for (std::uint64_t i = number(random, 3); i > 0; --i) {
        NodePicture& node = result.nodes.emplace_back();
        node = {text(random), number(random, 9'000) + 2, 2, time(-9'000), time(1), {}};
        const std::int64_t begin = time(-9'000);
        const std::int64_t entered = time(begin);
        const std::int64_t returned = time(entered);
        node.shown = {{0, 1, begin, maybe(entered), entered, returned, time(returned)},
                      {7, 2, begin, maybe(begin), {}, {}, entered}};
    }
    return result;
}

LatencyFigures latency_figures(Random& random) {
    const auto median = static_cast<std::int64_t>(number(random, 1000)) - 500;
    return {number(random, 100), median - static_cast<std::int64_t>(number(random, 100)), median, median};
}

void add_pictures(Random& random, Cell& cell) {
    if (number(random, 1) == 1) {
        cell.pictures = Pictures{
            100,          number(random, 100),   number(random, 1000), static_cast<PictureMeasure>(number(random, 1)),
            text(random), trial_picture(random), trial_picture(random)};
    }
    for (std::uint64_t i = number(random, 2); i > 0; --i) {
        Latency& latency = cell.latency.emplace_back();
        latency = {text(random), text(random), text(random), texts(random), latency_figures(random), {}};
        if (number(random, 1) == 1) {
            latency.wait_return = latency_figures(random);
        }
    }
}

Cell cell(Random& random, int depth = 0) {
    Cell result;
    add_pictures(random, result);
    result.case_id = text(random);
    result.statement = text(random);
    result.strength = static_cast<Strength>(number(random, 5));
    result.basis = static_cast<Basis>(number(random, 2));
    result.image = text(random);
    result.digest = text(random);
    result.claim = {text(random), text(random), number(random, 1) == 1, text(random)};
    result.thresholds = {number(random, 100), number(random, 10000), number(random, 1) == 1};
    result.form = form(random);
    if (number(random, 1) == 1) {
        result.other_form = form(random);
    }
    result.incident = static_cast<Incident>(number(random, 6));
    result.incident_detail = text(random);
    if (number(random, 1) == 1) {
        result.machine =
            MachineAnswer{static_cast<MachineAnswer::Kind>(number(random, 2)), text(random), texts(random)};
    }
    if (number(random, 1) == 1) {
        result.rounds = number(random, 1000);
        result.interference = text(random);
    }
    if (depth == 0 && number(random, 3) == 0) {
        result.tries = {cell(random, 1), cell(random, 1)};
    }
    return result;
}

NativeCell native_cell(Random& random) {
    NativeCell result;
    result.case_id = text(random);
    result.statement = text(random);
    result.strength = static_cast<Strength>(number(random, 5));
    result.basis = static_cast<Basis>(number(random, 2));
    result.digest = text(random);
    for (std::uint64_t i = number(random, 3); i > 0; --i) {
        result.probes.push_back({static_cast<ProbeKind>(number(random, 6)), text(random), texts(random), text(random)});
    }
    result.incident = static_cast<Incident>(number(random, 6));
    result.incident_detail = text(random);
    return result;
}

} // namespace

Cell random_cell(std::mt19937& random) {
    return cell(random);
}

NativeCell random_native_cell(std::mt19937& random) {
    return native_cell(random);
}

Results random_results(std::mt19937& random) {
    Results result = examples::results_of(examples::h200(), {});
    result.suite = {text(random), text(random), number(random, 1) == 1, text(random)};
    result.environment.gpu = text(random);
    result.environment.variables[text(random)] = text(random);
    if (number(random, 1) == 1) {
        result.environment.fault = text(random);
    }
    if (number(random, 1) == 1) {
        result.environment.gpu_state =
            GpuState{number(random, 9), number(random, 100), number(random, 9), 3, texts(random), texts(random)};
    }
    result.environment.tools = texts(random);
    result.seed = number(random, std::numeric_limits<std::uint64_t>::max());
    result.seconds = static_cast<double>(number(random, 1'000'000'000)) / 7;
    if (number(random, 1) == 1) {
        const std::uint64_t units = number(random, 100);
        result.compilation = {static_cast<double>(number(random, 1000)) / 7, units, number(random, units)};
    }
    for (std::uint64_t i = number(random, 3); i > 0; --i) {
        result.cells.push_back(cell(random));
    }
    for (std::uint64_t i = number(random, 2); i > 0; --i) {
        result.native.push_back(native_cell(random));
    }
    return result;
}

} // namespace pdlcts
