// SPDX-License-Identifier: Apache-2.0
#include "reports/results/clean.hpp"
#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"
#include "reports/results/random_results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <random>

using namespace pdlcts;

using Random = std::mt19937;

TEST_CASE("what is written is read back, and written again the same") {
    Random random(5);
    for (int i = 0; i < 500; ++i) {
        const Results before = random_results(random);
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
        const Cell before = random_cell(random);
        const std::string written = write_json(before);
        CHECK(written.find('\n') == std::string::npos);
        const Result<Cell> after = read_cell_json(written, "cell");
        REQUIRE_MESSAGE(after, after.error().message);
        CHECK(*after == clean(before));
        const NativeCell native = random_native_cell(random);
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
