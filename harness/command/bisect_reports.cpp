// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"
#include "reports/diff/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace pdlcts {
namespace {

/// The results files of a folder, and not of those below it: `a.json`, `b.json.gz`.
std::variant<std::vector<std::filesystem::path>, Refusal> results_files(const std::string& folder) {
    std::error_code error;
    std::filesystem::directory_iterator entries(folder, error);
    if (error) {
        return Refusal{ExitCode::bad_input, fmt::format("{}: cannot read the folder: {}", folder, error.message())};
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : entries) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".json") || name.ends_with(".json.gz")) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

} // namespace

ExitCode bisect_reports(const BisectReportsOptions& options) {
    if (options.statement.empty() && options.case_pattern.empty()) {
        complain("bisect-reports: expected --statement, --case or both; --statement '*' is every cell");
        return ExitCode::usage;
    }
    const auto files = results_files(options.folder);
    if (const auto* refusal = std::get_if<Refusal>(&files)) {
        complain(refusal->message);
        return refusal->code;
    }
    ExitCode code = ExitCode::success;
    std::vector<DatedReport> reports;
    for (const auto& path : std::get<std::vector<std::filesystem::path>>(files)) {
        const auto read = read_results_file(path.string());
        if (const auto* refusal = std::get_if<Refusal>(&read)) {
            // A file that cannot be read is complained of, and loses nothing of the others.
            complain(refusal->message);
            code = refusal->code;
            continue;
        }
        const auto& file = std::get<ResultsFile>(read);
        if (const auto differences = verify(file.text, path.string()); !differences.empty()) {
            complain(fmt::format("{}: does not hold ({} differences); `pdlcts verify` lists them", path.string(),
                                 differences.size()));
            code = code == ExitCode::success ? ExitCode::negative : code;
        }
        reports.push_back(report_of(file.results, path.filename().string(), options.statement, options.case_pattern));
    }
    const History found = history(std::move(reports));
    if (found.machines.empty()) {
        complain(fmt::format("{}: no results file has a cell of that statement and case", options.folder));
        return code == ExitCode::success ? ExitCode::unknown_case : code;
    }
    fmt::print("{}", options.json ? history_json(found) : history_text(found));
    return code;
}

} // namespace pdlcts
