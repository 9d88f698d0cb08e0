// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/select.hpp"
#include "harness/command/terminal.hpp"
#include "harness/faults/kill_matrix.hpp"
#include "reports/faults/kill_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

ExitCode list_faults() {
    for (const FaultInfo& info : all_faults()) {
        fmt::print("{}\n    breaks {}\n    {}\n    {}\n", info.name, info.statement, info.change, info.cause);
        if (!info.reports.empty()) {
            fmt::print("    reports: {}\n", info.reports);
        }
    }
    return ExitCode::success;
}

std::variant<std::vector<const FaultInfo*>, Refusal> select_faults(const std::vector<std::string>& patterns) {
    std::vector<const FaultInfo*> selected;
    std::vector<bool> used(patterns.size());
    for (const FaultInfo& info : all_faults()) {
        bool wanted = patterns.empty();
        for (std::size_t index = 0; index < patterns.size(); ++index) {
            if (matches_glob(patterns[index], info.name)) {
                used[index] = wanted = true;
            }
        }
        if (wanted) {
            selected.push_back(&info);
        }
    }
    const auto unused = std::find(used.begin(), used.end(), false);
    if (unused != used.end()) {
        const std::string& pattern = patterns[static_cast<std::size_t>(unused - used.begin())];
        return Refusal{ExitCode::unknown_case,
                       "no fault matches `" + pattern + "`; `pdlcts faults --list` shows them all"};
    }
    return selected;
}

} // namespace

ExitCode faults(const FaultsOptions& options) {
    if (options.list) {
        return list_faults();
    }
    const auto cases = select_cases(options.patterns);
    const auto selected = select_faults(options.faults);
    for (const Refusal* refusal : {std::get_if<Refusal>(&cases), std::get_if<Refusal>(&selected)}) {
        if (refusal != nullptr) {
            complain(refusal->message);
            return refusal->code;
        }
    }
    for (const std::string& output : {options.output, options.markdown, options.summary}) {
        if (const auto refusal = refuse_unwritable(output == "-" ? "" : output)) {
            complain(refusal->message);
            return refusal->code;
        }
    }
    const KillMatrix matrix = [&] {
        const ProgressLine progress;
        KillOptions kill;
        kill.seed = options.seed;
        kill.faults = std::get<std::vector<const FaultInfo*>>(selected);
        kill.progress = [&](const std::string& text) { progress.show(text); };
        return kill_matrix(std::get<std::vector<Case>>(cases), kill);
    }();
    if (options.json) {
        fmt::print("{}", kills_json(matrix));
    } else if (options.markdown != "-" && options.summary != "-") {
        fmt::print("{}", kills_text(matrix));
    }
    bool written = options.output.empty() || write_output(options.output, kills_json(matrix));
    written = (options.markdown.empty() || write_output(options.markdown, kills_markdown(matrix))) && written;
    written = (options.summary.empty() || write_output(options.summary, kills_summary(matrix))) && written;
    if (!written) {
        return ExitCode::unwritable_output;
    }
    return matrix.holds() ? ExitCode::success : ExitCode::negative;
}

} // namespace pdlcts
