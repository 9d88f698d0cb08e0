// SPDX-License-Identifier: Apache-2.0
#include "harness/command/run_plan.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/sha256.hpp"
#include "harness/command/cells.hpp"
#include "harness/gpu/requirements.hpp"
#include "harness/worker/seeds.hpp"
#include "harness/worker/serve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace pdlcts {
namespace {

/// A user's own files leave the suite's checks out; so does a run of selected routes, of which a check has none, and
/// one on a machine that has no driver.
std::vector<NativeCase> checks_of(const RunOptions& options) {
    return !is_of_fault(options) && options.files.empty() && options.routes.empty()
               ? select_native_cases(options.selection)
               : std::vector<NativeCase>();
}

} // namespace

bool is_of_fault(const RunOptions& options) {
    return options.on.starts_with(fault_prefix);
}

bool wants_pictures(const RunOptions& options) {
    return !is_of_fault(options) && !options.quick && !options.no_pictures;
}

RunPlan plan_run(const RunOptions& options, const std::vector<Case>& cases) {
    RunPlan plan;
    plan.cases = cases;
    plan.every_case = options.files.empty() && options.routes.empty() && options.selection == Selection{};
    for (std::size_t index = 0; index < cases.size(); ++index) {
        const Case& listed = cases[index];
        for (const Route route : wanted_routes(listed, select_routes(options.routes), embedded_ledger())) {
            Result<Cell> prepared = prepare_cell(listed, route, thresholds_of(options.quick), embedded_ledger());
            if (!prepared) {
                plan.left_out.push_back(fmt::format("{} on {}: {}", listed.id, name(route), prepared.error().message));
                continue;
            }
            CellJob job{index, route, plan.cells.size() + 1, 0, trials_of(*prepared, listed.litmus, options.quick)};
            plan.cells.push_back({job, *std::move(prepared), has_peer_grid(listed.litmus)});
        }
    }
    plan.checks = checks_of(options);
    for (const NativeCase& check : plan.checks) {
        plan.native.push_back(describe(check, embedded_ledger()));
    }
    return plan;
}

RunSetup setup_of(const RunOptions& options, std::uint64_t seed, std::string cache_folder) {
    RunSetup setup;
    setup.on = is_of_fault(options) ? options.on : "gpu";
    setup.seed = seed;
    setup.quick = options.quick;
    setup.instances = options.instances;
    setup.calibration = options.calibration;
    setup.jitter = options.jitter;
    setup.one_gpu_as_two = options.one_gpu_as_two;
    setup.stamps = wants_pictures(options) && !options.isolate;
    setup.image = image_choice(options.image).value_or(ImageChoice::automatic);
    setup.cache_folder = std::move(cache_folder);
    if (options.batch_deadline_ms != 0) {
        setup.batch_deadline = std::chrono::milliseconds(options.batch_deadline_ms);
    }
    setup.poison = options.poison;
    return setup;
}

std::vector<std::size_t> order_of(std::size_t count, const RunOptions& options, std::uint64_t seed) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (options.shuffle) {
        // By hand: the order is part of what a seed replays, and a library's may differ from another's.
        std::mt19937_64 random(seed);
        for (std::size_t left = count; left > 1; --left) {
            std::swap(order[left - 1], order[random() % left]);
        }
    }
    return order;
}

std::string reproduce(const RunOptions& options, std::uint64_t seed, const CellJob& job, const Cell& cell) {
    std::string line = "pdlcts run --on " + (is_of_fault(options) ? options.on : "gpu");
    line += options.files.empty() ? " --case " + cell.case_id : " " + cell.case_id + ".litmus";
    line += fmt::format(" --route {} --seed {}", name(cell.form.route),
                        seed_of_cell_alone(seed, job.number + job.round * cells_a_round));
    for (const auto& [given, option] : {std::pair{options.quick, " --quick"},
                                        {options.instances, " --instances"},
                                        {!options.calibration, " --no-calibration"},
                                        {!options.jitter, " --no-jitter"},
                                        {options.one_gpu_as_two, " --one-gpu-as-two"}}) {
        line += given ? option : "";
    }
    return options.image == "auto" ? line : line + " --image " + options.image;
}

std::map<std::string, std::string> fingerprint(const RunOptions& options, const RunPlan& plan, std::uint64_t seed) {
    std::string cells;
    for (const PlannedCell& planned : plan.cells) {
        cells += fmt::format("{} {}\n{}\n", planned.cell.case_id, name(planned.job.route),
                             print(plan.cases[planned.job.listed].litmus));
    }
    for (const NativeCell& check : plan.native) {
        cells += check.digest + "\n";
    }
    const auto flag = [](bool given) { return std::string(given ? "yes" : "no"); };
    return {{"--on", is_of_fault(options) ? options.on : "gpu"},
            {"--seed", fmt::format("{}", seed)},
            {"--image", options.image},
            {"--quick", flag(options.quick)},
            {"--instances", flag(options.instances)},
            {"--no-calibration", flag(!options.calibration)},
            {"--no-jitter", flag(!options.jitter)},
            {"--one-gpu-as-two", flag(options.one_gpu_as_two)},
            {"--retries", fmt::format("{}", options.retries)},
            {"the cases and routes", sha256(cells)}};
}

} // namespace pdlcts
