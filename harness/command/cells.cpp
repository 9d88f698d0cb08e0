// SPDX-License-Identifier: Apache-2.0
#include "harness/command/cells.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/machine/check.hpp"
#include "conformance/machine/instance_proof.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/sha256.hpp"
#include "harness/gpu/emit.hpp"
#include "harness/gpu/requirements.hpp"
#include "harness/judge/claim.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::string print_if(const std::optional<Condition>& condition) {
    return condition ? print(*condition) : "";
}

std::vector<std::string> print_outcomes(const Exploration& exploration) {
    std::vector<std::string> outcomes;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        outcomes.push_back(print(outcome));
    }
    return outcomes;
}

/// What the machine allows of the plan that was built; where nothing can be read back, of the plan that the rules of
/// lowering give.
void allow(Observation& observation, const Program& program, const std::optional<Plan>& built, Route route,
           const AllowedSetOf& allowed) {
    const Result<Plan> plan = built ? Result<Plan>(*built) : lower(program, route);
    if (!plan) {
        return;
    }
    AllowedSet answer = allowed(program, *plan);
    observation.decided = answer.decided;
    observation.allowed = std::move(answer.outcomes);
}

MachineAnswer::Kind kind_of(Answer answer) {
    switch (answer) {
    case Answer::proved:
        return MachineAnswer::Kind::proved;
    case Answer::refuted:
        return MachineAnswer::Kind::refuted;
    case Answer::not_decided:
    case Answer::not_expressible:
        break;
    }
    return MachineAnswer::Kind::not_decided;
}

Observation predicted(const Program& program, const Plan& plan, const Exploration& exploration) {
    Observation observation;
    observation.allowed = print_outcomes(exploration);
    observation.decided = exploration.decided;
    observation.structure.expected = print_dependencies(program, plan);
    observation.structure.undocumented = plan.undocumented;
    return observation;
}

Form predicted(const Litmus& litmus, const Check& check) {
    Form form;
    form.route = check.route;
    form.program = predicted(litmus.program, *check.program_plan, check.program);
    if (litmus.control) {
        form.control = predicted(*litmus.control, *check.control_plan, check.control);
    }
    return form;
}

/// An equivalence on the machine: both forms have the same dependencies, those of the control are others where it is
/// their graphs that are compared, and the claim holds of both.
MachineAnswer compare(const Cell& cell, const Check& captured, const Check& other) {
    for (const Check* check : {&captured, &other}) {
        if (check->answer != Answer::proved) {
            return {kind_of(check->answer), std::string(name(check->route)) + ": " + check->reason, check->trace};
        }
    }
    if (cell.form.program.structure.expected != cell.other_form->program.structure.expected) {
        return {MachineAnswer::Kind::refuted, "the two forms do not have the same dependencies", {}};
    }
    const bool of_graphs = launches_graph(cell.form.route);
    if (!cell.form.control ||
        (of_graphs && cell.form.control->structure.expected == cell.form.program.structure.expected)) {
        return {MachineAnswer::Kind::refuted, "the form that must differ has the same dependencies", {}};
    }
    return {MachineAnswer::Kind::proved, "both forms have the same dependencies and the same outcomes", captured.trace};
}

Cell described(const Case& listed, Route route, const Ledger& ledger) {
    const Statement statement = statement_of(listed, ledger);
    const Claim& claim = listed.litmus.program.claim;
    Cell cell;
    cell.case_id = listed.id;
    cell.statement = listed.statement;
    cell.strength = statement.strength;
    cell.basis = statement.basis;
    cell.claim = {print_if(claim.never), print_if(claim.sometimes), claim.ends, print_if(claim.armed)};
    cell.form.route = route;
    return cell;
}

} // namespace

std::uint64_t trials_of(const Cell& cell, const Litmus& litmus, bool quick) {
    const std::uint64_t trials = trials_of_a_cell(quick);
    return !judged(cell) ? trials / 4 : litmus.memory_load ? trials * 5 : trials;
}

bool proves_instances(const Litmus& litmus, const RouteRun& run) {
    const auto proved = [&](const Program& program, const std::optional<Plan>& built) {
        const Result<Plan> plan = built ? Result<Plan>(*built) : lower(program, run.form.route);
        return plan && pdlcts::proves_instances(program, *plan, explore(program, *plan, instance_limits));
    };
    return proved(litmus.program, run.program_built) && (!litmus.control || proved(*litmus.control, run.control_built));
}

void record_instances(RouteRun& trials, RouteRun instances) {
    if (instances.incident != Incident::none) {
        trials.incident = instances.incident;
        trials.incident_detail = "in a run of instances: " + instances.incident_detail;
        return;
    }
    Instances& counted = trials.form.instances.emplace();
    counted.blocks = instances.instances;
    counted.launches = instances.form.program.tally.trials() / std::max(instances.instances, 1u);
    counted.program = std::move(instances.form.program.tally);
    if (instances.form.control) {
        counted.control = std::move(instances.form.control->tally);
    }
    counted.time = instances.form.time.value_or(RunTime{});
}

std::string digest_of_run(const Litmus& litmus, Route route, std::string_view image, std::string_view source) {
    return sha256(print(litmus) + "\n" + std::string(name(route)) + "\n" + std::string(image) + "\n" +
                  std::string(source));
}

Result<Cell> prepare_cell(const Case& listed, Route route, const Thresholds& thresholds, const Ledger& ledger) {
    Cell cell = described(listed, route, ledger);
    cell.thresholds = thresholds;
    for (const Program* program : {&listed.litmus.program, listed.litmus.control ? &*listed.litmus.control : nullptr}) {
        if (program == nullptr) {
            continue;
        }
        if (const Result<Plan> plan = lower(*program, route); !plan) {
            return plan.error();
        }
        if (const std::optional<Route> second = other_route(listed, ledger)) {
            if (const Result<Plan> plan = lower(*program, *second); !plan) {
                return plan.error();
            }
        }
    }
    return cell;
}

std::vector<Route> wanted_routes(const Case& listed, std::span<const Route> asked, const Ledger& ledger) {
    if (asked.empty()) {
        return cell_routes(listed, ledger);
    }
    std::vector<Route> routes;
    std::copy_if(asked.begin(), asked.end(), std::back_inserter(routes),
                 [&](Route route) { return has_cell_on(listed, route, ledger); });
    return routes;
}

std::vector<Route> routes_with_cell(const Case& listed, const Ledger& ledger) {
    std::vector<Route> routes = cell_routes(listed, ledger);
    std::erase_if(routes, [&](Route route) { return !prepare_cell(listed, route, {}, ledger); });
    return routes;
}

Result<Cell> machine_cell(const Case& listed, Route route, const Ledger& ledger) {
    const Check checked = check(listed.litmus, route);
    if (checked.answer == Answer::not_expressible) {
        return Error{checked.reason};
    }
    Cell cell = described(listed, route, ledger);
    cell.image = "machine";
    cell.digest = digest_of_run(listed.litmus, route, cell.image, "");
    cell.form = predicted(listed.litmus, checked);
    cell.machine = MachineAnswer{kind_of(checked.answer), checked.reason, checked.trace};
    if (const std::optional<Route> second = other_route(listed, ledger)) {
        const Check other = check(listed.litmus, *second);
        if (other.answer == Answer::not_expressible) {
            return Error{other.reason};
        }
        cell.other_form = predicted(listed.litmus, other);
        cell.machine = compare(cell, checked, other);
    }
    return cell;
}

AllowedSet allowed_set(const Program& program, const Plan& plan) {
    const Exploration exploration = explore(program, plan);
    return {exploration.decided, print_outcomes(exploration)};
}

void record_run(Cell& cell, const Case& listed, const CompiledCase& compiled, RouteRun run,
                std::optional<RouteRun> other, const AllowedSetOf& allowed) {
    const Litmus& litmus = listed.litmus;
    const auto with_allowed = [&](RouteRun& route_run) {
        const Route route = route_run.form.route;
        allow(route_run.form.program, litmus.program, route_run.program_built, route, allowed);
        if (route_run.form.control && litmus.control) {
            allow(*route_run.form.control, *litmus.control, route_run.control_built, route, allowed);
        }
        if (cell.incident == Incident::none) {
            cell.incident = route_run.incident;
            cell.incident_detail = route_run.incident_detail;
        }
        return std::move(route_run.form);
    };
    cell.image = compiled.image;
    cell.digest = digest_of_run(litmus, cell.form.route, compiled.image, compiled.source);
    cell.form = with_allowed(run);
    if (other) {
        cell.other_form = with_allowed(*other);
    }
}

namespace {

/// A run's allowed sets are those of the expected plan, unless what was built differs: then the plan is only known to
/// the run, and its allowed sets cannot be derived again from text alone. What is expected always can.
void review(const Observation& observation, const Program& program, Route route, const std::string& where,
            MachineReview& review) {
    const Structure& structure = observation.structure;
    const bool as_expected = !structure.read_back || structure.built == structure.expected;
    Observation again;
    allow(again, program, std::nullopt, route, allowed_set);
    if (as_expected && (again.allowed != observation.allowed || again.decided != observation.decided)) {
        review.differences.push_back(where + ": the machine allows another set of outcomes than the file says");
    }
    const Result<Plan> plan = lower(program, route);
    if (plan && print_dependencies(program, *plan) != structure.expected) {
        review.differences.push_back(where + ": the rules of lowering give other dependencies than the file says");
    }
    if (plan && plan->undocumented != structure.undocumented) {
        review.differences.push_back(where + ": the file says otherwise what is documented of its dependencies");
    }
}

void review(const Form& form, const Litmus& litmus, const std::string& where, MachineReview& result) {
    review(form.program, litmus.program, form.route, where + ", program", result);
    if (form.control && litmus.control) {
        review(*form.control, *litmus.control, form.route, where + ", control", result);
    }
}

/// The cell is of a case as it is: its claim, on its routes, with its control.
void review_claim(const Cell& cell, const Case& listed, const Ledger& ledger, const std::string& where,
                  MachineReview& result) {
    const Cell expected = described(listed, cell.form.route, ledger);
    if (expected.claim != cell.claim || expected.statement != cell.statement) {
        result.differences.push_back(where + ": the case claims something else than the file says");
    }
    if (!has_cell_on(listed, cell.form.route, ledger)) {
        result.differences.push_back(where + ": the case claims nothing on this route");
    }
    if (cell.other_form && cell.other_form->route != other_route(listed, ledger)) {
        result.differences.push_back(where + ", other form: the case is not compared with the " +
                                     std::string(name(cell.other_form->route)) + " route");
    }
    // Where something stopped the run, the control may not have been reached.
    const bool ran = cell.incident == Incident::none;
    if (ran && cell.form.control.has_value() != listed.litmus.control.has_value()) {
        result.differences.push_back(where + (cell.form.control ? ": the case has no control, the file has one"
                                                                : ": the case has a control, the file has none"));
    }
    if (ran && !cell.machine && cell.form.second_gpu.has_value() != has_peer_grid(listed.litmus)) {
        result.differences.push_back(where + (cell.form.second_gpu
                                                  ? ": the case has one GPU, the file says that a second took part"
                                                  : ": the case has two GPUs, the file names no second"));
    }
}

std::string source_of(const Litmus& litmus, std::string_view image) {
    const Result<CaseLayout> layout = lay_out(litmus);
    return layout ? emit(litmus, *layout, spelling_of(image)) : "";
}

} // namespace

std::vector<std::string> missing_cells(std::span<const Cell> cells, const Ledger& ledger) {
    std::vector<std::string> missing;
    for (const Case& listed : embedded_cases()) {
        for (const Route route : routes_with_cell(listed, ledger)) {
            const bool there = std::any_of(cells.begin(), cells.end(), [&](const Cell& cell) {
                return cell.case_id == listed.id && cell.form.route == route && !cell.statement.empty();
            });
            if (!there) {
                missing.push_back(listed.id + " on " + std::string(name(route)));
            }
        }
    }
    return missing;
}

MachineReview review_with_machine(std::span<const Cell> cells, const Ledger& ledger, WrittenBy written_by) {
    MachineReview result;
    for (const Cell& cell : cells) {
        const auto listed = std::find_if(embedded_cases().begin(), embedded_cases().end(),
                                         [&](const Case& candidate) { return candidate.id == cell.case_id; });
        // Trials without an image are the judge's business.
        const bool no_device_ran = cell.image.empty();
        if (no_device_ran) {
            continue;
        }
        // A user's own file names no statement, whatever its path is.
        if (listed == embedded_cases().end() || cell.statement.empty()) {
            ++result.other_version;
            continue;
        }
        const Route route = cell.form.route;
        const std::string where = cell.case_id + " on " + std::string(name(route));
        const bool same_digest =
            digest_of_run(listed->litmus, route, cell.image,
                          cell.machine ? "" : source_of(listed->litmus, cell.image)) == cell.digest;
        if (same_digest || written_by != WrittenBy::another_suite) {
            review_claim(cell, *listed, ledger, where, result);
        }
        if (!same_digest) {
            ++result.other_version;
            if (written_by == WrittenBy::this_suite) {
                result.differences.push_back(where + ": the digest is not that of the case and its image, though the "
                                                     "file says that this suite ran it");
            }
            continue;
        }
        ++result.reviewed;
        review(cell.form, listed->litmus, where, result);
        if (cell.other_form) {
            review(*cell.other_form, listed->litmus, where + ", other form", result);
        }
        if (cell.machine) {
            const Result<Cell> again = machine_cell(*listed, route, ledger);
            if (!again || again->machine != cell.machine) {
                result.differences.push_back(where + ": the machine gives another answer than the file says");
            }
        }
    }
    return result;
}

} // namespace pdlcts
