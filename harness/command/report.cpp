// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/report_files.hpp"
#include "harness/command/report_site.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"
#include "reports/formats/formats.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/pictures/pictures.hpp"
#include "reports/selftest/selftest_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

/// Markdown alone: a self-test has no cells of statements.
ExitCode put_out(const std::string& file, const std::string& text, ExitCode code) {
    return write_output(file.empty() ? "-" : file, text) ? code : ExitCode::unwritable_output;
}

ExitCode report_selftests(const ReportOptions& options) {
    std::string tables;
    ExitCode code = ExitCode::success;
    for (const std::string& file : options.files) {
        const auto text = read_results_text(file);
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

/// One form of the report, where it is asked for.
struct Written {
    const std::string& file;
    std::function<std::string()> make;
};

ExitCode write_formats(const ReportOptions& options, const ReportFiles& files) {
    const std::vector<JudgedResults>& columns = files.judged;
    const MatrixStyle plain = {false, options.every_statement};
    const auto markdown = [&] {
        std::string text = matrix_markdown(columns, embedded_ledger(), plain);
        for (const Results& results : files.results) {
            text += options.latency ? "\n" + latency_markdown(results) : "";
        }
        return text;
    };
    for (const Written& written :
         {Written{options.markdown, markdown},
          Written{options.text, [&] { return matrix_text(columns, embedded_ledger(), plain); }},
          Written{options.csv, [&] { return results_csv(columns); }},
          Written{options.json, [&] { return merged_json(columns, embedded_ledger()); }},
          Written{options.open_metrics, [&] { return open_metrics(columns, embedded_ledger()); }}}) {
        if (!written.file.empty() && !write_output(written.file, written.make())) {
            return ExitCode::unwritable_output;
        }
    }
    return files.code;
}

} // namespace

ExitCode report(const ReportOptions& options) {
    const bool formats = !options.markdown.empty() || !options.text.empty() || !options.csv.empty() ||
                         !options.json.empty() || !options.open_metrics.empty();
    if (!options.html.empty()) {
        const ExitCode written = report_site(options.files, options.html, options.strict);
        if (!formats || written == ExitCode::unwritable_output) {
            return written;
        }
    }
    const bool evidence = options.latency || !options.pictures.empty();
    const ReportFiles files = read_report_files(options.files, evidence ? Keep::everything : Keep::verdicts);
    if (files.of_selftest) {
        return report_selftests(options);
    }
    if (files.judged.empty() || (options.strict && files.code != ExitCode::success)) {
        return files.code;
    }
    if (!options.pictures.empty()) {
        const ExitCode printed = print_pictures(files.results, options.pictures);
        return files.code == ExitCode::success ? printed : files.code;
    }
    if (formats) {
        return write_formats(options, files);
    }
    if (options.latency) {
        for (const Results& results : files.results) {
            fmt::print("{}{}", &results == files.results.data() ? "" : "\n", latency_text(results));
        }
        return files.code;
    }
    fmt::print("{}", matrix_text(files.judged, embedded_ledger(), {wants_colour(stdout), options.every_statement}));
    return files.code;
}

} // namespace pdlcts
