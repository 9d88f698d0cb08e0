// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/listing.hpp"
#include "harness/command/select.hpp"
#include "harness/command/terminal.hpp"

#include <fmt/color.h>
#include <fmt/format.h>

namespace pdlcts {
namespace {

std::string coloured(Answer answer, bool colour) {
    std::string text(name(answer));
    if (!colour) {
        return text;
    }
    switch (answer) {
    case Answer::proved:
        return fmt::format(fmt::fg(fmt::terminal_color::green), "{}", text);
    case Answer::refuted:
        return fmt::format(fmt::fg(fmt::terminal_color::red), "{}", text);
    default:
        return fmt::format(fmt::fg(fmt::terminal_color::yellow), "{}", text);
    }
}

void print_case(const CheckedCase& checked, bool trace, bool colour) {
    fmt::print("{}\n", checked.listed.id);
    for (const Check& check : checked.checks) {
        fmt::print("  {:<9} {}: {}", name(check.route), coloured(check.answer, colour), check.reason);
        if (check.program.states != 0) {
            fmt::print(" ({} states)", check.program.states + check.control.states);
        }
        fmt::print("\n");
        if (check.answer == Answer::refuted || trace) {
            for (const std::string& step : check.trace) {
                fmt::print("      {}\n", step);
            }
        }
    }
}

std::variant<std::vector<Case>, Refusal> cases_of(const CheckOptions& options) {
    if (options.names.empty()) {
        return embedded_cases();
    }
    std::vector<Case> cases;
    for (const std::string& name : options.names) {
        auto found = find_case_or_file(name);
        if (const auto* refusal = std::get_if<Refusal>(&found)) {
            return *refusal;
        }
        cases.push_back(std::get<Case>(std::move(found)));
    }
    return cases;
}

} // namespace

ExitCode check(const CheckOptions& options) {
    auto selected = cases_of(options);
    if (const auto* refusal = std::get_if<Refusal>(&selected)) {
        complain(refusal->message);
        return refusal->code;
    }
    std::vector<CheckedCase> cases;
    std::size_t proved = 0;
    std::size_t answered = 0;
    for (Case& listed : std::get<std::vector<Case>>(selected)) {
        CheckedCase checked{std::move(listed), {}};
        for (const Route route : routes_of(checked.listed.litmus)) {
            checked.checks.push_back(check(checked.listed.litmus, route));
            // A route that cannot express a program says nothing against its claim.
            answered += checked.checks.back().answer == Answer::not_expressible ? 0 : 1;
            proved += checked.checks.back().answer == Answer::proved ? 1 : 0;
        }
        cases.push_back(std::move(checked));
    }
    if (options.json) {
        fmt::print("{}\n", check_json(cases));
    } else {
        for (const CheckedCase& checked : cases) {
            print_case(checked, options.trace, wants_colour(stdout));
        }
        fmt::print("{} of {} proved\n", proved, answered);
    }
    return proved == answered && answered != 0 ? ExitCode::success : ExitCode::negative;
}

} // namespace pdlcts
