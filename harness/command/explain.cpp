// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/check.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/select.hpp"
#include "harness/command/terminal.hpp"
#include "harness/gpu/emit.hpp"

#include <fmt/format.h>

namespace pdlcts {
namespace {

void print_statement(const std::string& id) {
    const Statement* const statement = find_statement(embedded_ledger(), id);
    if (statement == nullptr) {
        return;
    }
    fmt::print("{} ({}, {})\n  {}\n", statement->id, name(statement->strength), name(statement->basis),
               statement->text);
    for (const Source& source : statement->sources) {
        fmt::print("  source: {}, {}\n", source.document, source.section);
    }
    fmt::print("\n");
}

void print_side(const char* which, const Program& program, const Plan& plan, const Exploration& exploration) {
    fmt::print("  {}\n", which);
    for (const std::string& line : print_dependencies(program, plan)) {
        fmt::print("    {}\n", line);
    }
    for (const std::string& line : plan.undocumented) {
        fmt::print("    undocumented: {}\n", line);
    }
    fmt::print("    allowed outcomes: ");
    if (!exploration.decided) {
        fmt::print("not decided, {}\n", exploration.undecided_because);
        return;
    }
    std::string separator;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        fmt::print("{}{}", separator, print(outcome));
        separator = " | ";
    }
    fmt::print("\n");
}

void print_route(const Litmus& litmus, Route route) {
    const Check answer = check(litmus, route);
    fmt::print("On route {}: {}, {}\n", name(route), name(answer.answer), answer.reason);
    if (answer.program_plan) {
        print_side("program", litmus.program, *answer.program_plan, answer.program);
    }
    if (answer.control_plan && litmus.control) {
        print_side("control", *litmus.control, *answer.control_plan, answer.control);
    }
    if (!answer.trace.empty()) {
        fmt::print("  {}\n", answer.answer == Answer::refuted ? "an execution that refutes the claim"
                             : litmus.program.claim.sometimes ? "an execution that shows it"
                                                              : "an execution of the control that shows the violation");
        for (const std::string& step : answer.trace) {
            fmt::print("    {}\n", step);
        }
    }
    fmt::print("\n");
}

} // namespace

ExitCode explain(const ExplainOptions& options) {
    auto found = find_case_or_file(options.name);
    if (const auto* refusal = std::get_if<Refusal>(&found)) {
        complain(refusal->message);
        return refusal->code;
    }
    const Case& listed = std::get<Case>(found);
    if (options.source) {
        const Result<CaseLayout> layout = lay_out(listed.litmus);
        if (!layout) {
            complain(listed.file + ": " + layout.error().message);
            return ExitCode::bad_input;
        }
        fmt::print("{}", emit(listed.litmus, *layout));
        return ExitCode::success;
    }
    fmt::print("{}\n\n", listed.id);
    for (const std::string& id : listed.litmus.checks) {
        print_statement(id);
    }
    fmt::print("{}\n", print(listed.litmus));
    for (const Route route : routes_of(listed.litmus)) {
        print_route(listed.litmus, route);
    }
    return ExitCode::success;
}

} // namespace pdlcts
