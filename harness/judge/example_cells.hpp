// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/routes.hpp"
#include "harness/judge/judge.hpp"

/// Cells for tests, with evidence that earns the best verdict of their kind. A test spoils one thing.
namespace pdlcts::examples {

inline Structure plan_of(const char* line) {
    return {.expected = {line}, .built = {line}, .read_back = true, .undocumented = {}};
}

/// `never seen == 0`, armed in every trial; the control shows it in 1,990 of 2,000 trials.
inline Form never_form(Route route) {
    Form form;
    form.route = route;
    form.program.tally.outcomes = {{"overlapped=1 seen=1", 2000}};
    form.program.allowed = {"overlapped=0 seen=1", "overlapped=1 seen=1"};
    form.program.decided = true;
    form.control.emplace();
    form.control->tally.outcomes = {{"overlapped=1 seen=0", 1990}, {"overlapped=1 seen=1", 10}};
    form.control->allowed = {"overlapped=0 seen=0", "overlapped=0 seen=1", "overlapped=1 seen=0",
                             "overlapped=1 seen=1"};
    form.control->decided = true;
    if (launches_graph(route)) {
        form.program.structure = plan_of("primary -> secondary: type programmatic, port programmatic");
        form.control->structure = plan_of("primary -> secondary: type full, port full");
    }
    form.branches = launches_graph(route) ? 16 : 1;
    form.time = {.seconds = 0.5, .launch_seconds = 0.25};
    return form;
}

/// `sometimes seen == 1`, shown in 40 of 2,000 trials and never by the control.
inline Form sometimes_form(Route route) {
    Form form = never_form(route);
    form.program.tally.outcomes = {{"seen=0", 1960}, {"seen=1", 40}};
    form.program.allowed = {"seen=0", "seen=1"};
    form.control->tally.outcomes = {{"seen=0", 2000}};
    form.control->allowed = {"seen=0"};
    return form;
}

inline Cell never_cell() {
    Cell cell;
    cell.case_id = "visibility.after-wait/post-trigger-writes";
    cell.statement = "visibility.after-wait.post-trigger-writes";
    cell.image = "sass sm_90";
    cell.digest = std::string(64, 'a');
    cell.claim = {.never = "seen == 0", .sometimes = "", .ends = false, .armed = "overlapped == 1"};
    cell.form = never_form(Route::stream);
    return cell;
}

/// What a calibrated and varied run of never_form adds.
inline Form varied(Form form) {
    form.program.variations["plain"].outcomes = {{"overlapped=1 seen=1", 1500}};
    form.program.variations["load"].outcomes = {{"overlapped=1 seen=1", 500}};
    form.control->variations["plain"].outcomes = {{"overlapped=1 seen=0", 1500}};
    form.control->variations["load"].outcomes = {{"overlapped=1 seen=0", 490}, {"overlapped=1 seen=1", 10}};
    form.windows = {{.poll = "primary: thread 0: await started == 1 -> overlapped within 50us",
                     .ceiling_ns = 50'000,
                     .window_ns = 7'200,
                     .program = PollLatencies{.trials = 56, .satisfied = 56, .median_ns = 1'500, .high_ns = 1'800},
                     .control = PollLatencies{.trials = 56, .satisfied = 0, .median_ns = 0, .high_ns = 0}}};
    return form;
}

inline Cell sometimes_cell() {
    Cell cell = never_cell();
    cell.strength = Strength::permission;
    cell.claim = {.never = "", .sometimes = "seen == 1", .ends = false, .armed = ""};
    cell.form = sometimes_form(Route::stream);
    return cell;
}

inline Cell equivalence_cell() {
    Cell cell = never_cell();
    cell.strength = Strength::equivalence;
    cell.form = never_form(Route::captured);
    cell.other_form = never_form(Route::edges);
    return cell;
}

inline Cell equivalence_of_streams() {
    Cell cell = equivalence_cell();
    cell.form = never_form(Route::stream);
    cell.other_form = never_form(Route::driver);
    return cell;
}

inline Cell sometimes_equivalence_cell() {
    Cell cell = equivalence_cell();
    cell.claim = {.never = "", .sometimes = "seen == 1", .ends = false, .armed = ""};
    cell.form = sometimes_form(Route::captured);
    cell.other_form = sometimes_form(Route::edges);
    return cell;
}

inline Cell machine_cell(MachineAnswer::Kind kind, const char* reason) {
    Cell cell = never_cell();
    cell.form.program = {};
    cell.form.control.reset();
    cell.image = "machine";
    cell.machine = MachineAnswer{kind, reason, {}};
    return cell;
}

} // namespace pdlcts::examples
