// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate.hpp"

#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/review.hpp"
#include "harness/command/terminal.hpp"
#include "reports/gate/gate_report.hpp"
#include "reports/junit/junit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

std::variant<std::vector<Waiver>, Refusal> read_waiver_file(const std::string& name) {
    if (name.empty()) {
        return std::vector<Waiver>();
    }
    auto text = read_text_file(name, largest_waiver_file);
    if (const auto* refusal = std::get_if<Refusal>(&text)) {
        return *refusal;
    }
    Result<std::vector<Waiver>> waivers = read_waivers(std::get<std::string>(text), name);
    if (!waivers) {
        return Refusal{ExitCode::bad_input, waivers.error().message};
    }
    return *std::move(waivers);
}

GateAllowances allowances(const std::vector<std::string>& allow) {
    const auto asked = [&](const char* what) { return std::find(allow.begin(), allow.end(), what) != allow.end(); };
    return {.partial = asked("partial"),
            .quick = asked("quick"),
            .dirty = asked("dirty"),
            .other_suite = asked("other-suite")};
}

std::optional<Date> day_of(const std::string& today) {
    using namespace std::chrono;
    return today.empty() ? std::optional<Date>(floor<days>(system_clock::now())) : read_date(today);
}

ExitCode write(const GateOptions& options, const GateReport& report, const Results& results) {
    bool written = true;
    if (!options.markdown.empty()) {
        written = write_output(options.markdown, gate_markdown(report, options.explain)) && written;
    }
    if (!options.junit.empty()) {
        written = write_output(options.junit, junit_xml(results, report, embedded_ledger())) && written;
    }
    if (options.json) {
        fmt::print("{}", gate_json(report));
    } else if (options.annotations) {
        fmt::print("{}", gate_annotations(report, options.waivers));
    } else if (options.markdown != "-" && options.junit != "-") {
        fmt::print("{}", gate_text(report, options.explain));
    }
    // A shut gate is the more important news.
    return !report.open() ? ExitCode::negative : written ? ExitCode::success : ExitCode::unwritable_output;
}

} // namespace

ExitCode gate(const GateOptions& options) {
    const std::optional<Date> today = day_of(options.today);
    if (!today) {
        complain(fmt::format("--today: expected a day such as 2026-11-30, found {}", options.today));
        return ExitCode::usage;
    }
    const auto waivers = read_waiver_file(options.waivers);
    if (const auto* refusal = std::get_if<Refusal>(&waivers)) {
        complain(refusal->message);
        return refusal->code;
    }
    const auto file = read_results_file(options.file);
    if (const auto* refusal = std::get_if<Refusal>(&file)) {
        complain(refusal->message);
        return refusal->code;
    }
    std::variant<ResultsFile, Refusal> baseline;
    if (!options.baseline.empty()) {
        baseline = read_results_file(options.baseline);
        if (const auto* refusal = std::get_if<Refusal>(&baseline)) {
            complain(refusal->message);
            return refusal->code;
        }
    }
    const auto& results = std::get<ResultsFile>(file);
    const Review reviewed = review(results, options.file);
    GateInput input{.file = {results.results, reviewed.differences},
                    .other_suite = reviewed.other_suite,
                    .baseline = {},
                    .waivers = std::get<std::vector<Waiver>>(waivers),
                    .today = *today,
                    .allow = allowances(options.allow)};
    if (!options.baseline.empty()) {
        // Of an earlier suite, often: it is held to its own evidence and the ledger, not to this program's cases.
        const auto& accepted = std::get<ResultsFile>(baseline);
        input.baseline.emplace(GateFile{accepted.results, verify(accepted.text, options.baseline)});
    }
    return write(options, gate(input), results.results);
}

} // namespace pdlcts
