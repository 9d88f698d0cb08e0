// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/diagnosis.hpp"
#include "harness/command/case_files.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/listing.hpp"
#include "harness/command/terminal.hpp"
#include "harness/command/trace_table.hpp"

#include <fmt/color.h>
#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

fmt::terminal_color colour_of(Answer answer) {
    return answer == Answer::proved    ? fmt::terminal_color::green
           : answer == Answer::refuted ? fmt::terminal_color::red
                                       : fmt::terminal_color::yellow;
}

std::string paragraph(const std::string& first, const std::string& text) {
    std::string printed;
    const std::string others(first.size(), ' ');
    for (const std::string& line : wrap_words(text, 100 - first.size())) {
        printed += fmt::format("{}{}\n", printed.empty() ? first : others, line);
    }
    return printed;
}

/// The number of the step in which an instruction is executed, where the execution shows it.
std::optional<std::size_t> step_of(const Program& program, const Plan& plan, const Trace& trace, const Place& place) {
    const Node& node = plan.nodes[place.node];
    const bool by_host = stream_of(program.operations[node.operation]) == nullptr;
    return find_step(trace, by_host ? "the host" : node_name(program, node), instruction_text(program, plan, place));
}

/// The execution that shows the outcome which `never` rules out, why it is possible, and what would rule it out.
std::string counterexample(const Program& program, const Check& check) {
    const Plan& plan = *check.program_plan;
    const std::vector<DecidingRead> reads = deciding_reads(program, plan, *program.claim.never, *check.counterexample);
    std::vector<std::size_t> marked;
    std::string why;
    for (const DecidingRead& read : reads) {
        const std::optional<std::size_t> step = step_of(program, plan, check.trace, read.read.place);
        if (step) {
            marked.push_back(*step);
        }
        if (!read.why.empty()) {
            why += paragraph("      ", (step ? fmt::format("Step {}: ", *step + 1) : "") + read.why);
        }
    }
    std::string text = "    This execution shows it:\n";
    for (const std::string& line : trace_table(check.trace, marked)) {
        text += fmt::format("      {}\n", line);
    }
    text += why.empty() ? "" : "    Why that can be:\n" + why;
    const std::vector<Remedy> changes = remedies(program, plan, reads);
    if (!changes.empty()) {
        text += changes.size() == 1 ? "    With this change the claim holds (the machine tried it):\n"
                                    : "    With any one of these changes the claim holds (the machine tried them):\n";
        for (const Remedy& remedy : changes) {
            text += paragraph("      - ", remedy.change);
        }
    }
    return text;
}

const char* trace_heading(const Claim& claim, const Check& check) {
    if (check.answer == Answer::refuted) {
        return claim.ends && !claim.sometimes ? "This execution does not end:"
                                              : "This execution of the control shows it:";
    }
    return claim.sometimes ? "An execution that shows it:" : "An execution of the control that violates the claim:";
}

/// What there is to say beyond the answer and its reason.
std::string details(const Litmus& litmus, const Check& check, bool trace) {
    std::string text;
    if (check.counterexample) {
        text = counterexample(litmus.program, check);
    } else if ((check.answer == Answer::refuted || trace) && !check.trace.empty()) {
        text = fmt::format("    {}\n", trace_heading(litmus.program.claim, check));
        for (const std::string& line : trace_table(check.trace)) {
            text += fmt::format("      {}\n", line);
        }
    }
    for (const std::string& advice : check.advice) {
        text += paragraph("    ", advice);
    }
    return text;
}

/// Routes of which there is the same to say.
struct Group {
    Answer answer = Answer::not_decided;
    std::string reason;
    std::string details;
    std::vector<std::string> routes;
    std::size_t fewest_states = 0;
    std::size_t most_states = 0;
};

std::vector<Group> grouped(const CheckedCase& checked, bool trace) {
    std::vector<Group> groups;
    std::vector<std::string> texts;
    for (const Check& check : checked.checks) {
        // What would help is explored, so that it is asked once of routes that make the same of the program.
        const auto known = std::find_if(checked.checks.begin(), checked.checks.end(),
                                        [&](const Check& each) { return &each == &check || same_plans(each, check); });
        const auto index = static_cast<std::size_t>(known - checked.checks.begin());
        texts.push_back(index < texts.size() ? texts[index] : details(checked.listed.litmus, check, trace));
        const std::string& text = texts.back();
        const std::size_t states = check.program.states + check.control.states;
        const auto same = std::find_if(groups.begin(), groups.end(), [&](const Group& group) {
            return group.answer == check.answer && group.reason == check.reason && group.details == text;
        });
        if (same == groups.end()) {
            groups.push_back({check.answer, check.reason, text, {std::string(name(check.route))}, states, states});
        } else {
            same->routes.emplace_back(name(check.route));
            same->fewest_states = std::min(same->fewest_states, states);
            same->most_states = std::max(same->most_states, states);
        }
    }
    return groups;
}

void print_case(const CheckedCase& checked, bool trace, bool colour) {
    fmt::print("{}\n", checked.listed.id);
    for (const Group& group : grouped(checked, trace)) {
        std::string states;
        if (group.most_states != 0) {
            states = group.fewest_states == group.most_states
                         ? fmt::format(" ({} states)", group.most_states)
                         : fmt::format(" ({} to {} states)", group.fewest_states, group.most_states);
        }
        const std::string answer(name(group.answer));
        std::string heading =
            paragraph("  ", fmt::format("{} on {}: {}", answer, enumerate(group.routes), group.reason));
        heading.insert(heading.size() - 1, states);
        if (colour) {
            heading.replace(2, answer.size(), fmt::format(fmt::fg(colour_of(group.answer)), "{}", answer));
        }
        fmt::print("{}{}", heading, group.details);
    }
}

} // namespace

ExitCode check(const CheckOptions& options) {
    CaseFiles selected = options.names.empty() ? CaseFiles{embedded_cases(), {}} : find_cases_or_files(options.names);
    complain_of(selected);
    if (selected.cases.empty()) {
        return selected.with_refusals(ExitCode::negative);
    }
    Limits limits;
    limits.states = options.states;
    std::vector<CheckedCase> cases;
    std::size_t proved = 0;
    std::size_t answered = 0;
    for (Case& listed : selected.cases) {
        CheckedCase checked{std::move(listed), {}};
        checked.checks = check_routes(checked.listed.litmus, limits);
        for (const Check& each : checked.checks) {
            // A route that cannot express a program says nothing against its claim.
            answered += each.answer == Answer::not_expressible ? 0 : 1;
            proved += each.answer == Answer::proved ? 1 : 0;
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
    return selected.with_refusals(proved == answered && answered != 0 ? ExitCode::success : ExitCode::negative);
}

} // namespace pdlcts
