// SPDX-License-Identifier: Apache-2.0
#include "reports/junit/junit.hpp"

#include "reports/gate/gate_testing.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

/// What junit_check.py prints of a file: a line a test case, `suite|class|name|outcome|message`. It reads with a parser
/// that is not ours, and complains of whatever JUnit's published schema does not allow.
std::vector<std::string> checked(const std::string& xml) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("pdlcts-junit-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "junit.xml", std::ios::binary) << xml;
    const std::string command = "python3 '" PDLCTS_SOURCE_DIR "/reports/junit/junit_check.py' '" +
                                (folder / "junit.xml").string() + "' > '" + (folder / "lines").string() + "'";
    const int status = std::system(command.c_str());
    std::vector<std::string> lines;
    std::ifstream stream(folder / "lines");
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    std::filesystem::remove_all(folder);
    CHECK(status == 0);
    return lines;
}

bool has(const std::vector<std::string>& lines, const std::string& part) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(part) != std::string::npos; });
}

} // namespace

TEST_CASE("JUnit XML has a suite a section, and green only where something was shown") {
    Results now = passing();
    const Results before = now;
    now.cells[0] = failing(now.cells[0]);
    now.cells[1] = with(Incident::crash, now.cells[1]);
    now.cells.push_back(named(never_cell(), "wait/recorded", "wait.no-prerequisite"));
    now.cells.back().basis = Basis::inferred;
    now.cells.push_back(named(vacuous(never_cell()), "wait/vacuous", "wait.no-prerequisite"));
    now.cells.push_back(with(Incident::not_supported, named(never_cell(), "mine", "")));
    now.native[0].probes[0].found = "cudaSuccess";
    Waiver waived = waiver();
    waived.case_pattern = "wait/vacuous";
    waived.verdict = Verdict::vacuous;
    Waiver expired = waiver();
    expired.expires = Date(std::chrono::year(2026), std::chrono::month(1), std::chrono::day(1));
    const auto lines = checked(junit_xml(now, gate_of(now, &before, {waived, expired}), small_ledger()));
    const std::vector<std::string> expected = {
        "gate|gate|waiver-expired 1|failure|",
        "trigger|trigger.allows-overlap|trigger.allows-overlap/hand-shake on stream|error|CRASH: the last line",
        "wait|wait.no-prerequisite|wait/recorded on stream|skipped|RECORDED: ",
        "wait|wait.no-prerequisite|wait/vacuous on stream|skipped|VACUOUS, and no baseline knows it",
        "visibility|visibility.after-wait|visibility.after-wait/post-trigger on stream|failure|FAIL: 3 of 2003 trials",
        "graph-capture|graph-capture.pss-edge|graph-capture.pss-edge/plain on captured|green|",
        "graph-query|graph-query.lossy|graph-query/get-edges-lossy on native|failure|FAIL: ",
        "patterns of no section|mine|mine on stream|skipped|NOT SUPPORTED, as a query said"};
    for (const std::string& line : expected) {
        CAPTURE(line);
        CHECK(has(lines, line));
    }
    CHECK(lines.size() == expected.size());
    CHECK(has(lines, "again: pdlcts run --on gpu --case visibility.after-wait/post-trigger --route stream"));
    CHECK(has(lines, "program: 3 times overlapped=1 seen=0, which is not allowed"));
    CHECK(has(lines, "control: 1990 times overlapped=1 seen=0"));
    CHECK(has(lines, "holds: edges, one annotated: cudaSuccess (listed: cudaErrorLossyQuery)"));
    CHECK(has(lines, "waived until 2027-05-31: known"));
}

TEST_CASE("a run that passes has one test of the whole, and no failure") {
    const Results results = passing();
    const auto lines = checked(junit_xml(results, gate_of(results), small_ledger()));
    CHECK(lines.size() == 5);
    CHECK(has(lines, "gate|gate|run, baseline and waivers|green|"));
    CHECK_FALSE(has(lines, "|failure|"));
    CHECK_FALSE(has(lines, "|error|"));
}

TEST_CASE("no string of a stranger's file breaks the XML") {
    Results results = passing();
    std::string all;
    for (int byte = 0; byte < 256; ++byte) {
        all += static_cast<char>(byte);
    }
    const std::string hostile = "]]></failure>&lt;&#0;<!--\"'" + all + "\xef\xbf\xbf\xed\xa0\x80\xf4\x90\x80\x80";
    results.cells[0] = failing(results.cells[0]);
    results.cells[0].case_id = hostile;
    results.cells[0].claim.never = "seen == 0";
    results.cells[0].form.program.tally.outcomes[hostile] = 7;
    results.cells[1] = with(Incident::crash, results.cells[1]);
    results.cells[1].incident_detail = hostile;
    results.cells[2].statement = hostile;
    results.native[0].probes[0].what = hostile;
    results.native[0].probes[0].found = hostile;
    results.environment.gpu = hostile;
    results.environment.kernel = hostile;
    results.started = hostile;
    Waiver broad = waiver();
    broad.case_pattern = hostile;
    broad.gpu = "*";
    broad.reason = hostile;
    const auto lines = checked(junit_xml(results, gate_of(results, nullptr, {broad}), small_ledger()));
    CHECK(lines.size() >= 5);
}

TEST_CASE("XML text holds what XML can hold, and says where it could not") {
    CHECK(xml_text("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
    CHECK(xml_text("1\n2\t3\r") == "1&#10;2&#9;3&#13;");
    CHECK(xml_text(std::string("\0\x01\x1f\x7f", 4)) == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\x7f");
    CHECK(xml_text("\xff\xc3\xa9\xef\xbf\xbe") == "\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd");
}
