// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate_report.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"

namespace pdlcts {
namespace {

Json to_json(const CellDecision& cell) {
    Json::Object object = {{"case", clean_text(cell.cell.key.case_id)},
                           {"route", clean_text(cell.cell.key.route)},
                           {"statement", clean_text(cell.cell.statement)},
                           {"verdict", name(cell.verdict)},
                           {"disposition", name(cell.disposition)},
                           {"rule", name(cell.rule)},
                           {"why", clean_text(cell.why)},
                           {"improved", cell.improved},
                           {"weaker", cell.weaker},
                           {"stale", cell.stale}};
    if (cell.baseline) {
        object.emplace_back("baseline", name(*cell.baseline));
    }
    if (cell.waiver) {
        object.emplace_back("waiver", std::uint64_t{*cell.waiver});
    }
    if (cell.disposition != Disposition::passes) {
        object.emplace_back("reproduce", reproduce_command(cell.cell.key));
    }
    return object;
}

Json to_json(const Waiver& waiver) {
    Json::Object object;
    object.reserve(10); // GCC 12 takes a vector that it sees grow from nothing for one of no elements, and warns
    object.emplace_back(waiver.case_pattern.empty() ? "statement" : "case",
                        clean_text(waiver.case_pattern.empty() ? waiver.statement_pattern : waiver.case_pattern));
    object.emplace_back("routes", waiver.routes);
    object.emplace_back("gpu", clean_text(waiver.gpu));
    object.emplace_back("driver", clean_text(waiver.driver));
    object.emplace_back("verdict", name(waiver.verdict));
    object.emplace_back("reason", clean_text(waiver.reason));
    object.emplace_back("link", clean_text(waiver.link));
    object.emplace_back("expires", print(waiver.expires));
    object.emplace_back("intermittent", waiver.intermittent);
    object.emplace_back("line", std::uint64_t{waiver.line});
    return object;
}

// ---- GitHub's workflow commands -----------------------------------------------------------------------------------

/// What a value may not hold is percent-encoded; in a property also what ends it.
std::string encoded(std::string_view text, bool property) {
    std::string result;
    for (const char c : plain_text(text, 2000)) {
        const bool ends_property = property && (c == ':' || c == ',');
        if (c == '%' || ends_property) {
            constexpr char digits[] = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            result += concat("%", digits[byte >> 4], digits[byte & 15]);
        } else {
            result += c;
        }
    }
    return result;
}

std::string command(const char* kind, std::string_view file, std::size_t line, std::string_view title,
                    std::string_view message) {
    std::string properties;
    if (!file.empty()) {
        properties = concat("file=", encoded(file, true), line == 0 ? "" : concat(",line=", line), ",");
    }
    return concat("::", kind, " ", properties, "title=", encoded(title, true), "::", encoded(message, false), "\n");
}

/// GitHub shows ten of one kind and step.
constexpr std::size_t most_annotations = 10;

std::string first_of(const std::vector<std::string>& commands, const char* kind) {
    std::string text;
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (i + 1 == most_annotations && commands.size() > most_annotations) {
            return text + command(kind, "", 0, "PDL conformance gate",
                                  concat(commands.size() - i, " more; the summary lists them all"));
        }
        text += commands[i];
    }
    return text;
}

} // namespace

std::string gate_json(const GateReport& report) {
    Json::List problems;
    for (const GateProblem& problem : report.problems) {
        Json::Object object = {{"rule", name(problem.rule)}, {"what", clean_text(problem.what)}};
        if (problem.waiver) {
            object.emplace_back("waiver", std::uint64_t{*problem.waiver});
        }
        problems.push_back(std::move(object));
    }
    Json::List cells;
    for (const CellDecision& cell : report.cells) {
        cells.push_back(to_json(cell));
    }
    Json::List waivers;
    for (const Waiver& waiver : report.waivers) {
        waivers.push_back(to_json(waiver));
    }
    std::vector<std::string> notes;
    for (const std::string& note : report.notes) {
        notes.push_back(clean_text(note));
    }
    const Json json = Json::Object{{"schema", 1},
                                   {"open", report.open()},
                                   {"file", report.file_name},
                                   {"baseline", report.baseline_name},
                                   {"passing", std::uint64_t{report.count(Disposition::passes)}},
                                   {"waived", std::uint64_t{report.count(Disposition::waived)}},
                                   {"failing", std::uint64_t{report.count(Disposition::fails)}},
                                   {"problems", std::move(problems)},
                                   {"cells", std::move(cells)},
                                   {"waivers", std::move(waivers)},
                                   {"notes", notes}};
    return print(json, JsonLayout::indented) + "\n";
}

std::string gate_annotations(const GateReport& report, std::string_view waivers_file) {
    std::vector<std::string> errors;
    std::vector<std::string> notices;
    for (const GateProblem& problem : report.problems) {
        const std::string title = concat("PDL conformance gate: ", name(problem.rule));
        errors.push_back(problem.waiver
                             ? command("error", waivers_file, report.waivers[*problem.waiver].line, title, problem.what)
                             : command("error", "", 0, title, problem.what));
    }
    for (const CellDecision& cell : report.cells) {
        const std::string title = concat(name(cell.verdict), ": ", print(cell.cell.key));
        if (cell.disposition == Disposition::fails) {
            errors.push_back(command("error", case_file(cell.cell.key), 0, title,
                                     concat(cell.why, ". Again: ", reproduce_command(cell.cell.key))));
        } else if (cell.improved) {
            notices.push_back(command("notice", case_file(cell.cell.key), 0, title,
                                      concat("better than in the baseline, where it is ", name(*cell.baseline))));
        }
    }
    return first_of(errors, "error") + first_of(notices, "notice");
}

} // namespace pdlcts
