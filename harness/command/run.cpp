// SPDX-License-Identifier: Apache-2.0
#include "harness/command/case_files.hpp"
#include "harness/command/cells.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/evidence.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/run_column.hpp"
#include "harness/command/safe_file.hpp"
#include "harness/command/select.hpp"
#include "harness/command/stop.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/terminal.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/machine/faults/fault.hpp"
#include "conformance/support/scratch_folder.hpp"
#include "conformance/support/stopwatch.hpp"
#include "harness/gpu/code_cache.hpp"
#include "harness/judge/judge.hpp"
#include "harness/supervisor/supervised.hpp"
#include "harness/worker/serve.hpp"
#include "reports/matrix/matrix.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <thread>

namespace pdlcts {
namespace {

CaseFiles cases_of(const RunOptions& options) {
    if (!options.files.empty()) {
        return read_case_files(options.files);
    }
    auto selected = select_cases(options.selection);
    if (auto* refusal = std::get_if<Refusal>(&selected)) {
        return {{}, {std::move(*refusal)}};
    }
    return {std::get<std::vector<Case>>(std::move(selected)), {}};
}

Results start_results(const RunOptions& options, std::uint64_t seed) {
    Results results;
    results.every_case = options.files.empty() && options.routes.empty() && options.selection == Selection{};
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
    if (const auto checks = options.files.empty() ? select_native_cases(options.selection) : std::vector<NativeCase>();
        !checks.empty()) {
        left_out.push_back(fmt::format("{} native checks: each asks a driver, and none is asked here", checks.size()));
    }
    results.seconds = stopwatch.seconds();
    return results;
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

void print_matrix(const RunOptions& options, const std::vector<Results>& columns,
                  const std::vector<std::string>& left_out) {
    if (options.json) {
        for (const Results& column : columns) {
            fmt::print("{}", write_json(column));
        }
        return;
    }
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

/// What the columns say: success, or that something speaks against a device.
ExitCode answer_of(const std::vector<Results>& columns) {
    const auto negative = [](const auto& cell) { return is_negative(judge(cell).verdict); };
    ExitCode code = ExitCode::success;
    for (const Results& column : columns) {
        if (column.cells.empty() && column.native.empty()) {
            complain("no cell was run, so nothing holds; `pdlcts list` shows the cases and their routes");
            code = ExitCode::negative;
        }
        if (std::any_of(column.cells.begin(), column.cells.end(), negative) ||
            std::any_of(column.native.begin(), column.native.end(), negative)) {
            code = ExitCode::negative;
        }
    }
    return code;
}

// ---- columns -----------------------------------------------------------------------------------------------------

/// Empty where there is no cache to be had: that is said once, and costs a run nothing but time.
std::string cache_folder_of(const RunOptions& options) {
    auto cache = open_code_cache(default_cache_folder());
    if (!cache && !is_of_fault(options)) {
        complain(cache.error().message);
    }
    return cache ? cache->folder.string() : "";
}

struct RunContext {
    const RunOptions& options;
    const RunPlan& plan;
    std::uint64_t seed = 0;
    RunSetup setup;
    Supervision supervision;
};

std::string first_line(const RunContext& context, const Environment& environment) {
    if (!is_of_fault(context.options)) {
        return fmt::format("Running {} cases and {} native checks on {} (driver {}, seed {}).",
                           context.plan.cases.size(), context.plan.checks.size(), environment.gpu,
                           environment.driver_version, context.seed);
    }
    const std::string name = context.options.on.substr(fault_prefix.size());
    const FaultInfo* const info = find_fault(name);
    return fmt::format(
        "No GPU: {} cases on sampled executions of the abstract machine, {} (seed {}).", context.plan.cases.size(),
        info == nullptr ? std::string("which has no fault") : fmt::format("with the fault {}: {}", name, info->change),
        context.seed);
}

ColumnRun column_of(const RunContext& context, int device, std::size_t column, std::optional<Child> first,
                    RunControl& control) {
    const RunOptions& options = context.options;
    const ColumnFiles files{options.output.empty() ? "" : output_name(options.output, column), options.resume};
    const std::unique_ptr<Workplace> workplace =
        options.in_process ? work_here(context.setup, context.plan.cases, device, this_suite())
                           : work_supervised(context.supervision, context.setup, context.plan.cases, device,
                                             this_suite(), std::move(first));
    return run_column(*workplace, context.plan, options, context.seed, files, control,
                      [&](const Environment& environment) { return first_line(context, environment); });
}

/// All columns at the same time, each on a thread of its own; the first, which has the worker that this thread started,
/// on this one.
std::vector<ColumnRun> run_columns(const RunContext& context, const std::vector<int>& devices,
                                   std::optional<Child> first) {
    RunControl control(context.options.json);
    std::vector<ColumnRun> runs(devices.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t column = 1; column < devices.size(); ++column) {
            threads.emplace_back(
                [&, column] { runs[column] = column_of(context, devices[column], column, std::nullopt, control); });
        }
        runs[0] = column_of(context, devices[0], 0, std::move(first), control);
    }
    return runs;
}

ExitCode finish(const RunOptions& options, std::vector<ColumnRun> runs, const std::vector<std::string>& left_out) {
    std::vector<Results> columns;
    std::vector<Refusal> problems;
    for (ColumnRun& run : runs) {
        if (run.results) {
            columns.push_back(*std::move(run.results));
        }
        problems.insert(problems.end(), run.problems.begin(), run.problems.end());
    }
    if (!columns.empty()) {
        print_matrix(options, columns, left_out);
    }
    for (const ColumnRun& run : runs) {
        for (const std::string& note : run.notes) {
            fmt::print(options.json ? stderr : stdout, "{}\n", note);
        }
    }
    static_cast<void>(std::fflush(stdout));
    for (const Refusal& problem : problems) {
        complain(problem.message);
    }
    const ExitCode answer = columns.empty() ? ExitCode::success : answer_of(columns);
    // What was lost, or not written, comes first: an answer that is not whole is none.
    return problems.empty() ? answer : problems.front().code;
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

/// The seed of this run: the one that was asked for, that of the run that is gone on with, or a new one.
std::variant<std::uint64_t, Refusal> seed_of_run(const RunOptions& options) {
    if (options.resume) {
        const Result<JournalContents> left = read_journal(options.output + ".partial");
        if (!left) {
            return Refusal{ExitCode::not_resumable, left.error().message};
        }
        if (options.seed == 0) {
            return left->head.seed;
        }
    }
    return options.seed != 0 ? options.seed : (std::uint64_t{std::random_device{}()} << 20 | 1);
}

void say(const RunOptions& options, const std::string& line) {
    // With --json standard output belongs to the program that reads it.
    fmt::print(options.json ? stderr : stdout, "{}\n", line);
    static_cast<void>(std::fflush(stdout));
}

ExitCode run_on_machine_and_finish(const RunOptions& options, const std::vector<Case>& cases) {
    std::vector<std::string> left_out;
    ColumnRun run;
    run.results = run_on_machine(options, cases, left_out);
    if (!options.output.empty()) {
        if (const auto written = replace_file(options.output, as_named(options.output, write_json(*run.results)));
            !written) {
            run.problems.push_back({ExitCode::unwritable_output, written.error().message});
        }
    }
    std::vector<ColumnRun> runs;
    runs.push_back(std::move(run));
    return finish(options, std::move(runs), left_out);
}

/// The GPUs that were asked for, with the worker that found them; or nothing, and then the reason.
struct Devices {
    std::vector<int> numbers;
    std::optional<Child> worker;
    std::optional<Refusal> refusal;
    std::string why_none; ///< where the abstract machine may stand in
};

Devices find_devices(const RunOptions& options, const Supervision& supervision) {
    Devices devices;
    FoundGpus found{NoWorkplace{}, std::nullopt};
    if (options.in_process) {
        auto here = usable_gpus();
        if (const auto* unavailable = std::get_if<GpuUnavailable>(&here)) {
            found.usable = NoWorkplace{unavailable->problem, unavailable->message};
        } else {
            found.usable = std::get<std::vector<int>>(here);
        }
    } else {
        found = find_gpus(supervision);
    }
    if (const auto* none = std::get_if<NoWorkplace>(&found.usable)) {
        if (!none->problem) {
            // Nobody said that there is no GPU: to run the machine instead would look like an answer.
            devices.refusal = Refusal{ExitCode::driver_silent, none->message};
        } else if (options.on == "gpu") {
            devices.refusal = Refusal{exit_code(*none->problem), "no usable GPU: " + none->message};
        } else {
            devices.why_none = none->message;
        }
        return devices;
    }
    auto chosen = chosen_devices(options, std::get<std::vector<int>>(found.usable));
    if (auto* refusal = std::get_if<Refusal>(&chosen)) {
        devices.refusal = std::move(*refusal);
    } else {
        devices.numbers = std::get<std::vector<int>>(std::move(chosen));
        devices.worker = std::move(found.worker);
    }
    return devices;
}

ExitCode run_on_devices(const RunOptions& options, const std::vector<Case>& cases, Devices devices,
                        Supervision supervision) {
    const auto seed = seed_of_run(options);
    if (const auto* refusal = std::get_if<Refusal>(&seed)) {
        complain(refusal->message);
        return refusal->code;
    }
    const RunPlan plan = plan_run(options, cases);
    // Compiled code of one run, where none is to be kept: workers that follow one another need it.
    std::optional<ScratchFolder> folder;
    if (options.no_cache && !options.in_process) {
        folder.emplace();
    }
    RunContext context{options, plan, std::get<std::uint64_t>(seed), {}, std::move(supervision)};
    context.setup = setup_of(options, context.seed,
                             folder             ? folder->path
                             : options.no_cache ? ""
                                                : cache_folder_of(options));
    context.supervision.reproduce = [&](const CellJob& job, const Cell& cell) {
        return reproduce(options, context.seed, job, cell);
    };
    return finish(options, run_columns(context, devices.numbers, std::move(devices.worker)), plan.left_out);
}

Supervision supervision_of(const RunOptions& options) {
    Supervision supervision;
    if (!options.worker_program.empty()) {
        supervision.program = options.worker_program;
    }
    if (options.patience_ms != 0) {
        supervision.patience = std::chrono::milliseconds(options.patience_ms);
    }
    supervision.isolate = options.isolate;
    return supervision;
}

ExitCode run_cases(const RunOptions& options, const std::vector<Case>& cases) {
    const Supervision supervision = supervision_of(options);
    if (is_of_fault(options)) {
        const std::string name = options.on.substr(fault_prefix.size());
        if (find_fault(name) == nullptr && name != "none") {
            complain(fmt::format("there is no fault `{}`; `pdlcts faults --list` shows them all", name));
            return ExitCode::usage;
        }
        return run_on_devices(options, cases, {{0}, std::nullopt, std::nullopt, ""}, supervision);
    }
    if (options.on != "machine") {
        Devices devices = find_devices(options, supervision);
        if (devices.refusal) {
            complain(devices.refusal->message);
            return devices.refusal->code;
        }
        if (!devices.numbers.empty()) {
            return run_on_devices(options, cases, std::move(devices), supervision);
        }
        say(options, "Running on the abstract machine (cells say PROVED or REFUTED), because no GPU can be used: " +
                         devices.why_none);
    } else {
        say(options, "Running on the abstract machine (cells say PROVED or REFUTED).");
    }
    return run_on_machine_and_finish(options, cases);
}

} // namespace

ExitCode run(const RunOptions& options) {
    const CaseFiles selected = cases_of(options);
    complain_of(selected);
    // Native checks alone may be selected: then there is nothing to refuse, and no case.
    if (selected.cases.empty() && !selected.refusals.empty()) {
        return selected.with_refusals(ExitCode::negative);
    }
    if (options.resume && options.output.empty()) {
        complain("--resume goes on with the run that wrote OUTPUT.partial: name its output with -o");
        return ExitCode::usage;
    }
    if (const auto writable = options.output.empty() ? std::monostate{} : can_replace(options.output); !writable) {
        complain(writable.error().message);
        return ExitCode::unwritable_output;
    }
    catch_stop_signals();
    const ExitCode code = selected.with_refusals(run_cases(options, selected.cases));
    if (!selected.refusals.empty()) {
        complain(fmt::format("{} of the named files were not run, because they could not be read (see above)",
                             selected.refusals.size()));
    }
    return code;
}

} // namespace pdlcts
