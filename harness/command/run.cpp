// SPDX-License-Identifier: Apache-2.0
#include "harness/command/case_files.hpp"
#include "harness/command/cells.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/evidence.hpp"
#include "harness/command/native_cells.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/seeds.hpp"
#include "harness/command/select.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/terminal.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/stopwatch.hpp"
#include "harness/faults/sampled_gpu.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/branches.hpp"
#include "harness/gpu/code_cache.hpp"
#include "harness/judge/judge.hpp"
#include "reports/matrix/matrix.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>

namespace pdlcts {
namespace {

constexpr std::string_view fault_prefix = "fault:";

/// Of the program, and as many of the control, each with up to most_instances instances.
constexpr std::uint64_t launches_of_instances = 64;

Thresholds thresholds_of(const RunOptions& options) {
    Thresholds thresholds;
    if (options.quick) {
        thresholds.program_trials = 100;
        thresholds.quick = true;
    }
    return thresholds;
}

CaseFiles cases_of(const RunOptions& options) {
    if (!options.files.empty()) {
        return read_case_files(options.files);
    }
    auto selected = select_cases(options.patterns);
    if (auto* refusal = std::get_if<Refusal>(&selected)) {
        return {{}, {std::move(*refusal)}};
    }
    return {std::get<std::vector<Case>>(std::move(selected)), {}};
}

Results start_results(const RunOptions& options, std::uint64_t seed) {
    Results results;
    results.every_case = options.files.empty() && options.patterns.empty() && options.routes.empty();
    results.suite = this_suite();
    results.seed = seed;
    results.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    return results;
}

// ---- the abstract machine ----------------------------------------------------------------------------------------

Results run_on_machine(const RunOptions& options, const std::vector<Case>& cases, std::vector<std::string>& left_out) {
    Results results = start_results(options, 0);
    results.environment = host_environment();
    results.environment.gpu = "abstract machine";
    const Stopwatch stopwatch;
    for (const Case& listed : cases) {
        for (const Route route : wanted_routes(listed, select_routes(options.routes), embedded_ledger())) {
            Result<Cell> cell = machine_cell(listed, route, embedded_ledger());
            if (cell) {
                results.cells.push_back(std::move(*cell));
            } else {
                left_out.push_back(fmt::format("{} on {}: {}", listed.id, name(route), cell.error().message));
            }
        }
    }
    if (const auto checks = options.files.empty() ? select_native_cases(options.patterns) : std::vector<NativeCase>();
        !checks.empty()) {
        left_out.push_back(fmt::format("{} native checks: each asks a driver, and none is asked here", checks.size()));
    }
    results.seconds = stopwatch.seconds();
    return results;
}

// ---- a GPU -------------------------------------------------------------------------------------------------------

ImageChoice image_of(const RunOptions& options) {
    return options.image == "ptx"         ? ImageChoice::ptx
           : options.image == "sass"      ? ImageChoice::sass
           : options.image == "intrinsic" ? ImageChoice::intrinsic
                                          : ImageChoice::automatic;
}

bool is_of_fault(const RunOptions& options) {
    return options.on.starts_with(fault_prefix);
}

bool wants_pictures(const RunOptions& options) {
    return !is_of_fault(options) && !options.quick && !options.no_pictures;
}

/// None where it is switched off, or cannot be had: that is said once, and costs a run nothing but time.
std::optional<CodeCache> cache_of(const RunOptions& options) {
    if (options.no_cache) {
        return std::nullopt;
    }
    auto cache = open_code_cache(default_cache_folder());
    if (!cache) {
        complain(cache.error().message);
        return std::nullopt;
    }
    return *std::move(cache);
}

Compilation counted(const std::vector<Result<CompiledCase>>& compiled, double seconds) {
    std::set<const CompiledUnit*> units;
    for (const Result<CompiledCase>& each : compiled) {
        if (each) {
            units.insert(each->unit.get());
        }
        if (each && each->stamped) {
            units.insert(each->stamped->unit.get());
        }
    }
    const auto from_cache =
        std::count_if(units.begin(), units.end(), [](const CompiledUnit* unit) { return unit->from_cache; });
    return {seconds, units.size(), static_cast<std::uint64_t>(from_cache)};
}

bool loses_device(Incident incident) {
    return incident == Incident::timeout || incident == Incident::crash || incident == Incident::device_error;
}

struct GpuRun {
    Results results;
    std::vector<std::size_t> case_of; ///< of each cell, among the cases
    bool device_lost = false;
};

/// The trials of one form, and beside them its instances.
RouteRun run_form(Gpu& gpu, const Litmus& litmus, const CompiledCase& compiled, Route route, TrialOptions options,
                  bool instances) {
    RouteRun run = gpu.run(litmus, compiled, route, options);
    if (instances && run.incident == Incident::none && proves_instances(litmus, run)) {
        options.seed = ~options.seed;
        options.trials = launches_of_instances;
        options.instances = most_instances;
        record_instances(run, gpu.run(litmus, compiled, route, options));
    }
    return run;
}

void run_cell(Gpu& gpu, const Case& listed, const CompiledCase& compiled, const TrialOptions& base, std::size_t index,
              bool instances, Cell& cell) {
    TrialOptions options = base;
    options.deadline = std::max(base.deadline, least_deadline(listed.litmus));
    options.seed = seed_of(base.seed, index, 0);
    RouteRun first = run_form(gpu, listed.litmus, compiled, cell.form.route, options, instances);
    std::optional<RouteRun> second;
    if (const std::optional<Route> other = other_route(listed, embedded_ledger());
        other && (gpu.survives_incidents() || !loses_device(first.incident))) {
        options.seed = seed_of(base.seed, index, 1);
        second = run_form(gpu, listed.litmus, compiled, *other, options, instances);
    }
    record_run(cell, listed, compiled, std::move(first), std::move(second));
}

/// A user's own files leave the suite's checks out; so does a run of selected routes, of which a check has none, and
/// one on a machine that has no driver.
std::vector<NativeCase> native_cases_of(const RunOptions& options) {
    return !is_of_fault(options) && options.files.empty() && options.routes.empty()
               ? select_native_cases(options.patterns)
               : std::vector<NativeCase>();
}

void run_native_checks(Gpu& gpu, const std::vector<NativeCase>& checks, const ProgressLine& progress, GpuRun& run) {
    for (std::size_t index = 0; index < checks.size(); ++index) {
        if (run.device_lost) {
            NativeCell& cell = run.results.native.emplace_back(describe(checks[index], embedded_ledger()));
            cell.incident = Incident::missing;
            cell.incident_detail = "an earlier cell lost the device";
            continue;
        }
        progress.show(fmt::format("{}/{} native checks: {}", index + 1, checks.size(), checks[index].id));
        run.results.native.push_back(probe(gpu, checks[index], embedded_ledger()));
        run.device_lost = loses_device(run.results.native.back().incident);
    }
}

/// Of all cells of a run. One cell takes some 13 ms, most of it to set up.
constexpr double most_picture_seconds = 1.5;

/// The cells in the order in which their pictures are taken: one of every case before a second of any.
std::vector<std::size_t> picture_order(const GpuRun& run) {
    std::vector<std::size_t> order(run.case_of.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t cell) { return cell == 0 || run.case_of[cell] != run.case_of[cell - 1]; });
    return order;
}

/// After everything else: what goes wrong here takes no verdict along.
void take_pictures(Gpu& gpu, const std::vector<Case>& cases, const std::vector<Result<CompiledCase>>& compiled,
                   const TrialOptions& base, const ProgressLine& progress, GpuRun& run) {
    const Stopwatch stopwatch;
    for (const std::size_t number : picture_order(run)) {
        Cell& cell = run.results.cells[number];
        const Case& listed = cases[run.case_of[number]];
        const Result<CompiledCase>& code = compiled[run.case_of[number]];
        if (run.device_lost || cell.incident != Incident::none || !code) {
            continue;
        }
        if (stopwatch.seconds() > most_picture_seconds) {
            cell.pictures.emplace().note = fmt::format(
                "the pictures of other cells took {} s, and no run takes longer; select fewer", most_picture_seconds);
            continue;
        }
        progress.show(fmt::format("pictures: {} on {}", cell.case_id, name(cell.form.route)));
        TrialOptions options = base;
        options.deadline = std::max(base.deadline, least_deadline(listed.litmus));
        options.seed = seed_of(base.seed, number, 0);
        PictureRun taken = gpu.take_pictures(listed.litmus, *code, cell.form.route, options);
        cell.pictures = std::move(taken.pictures);
        cell.latency = std::move(taken.latency);
        run.device_lost = loses_device(taken.incident);
    }
}

GpuRun run_on_gpu(Gpu& gpu, const RunOptions& options, const std::vector<Case>& cases, std::uint64_t seed,
                  const CodeCache* cache, std::vector<std::string>& left_out) {
    GpuRun run;
    run.results = start_results(options, seed);
    run.results.environment = gpu.environment();
    const Stopwatch stopwatch;
    const ProgressLine progress;
    progress.show(fmt::format("compiling {} cases", cases.size()));
    std::vector<const Litmus*> programs;
    programs.reserve(cases.size());
    for (const Case& listed : cases) {
        programs.push_back(&listed.litmus);
    }
    const std::optional<std::string> no_image = gpu.why_no_image(image_of(options));
    const std::vector<Result<CompiledCase>> compiled =
        no_image ? std::vector<Result<CompiledCase>>(cases.size(), Error{*no_image})
                 : gpu.compile(programs, {image_of(options), cache, wants_pictures(options)});
    run.results.compilation = counted(compiled, stopwatch.seconds());
    TrialOptions trials;
    trials.trials = trials_of_a_cell(options.quick);
    trials.seed = seed;
    trials.calibration = options.calibration;
    trials.jitter = options.jitter;
    trials.one_gpu_as_two = options.one_gpu_as_two;
    for (std::size_t index = 0; index < cases.size(); ++index) {
        const Case& listed = cases[index];
        for (const Route route : wanted_routes(listed, select_routes(options.routes), embedded_ledger())) {
            Result<Cell> prepared = prepare_cell(listed, route, thresholds_of(options), embedded_ledger());
            if (!prepared) {
                left_out.push_back(fmt::format("{} on {}: {}", listed.id, name(route), prepared.error().message));
                continue;
            }
            Cell& cell = run.results.cells.emplace_back(std::move(*prepared));
            run.case_of.push_back(index);
            if (run.device_lost) {
                cell.incident = Incident::missing;
                cell.incident_detail = "an earlier cell lost the device";
            } else if (!compiled[index]) {
                cell.incident = no_image ? Incident::not_supported : Incident::harness_error;
                cell.incident_detail = compiled[index].error().message;
            } else {
                progress.show(fmt::format("{}/{} {} on {}", index + 1, cases.size(), listed.id, name(route)));
                TrialOptions of_cell = trials;
                of_cell.trials = trials_of(cell, options.quick);
                run_cell(gpu, listed, *compiled[index], of_cell, run.results.cells.size(), options.instances, cell);
                run.device_lost = loses_device(cell.incident) && !gpu.survives_incidents();
            }
        }
    }
    run_native_checks(gpu, native_cases_of(options), progress, run);
    if (wants_pictures(options)) {
        take_pictures(gpu, cases, compiled, trials, progress, run);
    }
    run.results.seconds = stopwatch.seconds();
    return run;
}

// ---- output ------------------------------------------------------------------------------------------------------

/// `results.json`, and for a second GPU `results.1.json`.
std::string output_name(const std::string& output, std::size_t column) {
    if (column == 0) {
        return output;
    }
    const std::string_view named =
        std::string_view(output).substr(0, output.size() - (output.ends_with(".gz") ? 3 : 0));
    const std::size_t dot = named.rfind('.');
    const bool has_ending = dot != std::string::npos && output.find('/', dot) == std::string::npos;
    return has_ending ? fmt::format("{}.{}{}", output.substr(0, dot), column, output.substr(dot))
                      : fmt::format("{}.{}", output, column);
}

ExitCode finish(const RunOptions& options, const std::vector<Results>& columns,
                const std::vector<std::string>& left_out) {
    ExitCode code = ExitCode::success;
    if (!options.output.empty()) {
        for (std::size_t column = 0; column < columns.size(); ++column) {
            const std::string output = output_name(options.output, column);
            if (const auto written = write_file(output, as_named(output, write_json(columns[column]))); !written) {
                complain(written.error().message);
                code = ExitCode::unwritable_output;
            }
        }
    }
    if (options.json) {
        for (const Results& column : columns) {
            fmt::print("{}", write_json(column));
        }
    } else {
        fmt::print("{}", matrix_text(columns, embedded_ledger(), {wants_colour(stdout), false}));
        for (const Results& column : columns) {
            for (const std::string& line : print_evidence(column.cells)) {
                fmt::print("{}\n", line);
            }
        }
        for (const std::string& reason : left_out) {
            fmt::print("No cell for {}\n", reason);
        }
    }
    for (const Results& column : columns) {
        if (column.cells.empty() && column.native.empty()) {
            complain("no cell was run, so nothing holds; `pdlcts list` shows the cases and their routes");
            code = code == ExitCode::success ? ExitCode::negative : code;
        }
        for (const Cell& cell : column.cells) {
            if (code == ExitCode::success && is_negative(judge(cell).verdict)) {
                code = ExitCode::negative;
            }
        }
        for (const NativeCell& cell : column.native) {
            if (code == ExitCode::success && is_negative(judge(cell).verdict)) {
                code = ExitCode::negative;
            }
        }
    }
    return code;
}

void say(const RunOptions& options, const std::string& line) {
    // With --json standard output belongs to the program that reads it.
    fmt::print(options.json ? stderr : stdout, "{}\n", line);
    static_cast<void>(std::fflush(stdout));
}

ExitCode run_on_gpus(const RunOptions& options, const std::vector<Case>& cases, const std::vector<int>& devices) {
    const std::uint64_t seed = options.seed != 0 ? options.seed : (std::uint64_t{std::random_device{}()} << 20 | 1);
    std::vector<Results> columns;
    std::vector<std::string> left_out;
    const std::optional<CodeCache> cache = cache_of(options);
    bool device_lost = false;
    std::optional<GpuProblem> problem;
    for (const int device : devices) {
        auto opened = open_gpu(device);
        if (const auto* unavailable = std::get_if<GpuUnavailable>(&opened)) {
            // What other GPUs have shown is kept; that this one ran nothing shows in the exit code.
            complain("no usable GPU: " + unavailable->message);
            problem = unavailable->problem;
            continue;
        }
        // Kept for ever: to give a lost device back may never return.
        Gpu& gpu = *std::get<std::unique_ptr<Gpu>>(opened).release();
        const Environment& environment = gpu.environment();
        say(options, fmt::format("Running {} cases and {} native checks on {} (driver {}, seed {}).", cases.size(),
                                 native_cases_of(options).size(), environment.gpu, environment.driver_version, seed));
        left_out.clear();
        GpuRun run = run_on_gpu(gpu, options, cases, seed, cache ? &*cache : nullptr, left_out);
        const Compilation& compilation = *run.results.compilation;
        say(options, fmt::format("Compiled in {:.2f} s: {} unit(s) of code, {} of them from the cache.",
                                 compilation.seconds, compilation.units, compilation.units_from_cache));
        device_lost |= run.device_lost;
        columns.push_back(std::move(run.results));
        if (!run.device_lost) {
            delete &gpu;
        }
    }
    const ExitCode finished = columns.empty() ? ExitCode::success : finish(options, columns, left_out);
    const ExitCode code = problem && finished == ExitCode::success ? exit_code(*problem) : finished;
    if (device_lost) {
        complain("a device was lost; the cells behind it are MISSING");
        static_cast<void>(std::fflush(nullptr));
        // No destructors: the CUDA runtime's own would wait for the lost device.
        std::_Exit(static_cast<int>(ExitCode::device_lost));
    }
    return code;
}

/// Those of the usable GPUs that were asked for, or what is wrong with the asking.
std::variant<std::vector<int>, Refusal> chosen_devices(const RunOptions& options, const std::vector<int>& usable) {
    if (options.devices.empty() || options.devices == std::vector<std::string>{"all"}) {
        return usable;
    }
    std::vector<int> chosen;
    for (const std::string& asked : options.devices) {
        const auto found =
            std::find_if(usable.begin(), usable.end(), [&](int device) { return fmt::format("{}", device) == asked; });
        if (found == usable.end()) {
            return Refusal{ExitCode::usage, fmt::format("--devices {}: expected `all`, or numbers of usable GPUs: {}",
                                                        asked, fmt::join(usable, ", "))};
        }
        if (std::find(chosen.begin(), chosen.end(), *found) == chosen.end()) {
            chosen.push_back(*found);
        }
    }
    return chosen;
}

/// Sampled executions of the abstract machine, with a fault or without, by the runner that a GPU has.
ExitCode run_on_fault(const RunOptions& options, const std::vector<Case>& cases) {
    const std::string name = options.on.substr(fault_prefix.size());
    const FaultInfo* const info = find_fault(name);
    if (info == nullptr && name != "none") {
        complain(fmt::format("there is no fault `{}`; `pdlcts faults --list` shows them all", name));
        return ExitCode::usage;
    }
    const std::uint64_t seed = options.seed != 0 ? options.seed : (std::uint64_t{std::random_device{}()} << 20 | 1);
    SampledGpu machine(info == nullptr ? Fault::none : info->fault);
    say(options,
        fmt::format("No GPU: {} cases on sampled executions of the abstract machine, {} (seed {}).", cases.size(),
                    info == nullptr ? std::string("which has no fault")
                                    : fmt::format("with the fault {}: {}", name, info->change),
                    seed));
    std::vector<std::string> left_out;
    GpuRun run = run_on_gpu(machine, options, cases, seed, nullptr, left_out);
    run.results.compilation.reset();
    return finish(options, {run.results}, left_out);
}

ExitCode run_cases(const RunOptions& options, const std::vector<Case>& cases) {
    if (is_of_fault(options)) {
        return run_on_fault(options, cases);
    }
    if (options.on != "machine") {
        const auto gpus = usable_gpus();
        if (const auto* usable = std::get_if<std::vector<int>>(&gpus)) {
            const auto devices = chosen_devices(options, *usable);
            if (const auto* refusal = std::get_if<Refusal>(&devices)) {
                complain(refusal->message);
                return refusal->code;
            }
            return run_on_gpus(options, cases, std::get<std::vector<int>>(devices));
        }
        const GpuUnavailable& unavailable = std::get<GpuUnavailable>(gpus);
        if (options.on == "gpu") {
            complain("no usable GPU: " + unavailable.message);
            return exit_code(unavailable.problem);
        }
        say(options, "Running on the abstract machine (cells say PROVED or REFUTED), because no GPU can be used: " +
                         unavailable.message);
    } else {
        say(options, "Running on the abstract machine (cells say PROVED or REFUTED).");
    }
    std::vector<std::string> left_out;
    const Results results = run_on_machine(options, cases, left_out);
    return finish(options, {results}, left_out);
}

} // namespace

ExitCode run(const RunOptions& options) {
    const CaseFiles selected = cases_of(options);
    complain_of(selected);
    // Native checks alone may be selected: then there is nothing to refuse, and no case.
    if (selected.cases.empty() && !selected.refusals.empty()) {
        return selected.with_refusals(ExitCode::negative);
    }
    if (const auto refusal = refuse_unwritable(options.output)) {
        complain(refusal->message);
        return refusal->code;
    }
    const ExitCode code = selected.with_refusals(run_cases(options, selected.cases));
    if (!selected.refusals.empty()) {
        complain(fmt::format("{} of the named files were not run, because they could not be read (see above)",
                             selected.refusals.size()));
    }
    return code;
}

} // namespace pdlcts
