// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/pictures/pictures.hpp"
#include "reports/selftest/selftest_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

bool is_asked_for(const Cell& cell, const std::vector<std::string>& patterns) {
    Case named;
    named.id = cell.case_id;
    named.statement = cell.statement;
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return is_selected(named, pattern); });
}

ExitCode print_pictures(const std::vector<Results>& files, const std::vector<std::string>& patterns) {
    bool found = false;
    for (const Results& results : files) {
        for (const Cell& cell : results.cells) {
            if (is_asked_for(cell, patterns)) {
                fmt::print("{}{}", found ? "\n" : "", picture_text(cell));
                found = true;
            }
        }
    }
    if (!found) {
        complain(fmt::format("no cell is of a case that matches `{}`", fmt::join(patterns, "`, `")));
        return ExitCode::unknown_case;
    }
    return ExitCode::success;
}

ExitCode put_out(const std::string& file, const std::string& text, ExitCode code) {
    return write_output(file.empty() ? "-" : file, text) ? code : ExitCode::unwritable_output;
}

bool is_selftest(const std::string& file) {
    const auto text = read_text_file(file, largest_results_file);
    const auto* read = std::get_if<std::string>(&text);
    return read != nullptr && is_selftest_file(*read);
}

ExitCode report_selftests(const ReportOptions& options) {
    std::string tables;
    ExitCode code = ExitCode::success;
    for (const std::string& file : options.files) {
        const auto text = read_text_file(file, largest_results_file);
        if (const auto* refusal = std::get_if<Refusal>(&text)) {
            complain(refusal->message);
            return refusal->code;
        }
        const Result<SelfTestReport> read = read_selftest_json(std::get<std::string>(text), file);
        if (!read) {
            complain(read.error().message);
            return ExitCode::bad_input;
        }
        if (!verify_selftest(std::get<std::string>(text), file).empty()) {
            complain(file + ": does not hold; `pdlcts verify` says why");
            code = ExitCode::negative;
        }
        tables +=
            (tables.empty() ? "" : "\n") + (options.markdown.empty() ? selftest_text(*read) : selftest_markdown(*read));
    }
    return put_out(options.markdown, tables, code);
}

} // namespace

ExitCode report(const ReportOptions& options) {
    if (std::any_of(options.files.begin(), options.files.end(), is_selftest)) {
        return report_selftests(options);
    }
    std::vector<Results> columns;
    // A file that contradicts itself is shown, as judged again, and not passed over in silence.
    ExitCode code = ExitCode::success;
    for (const std::string& file : options.files) {
        auto read = read_results_file(file);
        if (const auto* refusal = std::get_if<Refusal>(&read)) {
            complain(refusal->message);
            return refusal->code;
        }
        auto& [text, results] = std::get<ResultsFile>(read);
        if (const auto differences = verify(text, file); !differences.empty()) {
            complain(fmt::format("{}: does not hold ({} differences); `pdlcts verify` lists them", file,
                                 differences.size()));
            code = ExitCode::negative;
        }
        columns.push_back(std::move(results));
    }
    if (!options.pictures.empty()) {
        const ExitCode printed = print_pictures(columns, options.pictures);
        return code == ExitCode::success ? printed : code;
    }
    if (options.latency && options.markdown.empty()) {
        for (const Results& results : columns) {
            fmt::print("{}{}", &results == columns.data() ? "" : "\n", latency_text(results));
        }
        return code;
    }
    if (options.markdown.empty()) {
        fmt::print("{}", matrix_text(columns, embedded_ledger(), {wants_colour(stdout), options.every_statement}));
        return code;
    }
    std::string markdown = matrix_markdown(columns, embedded_ledger(), {false, options.every_statement});
    for (const Results& results : columns) {
        markdown += options.latency ? "\n" + latency_markdown(results) : "";
    }
    return put_out(options.markdown, markdown, code);
}

} // namespace pdlcts
