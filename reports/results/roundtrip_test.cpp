// SPDX-License-Identifier: Apache-2.0
#include "reports/results/clean.hpp"
#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace pdlcts;

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

Cell cell(Random& random) {
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

Results results(Random& random) {
    Results result = examples::results_of(examples::h200(), {});
    result.suite = {text(random), text(random), number(random, 1) == 1, text(random)};
    result.environment.gpu = text(random);
    result.environment.variables[text(random)] = text(random);
    if (number(random, 1) == 1) {
        result.environment.fault = text(random);
    }
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

} // namespace

TEST_CASE("what is written is read back, and written again the same") {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const Results before = results(random);
        const std::string written = write_json(before);
        const Result<Results> after = read_json(written, "r.json");
        REQUIRE_MESSAGE(after, after.error().message);
        CHECK(*after == clean(before));
        CHECK(write_json(*after) == written);
    }
}

TEST_CASE("a cell by itself is one line, and read back as it was") {
    Random random(6);
    for (int i = 0; i < 200; ++i) {
        const Cell before = cell(random);
        const std::string written = write_json(before);
        CHECK(written.find('\n') == std::string::npos);
        const Result<Cell> after = read_cell_json(written, "cell");
        REQUIRE_MESSAGE(after, after.error().message);
        CHECK(*after == clean(before));
        const NativeCell native = native_cell(random);
        const Result<NativeCell> again = read_native_cell_json(write_json(native), "cell");
        REQUIRE_MESSAGE(again, again.error().message);
        CHECK(*again == clean(native));
    }
    CHECK(read_cell_json("{}", "cell").error().message == "cell: /: the key \"case\" is missing");
    CHECK(!read_native_cell_json(write_json(Cell{}), "cell"));
}

TEST_CASE("sound results need no cleaning") {
    const Results results = examples::one_of_each();
    CHECK(clean(results) == results);
    CHECK(*read_json(write_json(results), "r.json") == results);
    CHECK(*read_json(write_json(Results{}), "r.json") == Results{});
}

TEST_CASE("a results file has a line for each cell and each field of its head, and reads the same in any layout") {
    const Results results = examples::one_of_each();
    const std::string written = write_json(results);
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < written.size(); at = written.find('\n', at) + 1) {
        lines.push_back(written.substr(at, written.find('\n', at) - at));
    }
    const auto beginning = [&](std::string_view text) {
        return std::count_if(lines.begin(), lines.end(), [&](const auto& line) { return line.starts_with(text); });
    };
    CHECK(lines.front() == "{");
    CHECK(lines[1] == " \"schema\": 1,");
    CHECK(lines.back() == "}");
    CHECK(beginning("  \"driver_version\": \"580.159.04\",") == 1);
    CHECK(beginning("  {\"case\":") == static_cast<std::ptrdiff_t>(results.cells.size() + results.native.size()));
    CHECK(lines.size() < 60);
    for (const std::string& line : lines) {
        if (line.starts_with("  {")) {
            const std::string value = line.substr(2, line.size() - (line.ends_with(",") ? 3 : 2));
            CHECK(parse_json(value, "cell"));
        }
    }
    for (const JsonLayout layout : {JsonLayout::compact, JsonLayout::indented}) {
        const std::string other = print(*parse_json(written, "r.json"), layout);
        CHECK(*read_json(other, "r.json") == results);
        CHECK(verify(other, "r.json", examples::small_ledger()).empty());
    }
}

TEST_CASE("cleaning keeps what is UTF-8 and replaces what is not") {
    CHECK(clean_text("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf") ==
          "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf");
    const std::string replacement = "\xef\xbf\xbd";
    CHECK(clean_text("\xff") == replacement);
    CHECK(clean_text("\xe2\x82") == replacement + replacement);                   // cut short
    CHECK(clean_text("\xc0\xaf") == replacement + replacement);                   // overlong
    CHECK(clean_text("\xed\xa0\x80") == replacement + replacement + replacement); // surrogate
    CHECK(clean_text("\xf4\x90\x80\x80").size() == 4 * replacement.size());       // beyond U+10FFFF
    CHECK(clean_text(std::string(largest_results_string + 5, 'x')).size() == largest_results_string);
    const std::string cut = clean_text(std::string(largest_results_string - 1, 'x') + "\xc3\xa9");
    CHECK(cut.size() == largest_results_string - 1);
}

TEST_CASE("a compiler's log as incident is written so that it can be read, and holds") {
    Results results = examples::one_of_each();
    results.cells[0].incident = Incident::harness_error;
    results.cells[0].incident_detail = std::string(200'000, 'x') + "\xff";
    results.seconds = std::numeric_limits<double>::quiet_NaN();
    results.compilation->seconds = std::numeric_limits<double>::infinity();
    const std::string written = write_json(results);
    CHECK(read_json(written, "r.json"));
    CHECK(verify(written, "r.json", examples::small_ledger()).empty());
}
