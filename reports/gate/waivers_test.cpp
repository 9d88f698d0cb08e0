// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate_testing.hpp"

#include <string>

using namespace pdlcts;
using namespace pdlcts::examples;
using Rules = std::vector<GateProblemRule>;

namespace {

Results with_a_fail() {
    Results results = passing();
    results.cells[0] = failing(results.cells[0]);
    return results;
}

GateReport waived(const Results& results, void (*change)(Waiver&), bool partial = false) {
    Waiver one = waiver();
    change(one);
    return gate_of(results, nullptr, {one}, {.partial = partial});
}

Date day(int year, unsigned month, unsigned day) {
    return Date(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day));
}

const std::string sound_file = R"([[waiver]]
case    = "attribute/nonzero-enables"
routes  = ["native", "stream"]
gpu     = "NVIDIA H200"
driver  = "580.*"
verdict = "DEVICE ERROR"
reason  = "known"
link    = "https://bugs.example/1"
expires = 2027-05-31
)";

std::string replaced(std::string text, const std::string& part, const std::string& by) {
    const std::size_t at = text.find(part);
    REQUIRE(at != std::string::npos);
    return text.replace(at, part.size(), by);
}

} // namespace

TEST_CASE("a waiver lets what it names pass, and the verdict stays what it is") {
    const GateReport report = gate_of(with_a_fail(), nullptr, {waiver()});
    CHECK(report.open());
    const CellDecision& decision = decision_on(report, never_id);
    CHECK(decision.disposition == Disposition::waived);
    CHECK(decision.verdict == Verdict::fail);
    CHECK(decision.waiver == std::size_t{0});
    CHECK(decision.why.find("waived until 2027-05-31: known (https://bugs.example/1)") != std::string::npos);
    CHECK(report.count(Disposition::waived) == 1);
    // By its statement, by a pattern, and by its route.
    CHECK(waived(with_a_fail(), [](Waiver& one) {
              one.case_pattern = "";
              one.statement_pattern = "visibility.after-wait";
          }).open());
    CHECK(waived(with_a_fail(), [](Waiver& one) { one.case_pattern = "visibility*/post-trigge?"; }).open());
    CHECK(waived(with_a_fail(), [](Waiver& one) { one.routes = {"stream"}; }).open());
    CHECK(waived(with_a_fail(), [](Waiver& one) { one.driver = "580.159.04"; }).open());
}

TEST_CASE("a waiver of another verdict, route, GPU or driver does not cover") {
    CHECK(rules(waived(with_a_fail(), [](Waiver& one) { one.verdict = Verdict::timeout; })) ==
          Rules{GateProblemRule::waiver_unused});
    CHECK(rules(waived(with_a_fail(), [](Waiver& one) { one.routes = {"captured"}; })) ==
          Rules{GateProblemRule::waiver_unused});
    // What is for another machine is no matter of this run, and covers nothing in it.
    for (const auto change : {+[](Waiver& one) { one.gpu = "NVIDIA B200"; }, +[](Waiver& one) { one.driver = "590.*"; },
                              +[](Waiver& one) { one.driver = "580.159.05"; }}) {
        const GateReport report = waived(with_a_fail(), change);
        CHECK(report.problems.empty());
        CHECK(report.count(Disposition::fails) == 1);
        CHECK_FALSE(report.open());
    }
}

TEST_CASE("an expired waiver shuts the gate and covers nothing, whatever machine it is for") {
    // The last day counts.
    CHECK(waived(with_a_fail(), [](Waiver& one) { one.expires = day(2026, 11, 30); }).open());
    const GateReport report = waived(with_a_fail(), [](Waiver& one) { one.expires = day(2026, 11, 29); });
    CHECK(rules(report) == Rules{GateProblemRule::waiver_expired});
    CHECK(report.count(Disposition::fails) == 1);
    CHECK(rules(waived(passing(), [](Waiver& one) {
              one.expires = day(2026, 11, 29);
              one.gpu = "NVIDIA B200";
          })) == Rules{GateProblemRule::waiver_expired});
}

TEST_CASE("an unused waiver shuts the gate") {
    CHECK(rules(gate_of(passing(), nullptr, {waiver()})) == Rules{GateProblemRule::waiver_unused});
    const auto elsewhere = [](Waiver& one) { one.case_pattern = "visibility.after-wait/no-such-case"; };
    CHECK(rules(waived(passing(), elsewhere)) == Rules{GateProblemRule::waiver_unused});
    // Of a run of selected cases nobody can say that what is not there needs none.
    Results selected = passing();
    selected.every_case = false;
    CHECK(waived(selected, elsewhere, true).open());
    CHECK_FALSE(waived(
                    selected, [](Waiver&) {}, true)
                    .open());
}

TEST_CASE("an over-broad waiver shuts the gate and covers nothing") {
    const auto is_broad = [](void (*change)(Waiver&)) {
        const GateReport report = waived(with_a_fail(), change);
        CHECK(report.count(Disposition::fails) == 1);
        return rules(report) == Rules{GateProblemRule::waiver_over_broad};
    };
    CHECK(is_broad([](Waiver& one) { one.case_pattern = "*"; }));
    CHECK(is_broad([](Waiver& one) { one.case_pattern = "*/*"; }));
    CHECK(is_broad([](Waiver& one) { one.gpu = "*"; }));
    CHECK(is_broad([](Waiver& one) { one.driver = "5*"; }));
    CHECK(is_broad([](Waiver& one) { one.driver = "580*"; }));
    CHECK(is_broad([](Waiver& one) { one.expires = day(2027, 12, 2); }));
    CHECK(waived(with_a_fail(), [](Waiver& one) { one.expires = day(2027, 12, 1); }).open());
    // More than one statement, though each cell would need it.
    Results two = with_a_fail();
    two.cells.push_back(failing(named(never_cell(), "visibility.after-wait/other", "visibility.other")));
    const GateReport of_two = gate_of(two, nullptr, {[] {
                                          Waiver one = waiver();
                                          one.case_pattern = "visibility.after-wait/*";
                                          return one;
                                      }()});
    CHECK(rules(of_two) == Rules{GateProblemRule::waiver_over_broad});
    // A cell of the same statement that does not need it.
    two.cells.back() = named(never_cell(), "visibility.after-wait/other", "visibility.after-wait");
    CHECK(rules(gate_of(two, nullptr, {[] {
                            Waiver one = waiver();
                            one.case_pattern = "visibility.after-wait/*";
                            return one;
                        }()})) == Rules{GateProblemRule::waiver_over_broad});
    // Two for one cell.
    CHECK(rules(gate_of(with_a_fail(), nullptr, {waiver(), waiver()})) == Rules{GateProblemRule::waiver_over_broad});
}

TEST_CASE("an intermittent waiver may find nothing to waive, and names exactly one cell") {
    const auto intermittent = [](Waiver& one) { one.intermittent = true; };
    CHECK(waived(with_a_fail(), intermittent).open());
    CHECK(waived(passing(), intermittent).open());
    CHECK(rules(waived(passing(), [](Waiver& one) {
              one.intermittent = true;
              one.case_pattern = "visibility.after-wait/gone";
          })) == Rules{GateProblemRule::waiver_unused});
    Results two = with_a_fail();
    two.cells.push_back(two.cells[0]);
    two.cells.back().form.route = Route::captured;
    CHECK(rules(waived(two, intermittent)) == Rules{GateProblemRule::waiver_over_broad});
}

TEST_CASE("VACUOUS, a cell that is gone and other losses can be waived by name") {
    Results before = passing();
    Results now = before;
    now.cells[0] = vacuous(now.cells[0]);
    Waiver one = waiver();
    one.verdict = Verdict::vacuous;
    CHECK(gate_of(now, &before, {one}).open());
    CHECK(gate_of(now, nullptr, {one}).open());
    now.cells.erase(now.cells.begin());
    one.verdict = Verdict::missing;
    CHECK(gate_of(now, &before, {one}).open());
    // What the baseline excuses needs no waiver.
    now = before = passing();
    now.cells[0] = before.cells[0] = vacuous(now.cells[0]);
    one.verdict = Verdict::vacuous;
    CHECK(rules(gate_of(now, &before, {one})) == Rules{GateProblemRule::waiver_unused});
}

TEST_CASE("the abstract machine's answers and what is wrong with a run cannot be waived") {
    for (const Verdict verdict :
         {Verdict::pass, Verdict::observed, Verdict::proved, Verdict::refuted, Verdict::not_decided}) {
        CHECK_FALSE(can_be_waived(verdict));
    }
    Results machine = results_of(abstract_machine(), {machine_cell(MachineAnswer::Kind::refuted, "a trace")});
    Waiver one = waiver();
    one.case_pattern = machine.cells[0].case_id;
    one.gpu = "abstract machine";
    one.verdict = Verdict::refuted; // no file can say so; a caller could
    one.driver = "*";
    CHECK(gate_of(machine, nullptr, {one}).count(Disposition::fails) == 1);
}

TEST_CASE("a waiver file is read, every key of it") {
    const auto read = read_waivers(
        sound_file + "intermittent = true\n" +
            replaced(sound_file, "case    = \"attribute/nonzero-enables\"", "statement = \"attr.pss.nonzero-enables\""),
        "w.toml");
    REQUIRE_MESSAGE(read, (read ? "" : read.error().message));
    REQUIRE(read->size() == 2);
    const Waiver& first = (*read)[0];
    CHECK(first.case_pattern == "attribute/nonzero-enables");
    CHECK(first.statement_pattern.empty());
    CHECK(first.routes == std::vector<std::string>{"native", "stream"});
    CHECK(first.gpu == "NVIDIA H200");
    CHECK(first.driver == "580.*");
    CHECK(first.verdict == Verdict::device_error);
    CHECK(first.reason == "known");
    CHECK(first.link == "https://bugs.example/1");
    CHECK(print(first.expires) == "2027-05-31");
    CHECK(first.intermittent);
    CHECK(first.line == 1);
    CHECK((*read)[1].case_pattern.empty());
    CHECK((*read)[1].statement_pattern == "attr.pss.nonzero-enables");
    CHECK((*read)[1].line == 11);
    CHECK_FALSE((*read)[1].intermittent);
    CHECK(read_waivers("# none\n", "w.toml")->empty());
}

TEST_CASE("what is wrong with a waiver file is said with its place") {
    struct FileRow {
        std::string text;
        const char* message;
    };
    const auto without = [](const std::string& line) { return replaced(sound_file, line, ""); };
    const FileRow file_rows[] = {
        {"[[waiver]\n", "w.toml:1:"},
        {"[!]\n", "w.toml:1:2: this is not TOML"}, // trips an assertion of toml++ 3.3
        {"[[waver]]\n", "w.toml:1:1: expected tables [[waiver]], and nothing else, found \"waver\""},
        {"waiver = 3\n", "expected tables [[waiver]], and nothing else"},
        {"waiver = [3]\n", "w.toml:1: expected tables [[waiver]]"},
        {"x = n\x1b[2J\n", "this is not TOML: Error while parsing floating-point: expected 'nan', saw 'n"}, // echoed
        {"# caf\xc3\xa9\n", "w.toml:1:6: this is not ASCII"},
        {"# " + std::string(3000, 'x'), "w.toml:1: a line of more than 2000 characters"},
        {std::string(largest_waiver_file + 1, '\n'), "w.toml: 1048577 bytes, at most 1048576"},
        {sound_file + "owner = 3\n", "w.toml:10:9: unknown key \"owner\" in a waiver"},
        {sound_file + "statement = \"x\"\n", "w.toml:1:1: a waiver names its cells by `case` or by `statement`"},
        {without("case    = \"attribute/nonzero-enables\""), "by `case` or by `statement`, one of the two"},
        {without("gpu     = \"NVIDIA H200\""), "w.toml:1:1: a waiver without `gpu`"},
        {without("driver  = \"580.*\""), "a waiver without `driver`"},
        {without("verdict = \"DEVICE ERROR\""), "a waiver without `verdict`"},
        {without("reason  = \"known\""), "a waiver without `reason`"},
        {without("link    = \"https://bugs.example/1\""), "a waiver without `link`"},
        {without("expires = 2027-05-31"), "a waiver without `expires`"},
        {replaced(sound_file, "\"known\"", "\"\""), "w.toml:7:11: `reason` is empty"},
        {replaced(sound_file, "\"known\"", "7"), "w.toml:7:11: expected `reason`, a string"},
        {replaced(sound_file, "\"580.*\"", "\"" + std::string(201, 'x') + "\""),
         "`driver` has 201 characters, at most"},
        {replaced(sound_file, "\"stream\"", "\"streams\""), "w.toml:3:22: unknown route \"streams\""},
        {replaced(sound_file, "\"stream\"", "\"native\""), "the route \"native\" twice"},
        {replaced(sound_file, "[\"native\", \"stream\"]", "[]"), "a list of at least one route"},
        {replaced(sound_file, "DEVICE ERROR", "PASS"), "expected one of FAIL, UNEXPLAINED, TIMEOUT"},
        {replaced(sound_file, "DEVICE ERROR", "REFUTED"), "found \"REFUTED\""},
        {replaced(sound_file, "2027-05-31", "\"2027-05-31\""), "w.toml:9:11: expected `expires`, a date"},
        {replaced(sound_file, "2027-05-31", "2027-02-30"), "w.toml:9:"},
        {sound_file + "intermittent = 1\n", "expected `intermittent`, true or false"},
    };
    for (const FileRow& row : file_rows) {
        CAPTURE(row.text.substr(0, 400));
        const auto read = read_waivers(row.text, "w.toml");
        REQUIRE_FALSE(read);
        CAPTURE(read.error().message);
        CHECK(read.error().message.starts_with("w.toml:"));
        CHECK(std::none_of(read.error().message.begin(), read.error().message.end(), [](char c) { return c < ' '; }));
        CHECK(read.error().message.find(row.message) != std::string::npos);
    }
}

TEST_CASE("dates are read as calendars have them") {
    CHECK(print(*read_date("2028-02-29")) == "2028-02-29");
    for (const char* wrong : {"2027-02-29", "2027-13-01", "2027-00-10", "2027-1-01", "27-01-01", "2027-01-011", "today",
                              "", "2027/01/01", "2027-01-0x"}) {
        CHECK_FALSE(read_date(wrong));
    }
}
