// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/select.hpp"
#include "harness/command/terminal.hpp"
#include "reports/matrix/matrix.hpp"

#include <fmt/format.h>

namespace pdlcts {
ExitCode report(const ReportOptions& options) {
    std::vector<Results> columns;
    // A file that contradicts itself is shown, as judged again, and not passed over in silence.
    ExitCode code = ExitCode::success;
    for (const std::string& file : options.files) {
        auto text = read_text_file(file, largest_results_file);
        if (const auto* refusal = std::get_if<Refusal>(&text)) {
            complain(refusal->message);
            return refusal->code;
        }
        Result<Results> results = read_json(std::get<std::string>(text), file);
        if (!results) {
            complain(results.error().message);
            return ExitCode::bad_input;
        }
        if (const auto differences = verify(std::get<std::string>(text), file); !differences.empty()) {
            complain(fmt::format("{}: does not hold ({} differences); `pdlcts verify` lists them", file,
                                 differences.size()));
            code = ExitCode::negative;
        }
        columns.push_back(std::move(*results));
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
