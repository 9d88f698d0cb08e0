// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/select.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/terminal.hpp"
#include "harness/export/reproducer.hpp"

#include "conformance/litmus/printer.hpp"

#include <fmt/format.h>

namespace pdlcts {

ExitCode export_case(const ExportOptions& options) {
    auto found = find_case_or_file(options.name);
    if (const auto* refusal = std::get_if<Refusal>(&found)) {
        complain(refusal->message);
        return refusal->code;
    }
    const Case& listed = std::get<Case>(found);
    ReproducerOptions wanted;
    wanted.control_alone = options.control;
    wanted.suite = describe(this_suite());
    wanted.route = cell_routes(listed, embedded_ledger()).front();
    for (const Route route : all_routes) {
        wanted.route = name(route) == options.route ? route : wanted.route;
    }
    const Result<std::string> text = reproducer(listed, embedded_ledger(), wanted);
    if (!text) {
        complain(text.error().message);
        return ExitCode::negative;
    }
    if (options.output.empty()) {
        fmt::print("{}", *text);
        return ExitCode::success;
    }
    if (const auto written = write_file(options.output, *text); !written) {
        complain(written.error().message);
        return ExitCode::unwritable_output;
    }
    return ExitCode::success;
}

} // namespace pdlcts
