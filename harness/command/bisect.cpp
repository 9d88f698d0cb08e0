// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/run_plan.hpp"
#include "harness/command/shrink.hpp"
#include "harness/command/stop.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/terminal.hpp"

#include "conformance/litmus/printer.hpp"
#include "harness/gpu/code_cache.hpp"
#include "harness/judge/judge.hpp"
#include "harness/supervisor/supervised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace pdlcts {
namespace {

std::string place_of(const PlannedCell& planned) {
    return fmt::format("{} on {}", planned.cell.case_id, name(planned.job.route));
}

/// One cell behind others, each time in a new process.
class Trial {
public:
    Trial(const BisectOptions& options, const RunPlan& plan, std::size_t target, RunSetup setup,
          Supervision supervision, int device)
        : options_(options), plan_(plan), target_(target), setup_(std::move(setup)),
          supervision_(std::move(supervision)), device_(device) {}

    /// The verdict of the cell behind these; nothing where there is no workplace, or no run is left.
    std::optional<Verdict> verdict_after(const std::vector<std::size_t>& before) {
        if (const auto known = known_.find(before); known != known_.end()) {
            return known->second;
        }
        if (runs_ == options_.most_runs || stop_signal() != 0) {
            return std::nullopt;
        }
        ++runs_;
        const auto workplace = work_supervised(supervision_, setup_, plan_.cases, device_, this_suite());
        const auto opened = workplace->open();
        if (const auto* none = std::get_if<NoWorkplace>(&opened)) {
            problem = *none;
            return std::nullopt;
        }
        progress_.show(fmt::format("run {}: {} behind {} cells", runs_, place_of(plan_.cells[target_]), before.size()));
        for (const std::size_t each : before) {
            // Whatever becomes of it: it was there.
            if (!workplace->cell(plan_.cells[each].job, plan_.cells[each].cell)) {
                return std::nullopt;
            }
        }
        const auto cell = workplace->cell(plan_.cells[target_].job, plan_.cells[target_].cell);
        if (!cell) {
            return std::nullopt;
        }
        return known_[before] = judge(*cell).verdict;
    }

    unsigned runs() const { return runs_; }
    std::optional<NoWorkplace> problem;

private:
    const BisectOptions& options_;
    const RunPlan& plan_;
    std::size_t target_;
    RunSetup setup_;
    Supervision supervision_;
    int device_;
    unsigned runs_ = 0;
    ProgressLine progress_;
    std::map<std::vector<std::size_t>, Verdict> known_;
};

ExitCode gave_up(const Trial& trial, const BisectOptions& options) {
    if (trial.problem) {
        complain("no usable GPU: " + trial.problem->message);
        return trial.problem->problem ? exit_code(*trial.problem->problem) : ExitCode::driver_silent;
    }
    if (stop_signal() != 0) {
        complain("interrupted");
        return ExitCode::interrupted;
    }
    complain(fmt::format("gave up after {} runs", options.most_runs));
    return ExitCode::negative;
}

ExitCode bisect(const BisectOptions& options, const RunPlan& plan, std::size_t target, Trial& trial) {
    const auto alone = trial.verdict_after({});
    if (!alone) {
        return gave_up(trial, options);
    }
    fmt::print("{}, alone: {}\n", place_of(plan.cells[target]), name(*alone));
    if (is_negative(*alone)) {
        fmt::print("It fails by itself; no other cell has to run before it.\n");
        return ExitCode::success;
    }
    std::vector<std::size_t> before;
    for (const std::size_t each : order_of(plan.cells.size(), options.run, options.run.seed)) {
        if (each == target) {
            break;
        }
        before.push_back(each);
    }
    const auto behind_all = trial.verdict_after(before);
    if (!behind_all) {
        return gave_up(trial, options);
    }
    fmt::print("Behind all {} cells before it: {}\n", before.size(), name(*behind_all));
    if (!is_negative(*behind_all)) {
        fmt::print(
            "It does not fail behind them either. Try another order (--shuffle --seed N), or all trials (without "
            "--quick).\n");
        return ExitCode::negative;
    }
    bool gave_up_early = false;
    const std::vector<std::size_t> least = shrink(before, [&](const std::vector<std::size_t>& part) {
        const auto verdict = trial.verdict_after(part);
        gave_up_early = gave_up_early || !verdict;
        return verdict ? std::optional(is_negative(*verdict)) : std::nullopt;
    });
    fmt::print("{} runs. It fails ({}) behind {}{}:\n", trial.runs(), name(*trial.verdict_after(least)),
               least.size() == 1 ? "this cell" : fmt::format("these {} cells", least.size()),
               gave_up_early ? ", and perhaps behind fewer" : ", and without any of them it does not");
    for (const std::size_t each : least) {
        fmt::print("  {}\n", place_of(plan.cells[each]));
    }
    return ExitCode::success;
}

/// The cell that was named, among those of the plan.
std::variant<std::size_t, Refusal> find_target(const BisectOptions& options, const RunPlan& plan) {
    auto found = find_case_or_file(options.name);
    if (auto* refusal = std::get_if<Refusal>(&found)) {
        return std::move(*refusal);
    }
    for (std::size_t index = 0; index < plan.cells.size(); ++index) {
        if (plan.cells[index].cell.case_id == std::get<Case>(found).id &&
            (options.route.empty() || name(plan.cells[index].job.route) == options.route)) {
            return index;
        }
    }
    return Refusal{ExitCode::unknown_case,
                   fmt::format("`{}` has no cell {} among those that were selected", options.name,
                               options.route.empty() ? "" : "on " + options.route)};
}

} // namespace

ExitCode bisect(const BisectOptions& options) {
    const auto cases = select_cases(options.run.selection);
    if (const auto* refusal = std::get_if<Refusal>(&cases)) {
        complain(refusal->message);
        return refusal->code;
    }
    const RunPlan plan = plan_run(options.run, std::get<std::vector<Case>>(cases));
    const auto target = find_target(options, plan);
    if (const auto* refusal = std::get_if<Refusal>(&target)) {
        complain(refusal->message);
        return refusal->code;
    }
    catch_stop_signals();
    Supervision supervision;
    int device = 0;
    if (!is_of_fault(options.run)) {
        const FoundGpus found = find_gpus(supervision);
        if (const auto* none = std::get_if<NoWorkplace>(&found.usable)) {
            complain("no usable GPU: " + none->message);
            return none->problem ? exit_code(*none->problem) : ExitCode::driver_silent;
        }
        device = std::get<std::vector<int>>(found.usable).front();
    }
    const auto cache = open_code_cache(default_cache_folder());
    Trial trial(options, plan, std::get<std::size_t>(target),
                setup_of(options.run, options.run.seed, cache ? cache->folder.string() : ""), supervision, device);
    return bisect(options, plan, std::get<std::size_t>(target), trial);
}

} // namespace pdlcts
