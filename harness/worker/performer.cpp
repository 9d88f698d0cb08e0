// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/performer.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/concat.hpp"
#include "conformance/support/stopwatch.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/branches.hpp"
#include "harness/worker/native_cells.hpp"
#include "harness/worker/seeds.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

/// Of the program, and as many of the control, each with up to most_instances instances.
constexpr std::uint64_t launches_of_instances = 64;

CompiledUnits counted(const std::vector<Result<CompiledCase>>& compiled, double seconds) {
    std::set<const CompiledUnit*> units;
    for (const Result<CompiledCase>& each : compiled) {
        if (each) {
            units.insert(each->unit.get());
        }
    }
    const auto from_cache =
        std::count_if(units.begin(), units.end(), [](const CompiledUnit* unit) { return unit->from_cache; });
    return {seconds, units.size(), static_cast<std::uint64_t>(from_cache)};
}

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
    : gpu_(gpu), setup_(std::move(setup)), cases_(std::move(cases)), cache_(cache) {}

Performer::~Performer() {
    stop_stamping_.request_stop();
}

std::vector<Result<CompiledCase>> Performer::images_of(const CompileOptions& options) const {
    std::vector<const Litmus*> programs;
    programs.reserve(cases_.size());
    for (const Case& listed : cases_) {
        programs.push_back(&listed.litmus);
    }
    return no_image_ ? std::vector<Result<CompiledCase>>(cases_.size(), Error{*no_image_})
                     : gpu_.compile(programs, options);
}

CompiledUnits Performer::compile(const Announce& announce) {
    announce(concat("compiling ", cases_.size(), " cases"));
    const Stopwatch stopwatch;
    no_image_ = gpu_.why_no_image(setup_.image);
    compiled_ = images_of({.image = setup_.image, .cache = cache_});
    stamped_.assign(cases_.size(), Error{"compiled without stamps"});
    if (setup_.stamps) {
        stamping_ = std::async(std::launch::async, [this] {
            return images_of({setup_.image, cache_, true, true, stop_stamping_.get_token()});
        });
    }
    return counted(compiled_, stopwatch.seconds());
}

const Result<CompiledCase>& Performer::stamped_image_of(const CellJob& job) {
    if (stamping_.valid()) {
        stamped_ = stamping_.get();
    }
    return stamped_.at(job.listed);
}

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
    const CompiledCase& compiled = *compiled_[job.listed];
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
    const Result<CompiledCase>& compiled = compiled_[job.listed];
    if (!compiled) {
        cell.incident = no_image_ ? Incident::not_supported : Incident::harness_error;
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
    announce("compiling what takes pictures");
    const Result<CompiledCase>& stamped = stamped_image_of(job);
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
