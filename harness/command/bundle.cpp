// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "harness/command/bundle_files.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace pdlcts {
namespace {

/// The cell that is asked for, by its index.
std::variant<std::size_t, Refusal> find_cell(const Results& results, const BundleOptions& options) {
    std::vector<std::size_t> found;
    std::string routes;
    for (std::size_t index = 0; index < results.cells.size(); ++index) {
        const Cell& cell = results.cells[index];
        const bool named =
            cell.case_id == options.name || cell.case_id.substr(cell.case_id.rfind('/') + 1) == options.name;
        if (named && (options.route.empty() || options.route == name(cell.form.route))) {
            found.push_back(index);
            routes += fmt::format("{}{} on {}", routes.empty() ? "" : ", ", cell.case_id, name(cell.form.route));
        }
    }
    if (found.empty()) {
        return Refusal{ExitCode::unknown_case,
                       fmt::format("{}: holds no cell of case `{}`{}; `pdlcts report` shows those that it holds",
                                   options.results, options.name,
                                   options.route.empty() ? "" : " on route " + options.route)};
    }
    if (found.size() > 1) {
        return Refusal{ExitCode::unknown_case,
                       fmt::format("{}: `{}` names several cells ({}); add --route, or the whole "
                                   "id",
                                   options.results, options.name, routes)};
    }
    return found.front();
}

/// The case of a cell: the suite's, or the user's file.
std::variant<Case, Refusal> case_of(const Cell& cell, const BundleOptions& options) {
    if (!options.file.empty()) {
        auto read = read_case_file(options.file);
        if (auto* listed = std::get_if<Case>(&read)) {
            listed->id = cell.case_id;
        }
        return read;
    }
    const auto listed = std::find_if(embedded_cases().begin(), embedded_cases().end(),
                                     [&](const Case& each) { return each.id == cell.case_id; });
    if (cell.statement.empty() || listed == embedded_cases().end()) {
        return Refusal{
            ExitCode::unknown_case,
            fmt::format("{} is no case of this suite, so that its program is not known here; name its file with "
                        "--file",
                        cell.case_id)};
    }
    return *listed;
}

std::optional<Refusal> write_folder(const std::string& output, const std::vector<PackedFile>& files) {
    std::error_code error;
    if (!std::filesystem::create_directory(output, error)) {
        return Refusal{ExitCode::unwritable_output,
                       output + ": cannot make a folder of this name; it must not exist, and the one around it must"};
    }
    for (const PackedFile& file : files) {
        if (const auto written = write_file((std::filesystem::path(output) / file.name).string(), file.content);
            !written) {
            return Refusal{ExitCode::unwritable_output, written.error().message};
        }
    }
    return std::nullopt;
}

std::optional<Refusal> write_archive(const std::string& output, const std::string& folder,
                                     const std::vector<PackedFile>& files) {
    const Result<std::string> archive = tar(folder, files);
    if (!archive) {
        return Refusal{ExitCode::unwritable_output, output + ": " + archive.error().message};
    }
    if (const auto written = write_file(output, *archive); !written) {
        return Refusal{ExitCode::unwritable_output, written.error().message};
    }
    return std::nullopt;
}

ExitCode refuse(const Refusal& refusal) {
    complain(refusal.message);
    return refusal.code;
}

} // namespace

ExitCode bundle(const BundleOptions& options) {
    for (const char* ending : {".gz", ".tgz", ".zip", ".xz", ".bz2", ".zst"}) {
        if (options.output.ends_with(ending)) {
            return refuse({ExitCode::usage, options.output +
                                                ": a bundle is a .tar archive, not compressed, or a folder; "
                                                "compress it afterwards"});
        }
    }
    const auto read = read_results_file(options.results);
    if (const auto* refusal = std::get_if<Refusal>(&read)) {
        return refuse(*refusal);
    }
    const Results& results = std::get<ResultsFile>(read).results;
    const auto place = find_cell(results, options);
    if (const auto* refusal = std::get_if<Refusal>(&place)) {
        return refuse(*refusal);
    }
    const Cell& cell = results.cells[std::get<std::size_t>(place)];
    const auto listed = case_of(cell, options);
    if (const auto* refusal = std::get_if<Refusal>(&listed)) {
        return refuse(*refusal);
    }
    const std::string folder = bundle_name(cell);
    const std::vector<PackedFile> files =
        bundle_files(results, std::get<std::size_t>(place), std::get<Case>(listed), embedded_ledger());
    const std::string output = options.output.empty() ? folder + ".tar" : options.output;
    const auto refusal = output.ends_with(".tar") ? write_archive(output, folder, files) : write_folder(output, files);
    if (refusal) {
        return refuse(*refusal);
    }
    fmt::print("{}: {} on route {}, {} files\n", output, cell.case_id, name(cell.form.route), files.size());
    return ExitCode::success;
}

} // namespace pdlcts
