// SPDX-License-Identifier: Apache-2.0
// What the repository publishes, it can stand for: results of real runs, from clean builds, that agree when repeated.
#include "conformance/litmus/printer.hpp"
#include "harness/catalogue/notes.hpp"
#include "reports/results/published_files.hpp"
#include "reports/results/results.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

Results read_results(const std::filesystem::path& path) {
    Result<Results> results = read_json(read_file(path), path.filename().string());
    REQUIRE_MESSAGE(results, (results ? "" : results.error().message));
    return *std::move(results);
}

std::map<std::string, Verdict> verdicts_of(const Results& results) {
    std::map<std::string, Verdict> verdicts;
    for (const Cell& cell : results.cells) {
        verdicts[cell.case_id + " on " + std::string(name(cell.form.route))] = judge(cell).verdict;
    }
    for (const NativeCell& cell : results.native) {
        verdicts[cell.case_id + " on native"] = judge(cell).verdict;
    }
    return verdicts;
}

/// The cells that the page beside repeated runs explains: `- case on route: why`, a line each.
std::set<std::string> explained(const std::filesystem::path& folder) {
    std::set<std::string> cells;
    std::ifstream lines(folder / "differences.md");
    for (std::string line; std::getline(lines, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("- ") && colon != std::string::npos && colon + 2 < line.size()) {
            cells.insert(line.substr(2, colon - 2));
        }
    }
    return cells;
}

const std::filesystem::path published = std::filesystem::path(PDLCTS_SOURCE_DIR) / "reports/published";

} // namespace

TEST_CASE("published results are those of real runs, complete, by a build of a clean work tree") {
    const auto files = json_files(published);
    REQUIRE(!files.empty());
    for (const auto& file : files) {
        CAPTURE(file.filename().string());
        const std::string text = read_file(file);
        CHECK(verify(text, file.filename().string()).empty());
        const Results results = read_results(file);
        CHECK(results.environment.gpu != "abstract machine");
        CHECK(results.environment.compute_capability >= 90);
        CHECK_FALSE(results.suite.dirty);
        CHECK(results.suite.git_hash.size() == 40);
        for (const Cell& cell : results.cells) {
            CHECK_FALSE(cell.thresholds.quick);
            CHECK((cell.incident == Incident::none || cell.incident == Incident::not_supported));
        }
    }
}

TEST_CASE("a published cell that is vacuous has a written note") {
    for (const auto& file : json_files(published)) {
        const Results results = read_results(file);
        for (const Cell& cell : results.cells) {
            CHECK_MESSAGE(
                (judge(cell).verdict != Verdict::vacuous || !note_of(cell.case_id, name(cell.form.route)).empty()),
                cell.case_id, " on ", name(cell.form.route));
        }
        for (const NativeCell& cell : results.native) {
            CHECK_MESSAGE((judge(cell).verdict != Verdict::vacuous || !note_of(cell.case_id, "native").empty()),
                          cell.case_id);
        }
    }
}

TEST_CASE("repeated runs give the same verdict in every cell, or a page beside them says why not") {
    bool repeated = false;
    for (const auto& file : json_files(published)) {
        CAPTURE(file.filename().string());
        const Results first = read_results(file);
        const auto repeats = json_files(published / file.stem());
        repeated = repeated || repeats.size() >= 4;
        std::set<std::string> differing;
        for (const auto& repeat : repeats) {
            CAPTURE(repeat.filename().string());
            CHECK(verify(read_file(repeat), repeat.filename().string()).empty());
            const Results again = read_results(repeat);
            CHECK(again.suite == first.suite);
            CHECK(again.environment.gpu_uuid_hash == first.environment.gpu_uuid_hash);
            CHECK(again.seed != first.seed);
            const auto before = verdicts_of(first);
            const auto after = verdicts_of(again);
            REQUIRE(before.size() == after.size());
            for (const auto& [cell, verdict] : before) {
                if (after.at(cell) != verdict) {
                    differing.insert(cell);
                }
            }
        }
        CHECK(differing == explained(published / file.stem()));
    }
    CHECK(repeated);
}
