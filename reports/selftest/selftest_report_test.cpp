// SPDX-License-Identifier: Apache-2.0
#include "reports/selftest/selftest_report.hpp"

#include "harness/judge/example_cells.hpp"

#include <doctest/doctest.h>

#include <regex>

using namespace pdlcts;

namespace {

SeenMutant seen(std::map<std::string, std::uint64_t> program, std::map<std::string, std::uint64_t> control) {
    SeenMutant mutant;
    mutant.form.program.tally.outcomes = std::move(program);
    mutant.form.control.emplace().tally.outcomes = std::move(control);
    return mutant;
}

/// Two sound cells that PASS and are OBSERVED, one that is VACUOUS, and five mutants.
SelfTestReport example() {
    SelfTestReport report;
    report.mutants = {"drop-wait", "drop-fence", "impatient"};
    report.sound.suite = {"0.1.0", "0123456789ab", false, std::string(64, 'c')};
    report.sound.environment.gpu = "NVIDIA H200";
    report.sound.environment.driver_version = "580.159.04";
    report.sound.environment.runtime_version = 13000;
    report.sound.started = "2026-11-30T12:00:00Z";
    Cell vacuous = examples::never_cell();
    vacuous.case_id = "wait/never-armed";
    vacuous.form.program.tally.outcomes = {{"overlapped=0 seen=1", 2000}};
    Cell observed = examples::sometimes_cell();
    observed.case_id = "visibility/not-before-wait";
    observed.statement = "visibility.not-before-wait";
    observed.strength = Strength::permission;
    report.sound.cells = {examples::never_cell(), observed, vacuous};

    const SeenMutant fails = seen({{"overlapped=1 seen=0", 2000}}, {{"overlapped=1 seen=0", 2000}});
    const SeenMutant unarmed = seen({{"overlapped=0 seen=1", 2000}}, {{"overlapped=0 seen=1", 2000}});
    SeenMutant forgotten = seen({{"seen=0", 2000}}, {{"seen=0", 2000}});
    report.runs = {{"drop-wait", 0, "", fails},
                   {"drop-fence", 0, "the specification allows the same outcomes", {}},
                   {"impatient", 0, "", unarmed},
                   {"drop-wait", 1, "", forgotten}};
    return report;
}

std::string replaced(const std::string& text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return std::string(text).replace(at, what.size(), by);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a file of the self-test is read as it was written, and holds") {
    const SelfTestReport report = example();
    const std::string text = write_json(report);
    CHECK(is_selftest_file(text));
    CHECK(!is_selftest_file(write_json(report.sound)));
    const Result<SelfTestReport> read = read_selftest_json(text, "selftest.json");
    REQUIRE_MESSAGE(read, (read ? "" : read.error().message));
    CHECK(*read == report);
    const std::vector<std::string> differences = verify_selftest(text, "selftest.json");
    CHECK_MESSAGE(differences.empty(), (differences.empty() ? "" : differences.front()));
}

TEST_CASE("what was changed after the run is noticed") {
    const std::string text = write_json(example());
    const auto differs = [](const std::string& changed) { return !verify_selftest(changed, "forged.json").empty(); };
    CHECK(differs(replaced(text, "\"fate\": \"noticed\"", "\"fate\": \"survived\"")));
    CHECK(differs(replaced(text, "\"verdict\": \"FAIL\"", "\"verdict\": \"PASS\"")));
    CHECK(differs(replaced(text, "allows the same outcomes", "allows what it allows")));
    const std::size_t runs = text.find("\"runs\"");
    CHECK(differs(text.substr(0, runs) + replaced(text.substr(runs), "2000", "2001")));
    CHECK(differs(replaced(text, "\"driver_version\": \"580.159.04\"", "\"driver_version\": \"590\"")));
    SelfTestReport twice = example();
    twice.runs.push_back(twice.runs.front());
    CHECK(differs(write_json(twice)));
    SelfTestReport of_vacuous = example();
    of_vacuous.runs.front().cell = 2;
    CHECK(differs(write_json(of_vacuous)));
}

TEST_CASE("a malformed file is refused with its place") {
    const std::string text = write_json(example());
    const auto error = [](const std::string& changed) {
        const Result<SelfTestReport> read = read_selftest_json(changed, "bad.json");
        return read ? std::string() : read.error().message;
    };
    CHECK(error(replaced(text, "\"selftest_schema\": 1", "\"selftest_schema\": 2"))
              .starts_with("bad.json: /selftest_schema: "));
    CHECK(contains(error(std::regex_replace(text, std::regex("\"drop-fence\""), "\"drop-dead\"")), "no mutant"));
    CHECK(contains(error(replaced(text, "\"cell\": 0", "\"cell\": 3")), "bad.json: /runs/0/cell"));
    CHECK(contains(error("{}"), "selftest_schema"));
    CHECK(contains(error("[]"), "expected an object"));
    CHECK(!error(replaced(text, "\"seed\": 0", "\"seed\": \"\"")).empty());
}

TEST_CASE("the self-test holds where everything was noticed, and something was") {
    SelfTestReport report = example();
    const SelfTestTotals all = totals(report);
    // The second cell's forgotten mutant was seen no more.
    CHECK(all.of(Fate::noticed) == 3);
    CHECK(all.of(Fate::equivalent) == 1);
    CHECK(all.sound_cells == 2);
    CHECK(all.other_cells == 1);
    CHECK(holds(report));
    SelfTestReport nothing = report;
    nothing.runs = {report.runs[1]};
    CHECK(!holds(nothing));
    SelfTestReport survived = report;
    survived.runs[0].seen = seen({{"overlapped=1 seen=1", 2000}}, {{"overlapped=1 seen=0", 2000}});
    CHECK(totals(survived).of(Fate::survived) == 1);
    CHECK(!holds(survived));
    SelfTestReport failing = report;
    failing.sound.cells[2].form.program.tally.outcomes = {{"overlapped=1 seen=0", 1}};
    CHECK(!holds(failing));
}

TEST_CASE("the table names what is not noticed") {
    SelfTestReport report = example();
    const std::string text = selftest_text(report);
    CHECK(contains(text, "NVIDIA H200, driver 580.159.04, CUDA 13.0"));
    CHECK(contains(text, "visibility.after-wait/post-trigger-writes  F  =  V\n"));
    CHECK(contains(text, "visibility/not-before-wait                 N  .  .\n"));
    CHECK(contains(text, "wait/never-armed on stream: VACUOUS, not armed"));
    CHECK(!contains(text, "Survived"));
    CHECK(contains(selftest_markdown(report), "| F | = | V |\n"));
    report.runs[0].seen = seen({{"overlapped=1 seen=1", 2000}}, {{"overlapped=1 seen=0", 2000}});
    CHECK(contains(selftest_text(report),
                   "Survived: the suite did not notice\n"
                   "  drop-wait in visibility.after-wait/post-trigger-writes on stream: PASS\n"));
}
