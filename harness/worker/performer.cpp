// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/performer.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/branches.hpp"
#include "harness/worker/native_cells.hpp"
#include "harness/worker/seeds.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// Of the program, and as many of the control, each with up to most_instances instances.
constexpr std::uint64_t launches_of_instances = 64;

} // namespace

Thresholds thresholds_of(bool quick) {
    Thresholds thresholds;
    if (quick) {
        thresholds.program_trials = 100;
        thresholds.quick = true;
    }
    return thresholds;
}

Performer::Performer(Gpu& gpu, RunSetup setup, std::vector<Case> cases, const CodeCache* cache)
    : gpu_(gpu), setup_(std::move(setup)), cases_(std::move(cases)), images_(gpu_, setup_, cases_, cache) {}

TrialOptions Performer::options_of(const CellJob& job, const Announce& announce, std::uint64_t form) const {
    TrialOptions options;
    options.trials = job.trials;
    options.seed = seed_of_round(setup_.seed, job.number, form, job.round);
    options.deadline = std::max(setup_.batch_deadline, least_deadline(cases_[job.listed].litmus));
    options.calibration = setup_.calibration;
    options.jitter = setup_.jitter;
    options.one_gpu_as_two = setup_.one_gpu_as_two;
    options.announce = announce;
    return options;
}

/// The trials of one form, and beside them its instances.
RouteRun Performer::run_form(const CellJob& job, Route route, std::uint64_t form, const Announce& announce) {
    const Litmus& litmus = cases_[job.listed].litmus;
    const CompiledCase& compiled = *images_.of(job.listed, announce);
    TrialOptions options = options_of(job, announce, form);
    announce(concat("the ", name(route), " route"));
    RouteRun run = gpu_.run(litmus, compiled, route, options);
    if (setup_.instances && run.incident == Incident::none && proves_instances(litmus, run)) {
        options.seed = ~options.seed;
        options.trials = launches_of_instances;
        options.instances = most_instances;
        announce(concat("instances on the ", name(route), " route"));
        record_instances(run, gpu_.run(litmus, compiled, route, options));
    }
    return run;
}

/// Beside the trials: what is built is nearly always what the rules of lowering give.
void Performer::ask_machine(const Litmus& litmus, Route route) {
    for (const Program* program : {&litmus.program, litmus.control ? &*litmus.control : nullptr}) {
        if (program == nullptr) {
            continue;
        }
        if (const Result<Plan> plan = lower(*program, route)) {
            machine_.ask(*program, *plan);
        }
    }
}

Cell Performer::cell(const CellJob& job, const Announce& announce) {
    const Case& listed = cases_[job.listed];
    Result<Cell> prepared = prepare_cell(listed, job.route, thresholds_of(setup_.quick), embedded_ledger());
    Cell cell;
    if (!prepared) {
        cell.case_id = listed.id;
        cell.form.route = job.route;
        cell.incident = Incident::harness_error;
        cell.incident_detail = prepared.error().message;
        return cell;
    }
    cell = *std::move(prepared);
    const Result<CompiledCase>& compiled = images_.of(job.listed, announce);
    if (!compiled) {
        cell.incident = images_.none() ? Incident::not_supported : Incident::harness_error;
        cell.incident_detail = compiled.error().message;
        return cell;
    }
    const std::optional<Route> other = other_route(listed, embedded_ledger());
    ask_machine(listed.litmus, job.route);
    if (other) {
        ask_machine(listed.litmus, *other);
    }
    RouteRun first = run_form(job, job.route, 0, announce);
    std::optional<RouteRun> second;
    if (other && !is_lost(first.incident)) {
        second = run_form(job, *other, 1, announce);
    }
    announce("the abstract machine");
    record_run(cell, listed, *compiled, std::move(first), std::move(second),
               [this](const Program& program, const Plan& plan) { return machine_.answer(program, plan); });
    return cell;
}

NativeCell Performer::native(const NativeCase& listed, const Announce& announce) {
    announce("the check's calls");
    return probe(gpu_, listed, embedded_ledger());
}

Cell Performer::pictures(const CellJob& job, const Announce& announce) {
    const Case& listed = cases_[job.listed];
    Cell cell;
    cell.case_id = listed.id;
    cell.form.route = job.route;
    const Result<CompiledCase>& stamped = images_.stamped(job.listed, announce);
    if (!stamped) {
        cell.pictures.emplace().note = stamped.error().message;
        return cell;
    }
    announce("stamped trials");
    PictureRun taken = gpu_.take_pictures(listed.litmus, *stamped, job.route, options_of(job, announce, 0));
    cell.pictures = std::move(taken.pictures);
    cell.latency = std::move(taken.latency);
    cell.incident = taken.incident;
    return cell;
}

} // namespace pdlcts
