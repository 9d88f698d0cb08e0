// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"
#include "reports/matrix/matrix.hpp"

#include <fmt/format.h>

namespace pdlcts {

ExitCode report(const ReportOptions& options) {
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
    if (options.markdown.empty()) {
        fmt::print("{}", matrix_text(columns, embedded_ledger(), {wants_colour(stdout), options.every_statement}));
        return code;
    }
    const std::string markdown = matrix_markdown(columns, embedded_ledger(), {false, options.every_statement});
    if (options.markdown == "-") {
        fmt::print("{}", markdown);
        return code;
    }
    if (const auto written = write_file(options.markdown, markdown); !written) {
        complain(written.error().message);
        return ExitCode::unwritable_output;
    }
    return code;
}

} // namespace pdlcts
