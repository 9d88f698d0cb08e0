// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate_report.hpp"
#include "reports/gate/gate_testing.hpp"
#include "reports/results/json.hpp"

#include <sstream>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// One that fails, one that is waived, one that improved, one waiver too many.
GateReport a_report() {
    static Results now = passing();
    static Results before = now;
    now.cells[0] = failing(passing().cells[0]);
    now.cells[1] = with(Incident::timeout, passing().cells[1]);
    before.cells[2] = failing(passing().cells[2]);
    Waiver unused = waiver();
    unused.case_pattern = "graph-query/get-edges-lossy";
    unused.line = 12;
    return gate_of(now, &before, {waiver(), unused});
}

} // namespace

TEST_CASE("the gate says what fails, what is waived, what improved, and how to run it again") {
    const std::string text = gate_text(a_report(), false);
    CHECK(lines_of(text)[0] == "gate shut: 1 cell fails, 1 complaint of a waiver, 2 cells pass, 1 cell is waived");
    CHECK(contains(text, "NVIDIA H200, driver 580.159.04, toolkit 13.0\nbaseline: NVIDIA H200"));
    CHECK(
        contains(text, "waiver-unused: waiver in line 12 (case graph-query/get-edges-lossy, FAIL): no cell needs it"));
    CHECK(contains(text, "\nFails\n  trigger.allows-overlap/hand-shake on stream\n      TIMEOUT: the last line\n"));
    CHECK(contains(text, "again: pdlcts run --on gpu --case trigger.allows-overlap/hand-shake --route stream\n"));
    CHECK(contains(text, "\nWaived\n  visibility.after-wait/post-trigger on stream\n      FAIL: 3 of 2003 trials"));
    CHECK(contains(text, "\nImproved against the baseline"));
    CHECK_FALSE(contains(text, "Every cell"));
    const std::string explained = gate_text(a_report(), true);
    CHECK(contains(explained, "  graph-query/get-edges-lossy on native: passes (holds): PASS\n"));
    CHECK(contains(explained,
                   "  trigger.allows-overlap/hand-shake on stream: fails (against): TIMEOUT: the last line\n"));
    const Results sound = passing();
    CHECK(lines_of(gate_text(gate_of(sound), false))[0] == "gate open: 4 cells pass");
}

TEST_CASE("a summary as Markdown names every cell where that is asked for, and fits a page") {
    const std::string page = gate_markdown(a_report(), true);
    CHECK(page.starts_with("## PDL conformance gate: shut: 1 cell fails"));
    CHECK(contains(page, "- **waiver-unused**: waiver in line 12"));
    CHECK(contains(page, "### Fails\n"));
    CHECK(contains(page, "### Every cell\n"));
    Results many = passing();
    const Cell one = failing(never_cell());
    for (int i = 0; i < 2500; ++i) {
        many.cells.push_back(one);
        many.cells.back().case_id = "visibility/" + std::string(200, 'x') + std::to_string(i);
    }
    const std::string large = gate_markdown(gate_of(many), true);
    CHECK(large.size() <= 1'048'576);
    CHECK(contains(large, " cells are left out, as a page may have 1 MiB."));
}

TEST_CASE("JSON has every cell, problem and waiver") {
    const GateReport report = a_report();
    const Json json = *parse_json(gate_json(report), "gate.json");
    CHECK(*json.find("open")->as<bool>() == false);
    CHECK(json.find("cells")->as<Json::List>()->size() == report.cells.size());
    CHECK(json.find("waivers")->as<Json::List>()->size() == 2);
    CHECK(*json.find("problems")->as<Json::List>()->at(0).find("waiver")->as<std::uint64_t>() == 1);
    CHECK(*json.find("failing")->as<std::uint64_t>() == 1);
}

TEST_CASE("annotations are GitHub's workflow commands, at most ten of a kind") {
    const auto lines = lines_of(gate_annotations(a_report(), "ci/waivers.toml"));
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].starts_with(
        "::error file=ci/waivers.toml,line=12,title=PDL conformance gate%3A waiver-unused::waiver"));
    CHECK(
        lines[1] ==
        "::error file=cases/trigger.allows-overlap/hand-shake.litmus,title=TIMEOUT%3A trigger.allows-overlap/hand-shake"
        " on stream::TIMEOUT: the last line. Again: pdlcts run --on gpu --case trigger.allows-overlap/hand-shake "
        "--route stream");
    CHECK(lines[2].starts_with("::notice file=cases/graph-capture.pss-edge/plain.litmus,title=PASS%3A "));
    Results many = passing();
    for (int i = 0; i < 30; ++i) {
        many.cells.push_back(failing(named(never_cell(), ("wait/x" + std::to_string(i)).c_str(), "wait.x")));
    }
    const auto cut = lines_of(gate_annotations(gate_of(many), ""));
    CHECK(cut.size() == 10);
    CHECK(cut.back() == "::error title=PDL conformance gate::21 more; the summary lists them all");
}

TEST_CASE("a stranger's strings end no command, no cell of a table and no shell word") {
    Results results = passing();
    results.cells[0] = failing(results.cells[0]);
    results.cells[0].case_id = "x\n::error::forged%0A,title=y'; rm -rf z; '|<b>\x1b[2J\xff";
    const GateReport report = gate_of(results);
    const auto lines = lines_of(gate_annotations(report, ""));
    REQUIRE(lines.size() == 1);
    CHECK(contains(lines[0], "file=cases/x %3A%3Aerror%3A%3Aforged%250A%2Ctitle=y"));
    CHECK_FALSE(contains(gate_markdown(report, true), "<b>"));
    CHECK_FALSE(contains(gate_text(report, true), "\x1b"));
    CHECK(parse_json(gate_json(report), "gate.json"));
    CHECK(reproduce_command({"a'b c", "stream"}) == "pdlcts run --on gpu --case 'a'\\''b c' --route stream");
    CHECK(reproduce_command({"graph-query/roundtrip", "native"}) == "pdlcts run --on gpu --case graph-query/roundtrip");
}
