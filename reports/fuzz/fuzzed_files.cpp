// SPDX-License-Identifier: Apache-2.0
#include "reports/fuzz/fuzzed_files.hpp"

#include "reports/diff/history.hpp"
#include "reports/gate/gate_report.hpp"
#include "reports/junit/junit.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"

namespace pdlcts {
namespace {

const Date a_day{std::chrono::year(2026), std::chrono::month(11), std::chrono::day(30)};

/// An error says where it is, in one line that steers no terminal.
std::string complaint_of(const Error& error, std::string_view file_name) {
    if (!error.message.starts_with(std::string(file_name) + ":")) {
        return "an error that does not begin with the file's name: " + error.message;
    }
    for (const char c : error.message) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            return "an error with a control character: " + error.message;
        }
    }
    return "";
}

FuzzedFile try_results(std::string_view text) {
    const Ledger ledger = examples::small_ledger();
    const auto read = read_json(text, "fuzzed");
    if (!read) {
        return {false, complaint_of(read.error(), "fuzzed")};
    }
    FuzzedFile result{true, ""};
    const std::string written = write_json(*read);
    const auto again = read_json(written, "written");
    if (!again || *again != *read) {
        result.complaint = again ? "what is written reads otherwise" : again.error().message;
        return result;
    }
    const auto differences = verify(text, "fuzzed", ledger);
    const GateReport report = gate({.file = {*read, differences},
                                    .other_suite = false,
                                    .baseline = GateFile{*read, differences},
                                    .waivers = {},
                                    .today = a_day,
                                    .allow = {true, true, true, true}});
    if (report.open() && !differences.empty()) {
        result.complaint = "the gate is open for a file that contradicts itself";
    }
    for (const CellDecision& cell : report.cells) {
        if (cell.improved || cell.rule == CellRule::gone || cell.rule == CellRule::lost_evidence) {
            result.complaint = "a file differs from itself at the gate";
        }
    }
    const ResultsDifference changed = difference(*read, *read);
    if (!changed.cells.empty() || !changed.environment.empty()) {
        result.complaint = "a file differs from itself";
    }
    const std::string texts[] = {gate_text(report, true),
                                 gate_markdown(report, true),
                                 gate_annotations(report, "w.toml"),
                                 difference_text(changed),
                                 difference_markdown(changed),
                                 matrix_text(std::span(&*read, 1), ledger),
                                 matrix_markdown(std::span(&*read, 1), ledger),
                                 history_text(history({report_of(*read, "fuzzed", "*", "")}))};
    for (const std::string& each : texts) {
        for (const char c : each) {
            if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) {
                result.complaint = "a report with a control character: " + each;
            }
        }
    }
    for (const std::string& json : {gate_json(report), difference_json(changed)}) {
        if (!parse_json(json, "report")) {
            result.complaint = "a report that is no JSON: " + json;
        }
    }
    if (junit_xml(*read, report, ledger).find('\0') != std::string::npos) {
        result.complaint = "XML with a character that XML does not have";
    }
    return result;
}

std::vector<std::string> results_seeds() {
    std::vector<std::string> seeds{write_json(examples::one_of_each())};
    // One cell each, so that a change of a byte is a larger part of what is read.
    for (const Cell& cell : examples::one_of_each().cells) {
        seeds.push_back(write_json(examples::results_of(examples::h200(), {cell})));
    }
    Results native = examples::results_of(examples::h200(), {});
    native.native = {examples::native_cell()};
    seeds.push_back(write_json(native));
    return seeds;
}

constexpr std::string_view waivers_seed = R"(# two
[[waiver]]
case = "visibility.after-wait/post-trigger"
routes = ["stream", "native"]
gpu = "NVIDIA H200"
driver = "580.*"
verdict = "FAIL"
reason = "known"
link = "https://bugs.example/1"
expires = 2027-05-31

[[waiver]]
statement = "trigger.*"
gpu = 'NVIDIA H?00'
driver = "580.159.04"
verdict = "DEVICE ERROR"
reason = """
in several
lines"""
link = "findings.md"
expires = 2026-12-01
intermittent = true
)";

FuzzedFile try_waivers(std::string_view text) {
    const auto waivers = read_waivers(text, "fuzzed");
    if (!waivers) {
        return {false, complaint_of(waivers.error(), "fuzzed")};
    }
    FuzzedFile result{true, ""};
    Results results = examples::one_of_each();
    results.cells[0].form.program.tally.outcomes["overlapped=1 seen=0"] = 3;
    const GateReport report = gate({.file = {results, {}},
                                    .other_suite = false,
                                    .baseline = {},
                                    .waivers = *waivers,
                                    .today = a_day,
                                    .allow = {}});
    for (const CellDecision& cell : report.cells) {
        if (cell.waiver && (*waivers)[*cell.waiver].verdict != cell.verdict) {
            result.complaint = "a waiver covers another verdict";
        }
    }
    if (!parse_json(gate_json(report), "report")) {
        result.complaint = "a report that is no JSON";
    }
    return result;
}

std::vector<std::string> waivers_seeds() {
    return {std::string(waivers_seed), std::string(waivers_seed.substr(0, waivers_seed.find("\n\n") + 1)), ""};
}

FuzzedFile try_ledger(std::string_view text) {
    const std::vector<EmbeddedFile> files = {{"fuzzed", std::string(text)}};
    const auto ledger = read_ledger(files);
    if (!ledger) {
        return {false, complaint_of(ledger.error(), "fuzzed")};
    }
    FuzzedFile result{true, ""};
    for (const Section& section : ledger->sections) {
        for (const Statement& statement : section.statements) {
            if (find_statement(*ledger, statement.id) != &statement || section_of(*ledger, statement.id) != &section) {
                result.complaint = "a statement that is not found by its id";
            }
        }
    }
    return result;
}

std::vector<std::string> ledger_seeds() {
    std::vector<std::string> seeds;
    std::string all;
    for (const EmbeddedFile& file : embedded_ledger_files()) {
        all += file.name.find("documents") != std::string::npos ? file.text : "";
    }
    for (const EmbeddedFile& file : embedded_ledger_files()) {
        if (file.name.find("documents") == std::string::npos) {
            seeds.push_back(file.text + "\n" + all);
        }
    }
    seeds.emplace_back(R"(section = "trigger"
title = "Trigger"

[[statement]]
id = "trigger.one"
strength = "guarantee"
basis = "read"
minimum_compute_capability = "9.0"
minimum_toolkit = "12.3"
sources = [{document = "PG", section = "4.5"}]
text = "A sentence."

[[document]]
key = "PG"
title = "Programming Guide"
)");
    return seeds;
}

const FuzzedKind kinds[] = {{"results", try_results, results_seeds},
                            {"waivers", try_waivers, waivers_seeds},
                            {"ledger", try_ledger, ledger_seeds}};

} // namespace

const FuzzedKind* find_fuzzed_kind(std::string_view name) {
    for (const FuzzedKind& kind : kinds) {
        if (kind.name == name) {
            return &kind;
        }
    }
    return nullptr;
}

} // namespace pdlcts
