// SPDX-License-Identifier: Apache-2.0
#include "harness/export/reproducer.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/concat.hpp"
#include "harness/export/claim_text.hpp"
#include "harness/export/header_text.hpp"
#include "harness/export/launches.hpp"
#include "harness/export/trials_text.hpp"
#include "harness/export/words.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// What was explored already of the case's program or control on a route, if that came to an end.
const Exploration* known_exploration(std::span<const Check> known, Role role, Route route) {
    for (const Check& check : known) {
        const Exploration& explored = role == Role::control ? check.control : check.program;
        if (check.route == route && check.answer != Answer::not_expressible && explored.decided) {
            return &explored;
        }
    }
    return nullptr;
}

Result<Side> side_of(Role role, Route route, const Program& program, const Layout& layout,
                     const ReproducerOptions& options) {
    Result<Plan> plan = lower(program, route);
    if (!plan) {
        return plan.error();
    }
    Side side{role, route, &program, &layout, *std::move(plan), {}, false};
    // With `control_alone` the program is the case's control, of which nothing is looked up.
    const Exploration* known = options.control_alone ? nullptr : known_exploration(options.known, role, route);
    const Exploration fresh = known != nullptr ? Exploration{} : explore(program, side.plan, options.limits);
    const Exploration& exploration = known != nullptr ? *known : fresh;
    side.decided = exploration.decided;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        if (exploration.decided) {
            side.allowed.push_back(print(outcome));
        }
    }
    return side;
}

Result<SideForm> form_of(const Reproduced& reproduced, Route route, const ReproducerOptions& options) {
    Result<Side> program = side_of(Role::program, route, reproduced.litmus.program, reproduced.layout.program, options);
    if (!program) {
        return program.error();
    }
    SideForm form{*std::move(program), std::nullopt};
    if (reproduced.litmus.control) {
        Result<Side> control =
            side_of(Role::control, route, *reproduced.litmus.control, *reproduced.layout.control, options);
        if (!control) {
            return Error{"the control: " + control.error().message};
        }
        form.control = *std::move(control);
    }
    return form;
}

/// What a reproducer cannot have: it uses one GPU.
std::optional<Error> second_gpu(const Litmus& litmus) {
    for (const Program* program : {&litmus.program, litmus.control ? &*litmus.control : nullptr}) {
        for (const Grid* grid : program == nullptr ? std::vector<const Grid*>{} : grids_of(*program)) {
            if (grid->peer) {
                return Error{concat("grid ", grid->name, " is on a second GPU, and a reproducer uses one")};
            }
        }
    }
    return std::nullopt;
}

std::vector<std::string> streams_of(const Litmus& litmus) {
    std::vector<std::string> streams = litmus.program.streams;
    for (const std::string& stream : litmus.control ? litmus.control->streams : std::vector<std::string>{}) {
        if (std::find(streams.begin(), streams.end(), stream) == streams.end()) {
            streams.push_back(stream);
        }
    }
    return streams;
}

/// A reproducer shows how a program is launched, and not what else may be done to a graph or by which interface.
std::optional<Error> detour(const Case& listed, Route route, const Ledger& ledger) {
    const Route plan = lowered_as(route);
    if (plan == route) {
        return std::nullopt;
    }
    const std::string instead =
        has_cell_on(listed, plan, ledger)
            ? concat("export that one with --route ", name(plan), ", and see whether it shows the same")
            : concat("write the program to a file of your own without a `routes` line, and export that with --route ",
                     name(plan));
    return Error{concat("no reproducer is written of this route, which launches the plan of route ", name(plan),
                        " by a detour; ", instead)};
}

/// `stream, captured`
std::string listed_routes(const std::vector<Route>& routes) {
    std::string text;
    for (const Route route : routes) {
        text += (text.empty() ? "" : ", ") + std::string(name(route));
    }
    return text;
}

void write_includes(CppText& out, const Reproduced& reproduced) {
    out.blank();
    out.line(0, "#include <cuda_runtime.h>");
    out.blank();
    std::vector<const char*> headers = {"algorithm",        "chrono", "cmath", "cstddef", "cstdio", "cstdlib",
                                        "initializer_list", "map",    "set",   "string",  "thread", "vector"};
    if (host_thread_takes_part(reproduced)) {
        headers.insert(headers.begin() + 1, "atomic");
        headers.push_back("limits");
    }
    for (const char* header : headers) {
        out.line(0, concat("#include <", header, ">"));
    }
}

void write_routes(CppText& out, const Reproduced& reproduced) {
    for (const Side* side : reproduced.roles()) {
        write_host_functions(out, *side);
    }
    if (!reproduced.on_streams()) {
        write_graph_support(out, reproduced);
    }
    for (const Side* side : reproduced.sides()) {
        switch (side->route) {
        case Route::stream:
            write_issue(out, *side);
            break;
        case Route::captured:
            write_capture(out, reproduced, *side);
            break;
        case Route::edges:
            write_build(out, *side);
            break;
        case Route::cloned:
        case Route::child:
        case Route::updated:
        case Route::driver:
            break; // refused before
        }
    }
}

std::string text_of(const Reproduced& reproduced, const Ledger& ledger) {
    CppText out;
    write_header(out, reproduced, ledger);
    write_includes(out, reproduced);
    out.heading("1. The kernels, exactly as the suite compiles them");
    std::string kernels = emit(reproduced.litmus, reproduced.layout);
    kernels.erase(kernels.find_last_not_of('\n') + 2);
    out.block(kernels);
    out.heading("2. The launches: the host's part of a trial");
    write_calls(out, reproduced);
    out.blank();
    write_streams_and_events(out, reproduced);
    write_routes(out, reproduced);
    out.heading("3. The words of a trial");
    write_word_support(out, reproduced);
    write_words(out, reproduced);
    out.heading("4. The claim, and what is allowed");
    write_claim(out, reproduced);
    write_sides(out, reproduced);
    out.heading("5. The verdict");
    write_verdict(out, reproduced);
    out.blank();
    write_report(out, reproduced);
    out.heading("6. The trials");
    write_requirements(out, reproduced);
    out.blank();
    write_trials(out, reproduced);
    out.blank();
    write_main(out, reproduced);
    return out.text;
}

} // namespace

Result<std::string> reproducer(const Case& listed, const Ledger& ledger, const ReproducerOptions& options) {
    const std::vector<Route> routes = cell_routes(listed, ledger);
    Reproduced reproduced;
    reproduced.listed = &listed;
    reproduced.statement = statement_of(listed, ledger);
    reproduced.control_alone = options.control_alone;
    reproduced.suite = options.suite;
    std::vector<Route> asked{options.route};
    if (const std::optional<Route> other = other_route(listed, ledger); other && !options.control_alone) {
        asked.push_back(*other);
    }
    if (!has_cell_on(listed, options.route, ledger)) {
        return Error{
            concat(listed.id, " makes no claim on route ", name(options.route), ", only on ", listed_routes(routes))};
    }
    for (const Route route : asked) {
        if (const std::optional<Error> error = detour(listed, route, ledger)) {
            return Error{concat(listed.id, " on route ", name(route), ": ", error->message)};
        }
    }
    reproduced.litmus = listed.litmus;
    if (options.control_alone) {
        if (!listed.litmus.control) {
            return Error{concat(listed.id, " has no control")};
        }
        reproduced.litmus.program = *listed.litmus.control;
        reproduced.litmus.control.reset();
    }
    if (const std::optional<Error> error = second_gpu(reproduced.litmus)) {
        return Error{concat(listed.id, ": ", error->message)};
    }
    Result<CaseLayout> layout = lay_out(reproduced.litmus);
    if (!layout) {
        return Error{concat(listed.id, ": ", layout.error().message)};
    }
    reproduced.layout = *std::move(layout);
    reproduced.streams = streams_of(reproduced.litmus);
    for (const Route route : asked) {
        Result<SideForm> form = form_of(reproduced, route, options);
        if (!form) {
            return Error{concat(listed.id, " on route ", name(route), ": ", form.error().message)};
        }
        reproduced.forms.push_back(*std::move(form));
    }
    return text_of(reproduced, ledger);
}

} // namespace pdlcts
