// SPDX-License-Identifier: Apache-2.0
#include "reports/junit/junit.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/gate/gate_report.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/names.hpp"
#include "reports/results/utf8.hpp"

#include <algorithm>
#include <cstdio>
#include <map>

namespace pdlcts {
namespace {

constexpr std::size_t most_lines = 12; ///< of a list of outcomes or answers

enum class Outcome { green, skipped, failure, error };

Outcome outcome_of(const CellDecision& cell) {
    if (cell.disposition == Disposition::fails) {
        switch (cell.verdict) {
        case Verdict::timeout:
        case Verdict::crash:
        case Verdict::device_error:
        case Verdict::harness_error:
        case Verdict::missing:
            return Outcome::error;
        default:
            return Outcome::failure;
        }
    }
    const bool shown = cell.verdict == Verdict::pass || cell.verdict == Verdict::observed;
    return shown && cell.disposition == Disposition::passes ? Outcome::green : Outcome::skipped;
}

std::string seconds_text(double seconds) {
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.6f", std::clamp(seconds, 0.0, 1e9));
    return buffer;
}

/// The cells of a file by name, to show what was seen.
struct Evidence {
    std::map<CellKey, const Cell*> cells;
    std::map<CellKey, const NativeCell*> native;

    explicit Evidence(const Results& results) {
        for (const Cell& cell : results.cells) {
            cells.emplace(CellKey{cell.case_id, std::string(name(cell.form.route))}, &cell);
        }
        for (const NativeCell& cell : results.native) {
            native.emplace(CellKey{cell.case_id, "native"}, &cell);
        }
    }
};

void add_line(std::string& text, std::string_view line) {
    text += plain_text(line) + "\n";
}

void add_observation(std::string& text, const char* what, const Observation& observation) {
    std::size_t shown = 0;
    for (const auto& [outcome, count] : observation.tally.outcomes) {
        if (++shown > most_lines) {
            add_line(text, concat(what, ": ", observation.tally.outcomes.size() - most_lines, " more outcomes"));
            return;
        }
        const bool allowed = !observation.decided || std::find(observation.allowed.begin(), observation.allowed.end(),
                                                               outcome) != observation.allowed.end();
        add_line(text, concat(what, ": ", count, " times ", outcome.empty() ? "(no register)" : outcome,
                              allowed ? "" : ", which is not allowed"));
    }
}

void add_claim(std::string& text, const ClaimText& claim) {
    const std::pair<const char*, const std::string*> parts[] = {
        {"never ", &claim.never}, {"sometimes ", &claim.sometimes}, {"armed ", &claim.armed}};
    for (const auto& [word, condition] : parts) {
        if (!condition->empty()) {
            add_line(text, concat("claim: ", word, *condition));
        }
    }
}

std::string body_of(const CellDecision& decision, const Evidence& evidence, const Ledger& ledger) {
    std::string text;
    add_line(text, decision.why);
    if (const Statement* statement = find_statement(ledger, decision.cell.statement)) {
        add_line(text, concat("statement ", statement->id, ": ", statement->text));
    }
    if (const auto cell = evidence.cells.find(decision.cell.key); cell != evidence.cells.end()) {
        add_line(text, print_evidence(decision.cell));
        add_claim(text, cell->second->claim);
        add_observation(text, "program", cell->second->form.program);
        if (cell->second->form.control) {
            add_observation(text, "control", *cell->second->form.control);
        }
    }
    if (const auto cell = evidence.native.find(decision.cell.key); cell != evidence.native.end()) {
        for (std::size_t i = 0; i < cell->second->probes.size() && i < most_lines; ++i) {
            const Probe& probe = cell->second->probes[i];
            std::string expected;
            for (const std::string& each : probe.expected) {
                expected += (expected.empty() ? "" : " or ") + each;
            }
            add_line(text, concat(name(probe.kind), ": ", probe.what, ": ", probe.found,
                                  expected.empty() ? "" : concat(" (listed: ", expected, ")")));
        }
    }
    add_line(text, "again: " + reproduce_command(decision.cell.key));
    return text;
}

struct TestCase {
    std::string name;
    std::string class_name;
    Outcome outcome = Outcome::green;
    std::string type;    ///< of a failure: the verdict or the rule
    std::string message; ///< of a failure or a skip
    std::string body;
    double seconds = 0;
};

struct TestSuite {
    std::string name;
    std::vector<TestCase> cases;
    std::size_t count(Outcome outcome) const {
        return static_cast<std::size_t>(
            std::count_if(cases.begin(), cases.end(), [=](const TestCase& test) { return test.outcome == outcome; }));
    }
    double seconds() const {
        double sum = 0;
        for (const TestCase& test : cases) {
            sum += test.seconds;
        }
        return sum;
    }
};

TestCase test_of(const CellDecision& decision, const Evidence& evidence, const Ledger& ledger) {
    TestCase test;
    test.name = plain_text(print(decision.cell.key));
    test.class_name = plain_text(decision.cell.statement.empty() ? decision.cell.key.case_id : decision.cell.statement);
    test.outcome = outcome_of(decision);
    if (test.outcome != Outcome::green) {
        test.type = name(decision.verdict);
        test.message = plain_text(decision.why);
    }
    if (test.outcome == Outcome::failure || test.outcome == Outcome::error) {
        test.body = body_of(decision, evidence, ledger);
    }
    if (const auto cell = evidence.cells.find(decision.cell.key); cell != evidence.cells.end()) {
        for (const Form* form :
             {&cell->second->form, cell->second->other_form ? &*cell->second->other_form : nullptr}) {
            test.seconds += form != nullptr && form->time ? form->time->seconds : 0;
        }
    }
    return test;
}

/// In the ledger's order, and then what it does not know.
std::vector<TestSuite> suites_of(const Results& results, const GateReport& report, const Ledger& ledger) {
    TestSuite gate_suite{"gate", {}};
    for (const GateProblem& problem : report.problems) {
        gate_suite.cases.push_back({.name = concat(name(problem.rule), " ", gate_suite.cases.size() + 1),
                                    .class_name = "gate",
                                    .outcome = Outcome::failure,
                                    .type = std::string(name(problem.rule)),
                                    .message = plain_text(problem.what),
                                    .body = plain_text(problem.what) + "\n"});
    }
    if (gate_suite.cases.empty()) {
        TestCase& whole = gate_suite.cases.emplace_back();
        whole.name = "run, baseline and waivers";
        whole.class_name = "gate";
    }
    std::vector<TestSuite> suites{std::move(gate_suite)};
    std::map<std::string, std::size_t> index;
    for (const Section& section : ledger.sections) {
        index.emplace(section.id, suites.size());
        suites.push_back({plain_text(section.id), {}});
    }
    const std::size_t others = suites.size();
    suites.push_back({"patterns of no section", {}});
    const Evidence evidence(results);
    for (const CellDecision& decision : report.cells) {
        const Section* const section = section_of(ledger, decision.cell.statement);
        suites[section == nullptr ? others : index.at(section->id)].cases.push_back(
            test_of(decision, evidence, ledger));
    }
    std::erase_if(suites, [](const TestSuite& suite) { return suite.cases.empty(); });
    return suites;
}

std::string attribute(const char* key, std::string_view value) {
    return concat(" ", key, "=\"", xml_text(value), "\"");
}

std::string counts(std::size_t tests, std::size_t failures, std::size_t errors, std::size_t skipped) {
    return concat(attribute("tests", std::to_string(tests)), attribute("failures", std::to_string(failures)),
                  attribute("errors", std::to_string(errors)), attribute("skipped", std::to_string(skipped)));
}

std::string properties_of(const Results& results) {
    const Environment& environment = results.environment;
    const std::pair<const char*, std::string> properties[] = {
        {"gpu", environment.gpu},
        {"driver", environment.driver_version},
        {"toolkit", concat(environment.runtime_version / 1000, ".", environment.runtime_version % 1000 / 10)},
        {"nvrtc", environment.nvrtc_version},
        {"compute_capability", concat(environment.compute_capability / 10, ".", environment.compute_capability % 10)},
        {"operating_system", environment.operating_system},
        {"kernel", environment.kernel},
        {"suite", results.suite.version},
        {"git_hash", results.suite.git_hash},
        {"cases_digest", results.suite.cases_digest},
        {"seed", std::to_string(results.seed)}};
    std::string text = "    <properties>\n";
    for (const auto& [key, value] : properties) {
        text += concat("      <property", attribute("name", key), attribute("value", plain_text(value)), "/>\n");
    }
    return text + "    </properties>\n";
}

std::string xml_of(const TestCase& test) {
    std::string text = concat("    <testcase", attribute("name", test.name), attribute("classname", test.class_name),
                              attribute("time", seconds_text(test.seconds)));
    switch (test.outcome) {
    case Outcome::green:
        return text + "/>\n";
    case Outcome::skipped:
        return text + concat(">\n      <skipped", attribute("message", test.message), "/>\n    </testcase>\n");
    case Outcome::failure:
    case Outcome::error:
        break;
    }
    const char* const tag = test.outcome == Outcome::failure ? "failure" : "error";
    return text + concat(">\n      <", tag, attribute("message", test.message), attribute("type", test.type), ">",
                         xml_text(test.body), "</", tag, ">\n    </testcase>\n");
}

/// `2026-11-30T12:00:00`, as the schema has it; empty where a file says something else.
std::string timestamp(const std::string& started) {
    constexpr std::size_t length = std::string_view("2026-11-30T12:00:00").size();
    const bool is_time = started.size() == length + 1 && started.back() == 'Z' && started[10] == 'T' &&
                         started.find_first_not_of("0123456789-:TZ") == std::string::npos;
    return is_time ? started.substr(0, length) : "";
}

} // namespace

std::string xml_text(std::string_view text) {
    constexpr std::string_view replacement = "\xef\xbf\xbd";
    std::string escaped;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = character_length(text.substr(at));
        const std::string_view character = length == 0 ? replacement : text.substr(at, length);
        at += std::max<std::size_t>(length, 1);
        const char first = character.front();
        if (character.size() > 1) {
            const bool is_none = character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf"; // U+FFFE, U+FFFF
            escaped += is_none ? replacement : character;
        } else if (first == '\n' || first == '\t' || first == '\r') {
            escaped += concat("&#", static_cast<int>(first), ";");
        } else if (first >= 0 && first < 0x20) {
            escaped += replacement;
        } else {
            escaped += first == '&'    ? "&amp;"
                       : first == '<'  ? "&lt;"
                       : first == '>'  ? "&gt;"
                       : first == '"'  ? "&quot;"
                       : first == '\'' ? "&#39;"
                                       : character;
        }
    }
    return escaped;
}

std::string junit_xml(const Results& results, const GateReport& report, const Ledger& ledger) {
    const std::vector<TestSuite> suites = suites_of(results, report, ledger);
    std::size_t tests = 0;
    std::map<Outcome, std::size_t> outcomes;
    double seconds = 0;
    for (const TestSuite& suite : suites) {
        tests += suite.cases.size();
        seconds += suite.seconds();
        for (const Outcome outcome : {Outcome::skipped, Outcome::failure, Outcome::error}) {
            outcomes[outcome] += suite.count(outcome);
        }
    }
    const std::string properties = properties_of(results);
    const std::string started = timestamp(results.started);
    std::string text =
        concat("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites",
               attribute("name", "PDL conformance: " + report.file_name),
               counts(tests, outcomes[Outcome::failure], outcomes[Outcome::error], outcomes[Outcome::skipped]),
               attribute("time", seconds_text(seconds)), ">\n");
    for (const TestSuite& suite : suites) {
        text += concat("  <testsuite", attribute("name", suite.name),
                       counts(suite.cases.size(), suite.count(Outcome::failure), suite.count(Outcome::error),
                              suite.count(Outcome::skipped)),
                       attribute("time", seconds_text(suite.seconds())),
                       started.empty() ? "" : attribute("timestamp", started), ">\n", properties);
        for (const TestCase& test : suite.cases) {
            text += xml_of(test);
        }
        text += "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

} // namespace pdlcts
