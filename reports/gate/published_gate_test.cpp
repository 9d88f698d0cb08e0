// SPDX-License-Identifier: Apache-2.0
// What the repository publishes passes its own gate, by waivers of which each is needed and leads to its finding.
#include "reports/gate/gate_testing.hpp"
#include "reports/results/published_files.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

const std::filesystem::path source = PDLCTS_SOURCE_DIR;
const std::filesystem::path published = source / "reports/published";

} // namespace

TEST_CASE("every published run passes the gate with the published waivers, and with none less") {
    const auto waivers = read_waivers(read_file(published / "waivers.toml"), "waivers.toml");
    REQUIRE_MESSAGE(waivers, (waivers ? "" : waivers.error().message));
    for (const Waiver& one : *waivers) {
        const std::string file = one.link.substr(0, one.link.find('#'));
        CHECK_MESSAGE((one.link.starts_with("https://") || std::filesystem::exists(source / file)), one.link);
    }
    std::size_t gated = 0;
    for (const auto& path : json_files(published)) {
        const auto baseline = read_json(read_file(path), path.filename().string());
        REQUIRE(baseline);
        auto runs = json_files(published / path.stem());
        runs.push_back(path);
        for (const auto& run : runs) {
            CAPTURE(run.string());
            const auto results = read_json(read_file(run), run.filename().string());
            REQUIRE(results);
            const GateReport report = gate_of(*results, &*baseline, *waivers);
            CHECK(report.open());
            for (const CellDecision& cell : report.cells) {
                CHECK_MESSAGE(cell.disposition != Disposition::fails, print(cell.cell.key), ": ", cell.why);
            }
            for (const GateProblem& problem : report.problems) {
                CHECK_MESSAGE(false, problem.what);
            }
            for (std::size_t i = 0; run == path && i < waivers->size(); ++i) {
                auto fewer = *waivers;
                fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
                const bool used = std::any_of(report.cells.begin(), report.cells.end(),
                                              [&](const CellDecision& cell) { return cell.waiver == i; });
                CHECK(gate_of(*results, &*baseline, fewer).open() == !used);
            }
            ++gated;
        }
    }
    CHECK(gated >= 5);
}
