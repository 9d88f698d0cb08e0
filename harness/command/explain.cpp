// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/check.hpp"
#include "conformance/plan/routes.hpp"
#include "harness/catalogue/native_case.hpp"
#include "harness/catalogue/notes.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/select.hpp"
#include "harness/command/terminal.hpp"
#include "harness/command/trace_table.hpp"
#include "harness/gpu/emit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

std::string title_of(const std::string& document) {
    for (const Document& known : embedded_ledger().documents) {
        if (known.key == document) {
            return known.title;
        }
    }
    return document;
}

void print_statement(const std::string& id) {
    const Statement* const statement = find_statement(embedded_ledger(), id);
    if (statement == nullptr) {
        return;
    }
    fmt::print("{} ({}, {})\n  {}\n", statement->id, name(statement->strength), name(statement->basis),
               statement->text);
    for (const Source& source : statement->sources) {
        fmt::print("  source: {}: {}\n", title_of(source.document), source.section);
    }
    fmt::print("\n");
}

std::string side(const char* which, const Program& program, const Plan& plan, const Exploration& exploration) {
    std::string text = fmt::format("  {}\n", which);
    for (const std::string& line : print_dependencies(program, plan)) {
        text += fmt::format("    {}\n", line);
    }
    for (const std::string& line : plan.undocumented) {
        text += fmt::format("    undocumented: {}\n", line);
    }
    if (!exploration.decided) {
        return text + fmt::format("    allowed outcomes: not decided, {}\n", exploration.undecided_because);
    }
    std::vector<std::string> outcomes;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        outcomes.push_back(print(outcome));
    }
    return text + fmt::format("    allowed outcomes: {}\n", fmt::join(outcomes, " | "));
}

const char* trace_heading(const Litmus& litmus, const Check& answer) {
    if (answer.answer == Answer::refuted) {
        return "an execution that refutes the claim";
    }
    return litmus.program.claim.sometimes ? "an execution that shows it"
                                          : "an execution of the control that shows the violation";
}

std::string explained(const Litmus& litmus, Route route) {
    const Check answer = check(litmus, route);
    std::string text = fmt::format("{}: {}\n", name(answer.answer), answer.reason);
    if (answer.program_plan) {
        text += side("program", litmus.program, *answer.program_plan, answer.program);
    }
    if (answer.control_plan && litmus.control) {
        text += side("control", *litmus.control, *answer.control_plan, answer.control);
    }
    if (!answer.trace.empty()) {
        text += fmt::format("  {}\n", trace_heading(litmus, answer));
        for (const std::string& step : trace_table(answer.trace)) {
            text += fmt::format("    {}\n", step);
        }
    }
    return text + "\n";
}

/// Routes of which there is the same to say are told of together.
void print_routes(const Litmus& litmus) {
    std::vector<std::pair<std::string, std::vector<std::string>>> texts;
    for (const Route route : default_routes(litmus)) {
        const std::string text = explained(litmus, route);
        const auto same =
            std::find_if(texts.begin(), texts.end(), [&](const auto& entry) { return entry.first == text; });
        if (same != texts.end()) {
            same->second.emplace_back(name(route));
        } else {
            texts.push_back({text, {std::string(name(route))}});
        }
    }
    for (const auto& [text, routes] : texts) {
        fmt::print("On {} {}: {}", routes.size() == 1 ? "route" : "routes", enumerate(routes), text);
    }
}

} // namespace

namespace {

/// A native check by its id, or by the part behind the section where no litmus case has that name.
const NativeCase* find_native_case(const std::string& name) {
    const std::vector<NativeCase>& all = embedded_native_cases();
    const auto found = std::find_if(all.begin(), all.end(), [&](const NativeCase& listed) {
        return listed.id == name || listed.id.substr(listed.id.find('/') + 1) == name;
    });
    return found == all.end() ? nullptr : &*found;
}

void print_notes(std::string_view case_id) {
    for (const CaseNote& note : embedded_notes()) {
        if (note.case_id == case_id) {
            fmt::print("note{}{}: {}\n", note.routes.empty() ? "" : ", ", fmt::join(note.routes, ", "), note.text);
        }
    }
}

ExitCode explain_native(const NativeCase& listed, bool source) {
    if (source) {
        complain(listed.id +
                 ": a native check has no litmus program whose source could be shown; its code is in cases/" +
                 listed.id.substr(0, listed.id.find('/')));
        return ExitCode::usage;
    }
    fmt::print("{}\n\n", listed.id);
    for (const std::string& id : listed.checks) {
        print_statement(id);
    }
    for (const std::string& line : listed.description) {
        fmt::print("{}\n", line);
    }
    for (const Report& report : listed.because) {
        fmt::print("because of {}: {}\n", print(report), address(report));
    }
    print_notes(listed.id);
    return ExitCode::success;
}

} // namespace

ExitCode explain(const ExplainOptions& options) {
    auto found = find_case_or_file(options.name);
    if (const auto* refusal = std::get_if<Refusal>(&found)) {
        if (const NativeCase* native = find_native_case(options.name)) {
            return explain_native(*native, options.source);
        }
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
    for (const Report& report : listed.litmus.because) {
        fmt::print("because of {}: {}\n", print(report), address(report));
    }
    print_notes(listed.id);
    fmt::print("{}{}\n", listed.litmus.because.empty() ? "" : "\n", print(listed.litmus));
    print_routes(listed.litmus);
    return ExitCode::success;
}

} // namespace pdlcts
