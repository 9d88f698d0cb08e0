// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/selftest.hpp"

#include "conformance/litmus/printer.hpp"
#include "harness/command/cells.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/select.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/terminal.hpp"
#include "harness/selftest/machine_gpu.hpp"
#include "reports/selftest/selftest_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <random>

namespace pdlcts {
namespace {

std::variant<std::vector<const Mutant*>, Refusal> select_mutants(const std::vector<std::string>& patterns) {
    std::vector<const Mutant*> selected;
    std::vector<bool> used(patterns.size());
    for (const Mutant& mutant : all_mutants()) {
        bool wanted = patterns.empty();
        for (std::size_t index = 0; index < patterns.size(); ++index) {
            if (matches_glob(patterns[index], mutant.name)) {
                used[index] = true;
                wanted = true;
            }
        }
        if (wanted) {
            selected.push_back(&mutant);
        }
    }
    for (std::size_t index = 0; index < patterns.size(); ++index) {
        if (!used[index]) {
            return Refusal{ExitCode::unknown_case,
                           "no mutant matches `" + patterns[index] + "`; `pdlcts selftest --list` shows them all"};
        }
    }
    return selected;
}

ExitCode list_mutants() {
    for (const Mutant& mutant : all_mutants()) {
        fmt::print("{:20}{}\n", mutant.name, mutant.breaks);
    }
    return ExitCode::success;
}

struct Prepared {
    std::vector<Case> cases;
    SelfTestOptions options;
    std::vector<std::string> mutants;
};

SelfTestReport report_of(const Prepared& prepared, const Gpu& gpu, SelfTest tested, const std::string& started,
                         double seconds) {
    SelfTestReport report;
    report.mutants = prepared.mutants;
    report.runs = std::move(tested.runs);
    Results& sound = report.sound;
    sound.suite = this_suite();
    sound.environment = gpu.environment();
    // Native checks have no mutants, so the sound cells are never all that a suite has.
    sound.every_case = false;
    sound.seed = prepared.options.seed;
    sound.started = started;
    sound.seconds = seconds;
    sound.cells = std::move(tested.sound);
    return report;
}

ExitCode finish(const SelfTestCommandOptions& options, const SelfTestReport& report) {
    if (options.markdown != "-") {
        fmt::print("{}", selftest_text(report));
    }
    const bool written = options.output.empty() || write_output(options.output, write_json(report));
    if (!(options.markdown.empty() || write_output(options.markdown, selftest_markdown(report))) || !written) {
        return ExitCode::unwritable_output;
    }
    return holds(report) ? ExitCode::success : ExitCode::negative;
}

ExitCode test_on(Gpu& gpu, const SelfTestCommandOptions& options, Prepared& prepared, bool& device_lost) {
    const auto start = std::chrono::steady_clock::now();
    const std::string started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    SelfTest tested = [&] {
        const ProgressLine progress;
        prepared.options.progress = [&](const std::string& text) { progress.show(text); };
        return self_test(gpu, prepared.cases, prepared.options);
    }();
    device_lost = tested.device_lost;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return finish(options, report_of(prepared, gpu, std::move(tested), started, seconds));
}

ExitCode test_on_gpu(const SelfTestCommandOptions& options, Prepared& prepared) {
    const auto gpus = usable_gpus();
    if (const auto* unavailable = std::get_if<GpuUnavailable>(&gpus)) {
        complain("no usable GPU: " + unavailable->message +
                 "; `--on machine` tries the mutants of programs on the abstract machine");
        return exit_code(unavailable->problem);
    }
    auto opened = open_gpu(std::get<std::vector<int>>(gpus).front());
    if (const auto* unavailable = std::get_if<GpuUnavailable>(&opened)) {
        complain("no usable GPU: " + unavailable->message);
        return exit_code(unavailable->problem);
    }
    // Kept for ever: to give a lost device back may never return.
    Gpu& gpu = *std::get<std::unique_ptr<Gpu>>(opened).release();
    bool device_lost = false;
    const ExitCode code = test_on(gpu, options, prepared, device_lost);
    if (device_lost) {
        complain("the device was lost; the mutants behind are missing");
        static_cast<void>(std::fflush(nullptr));
        // No destructors: the CUDA runtime's own would wait for the lost device.
        std::_Exit(static_cast<int>(ExitCode::device_lost));
    }
    delete &gpu;
    return code;
}

} // namespace

ExitCode selftest(const SelfTestCommandOptions& options) {
    if (options.list) {
        return list_mutants();
    }
    auto cases = select_cases(options.patterns);
    auto mutants = select_mutants(options.mutants);
    for (const Refusal* refusal : {std::get_if<Refusal>(&cases), std::get_if<Refusal>(&mutants)}) {
        if (refusal != nullptr) {
            complain(refusal->message);
            return refusal->code;
        }
    }
    for (const std::string& output : {options.output, options.markdown}) {
        if (const auto refusal = refuse_unwritable(output == "-" ? "" : output)) {
            complain(refusal->message);
            return refusal->code;
        }
    }
    Prepared prepared{std::get<std::vector<Case>>(std::move(cases)), {}, {}};
    prepared.options.trials = trials_of_a_cell(options.quick);
    prepared.options.seed = options.seed != 0 ? options.seed : (std::uint64_t{std::random_device{}()} << 20 | 1);
    prepared.options.thresholds.quick = options.quick;
    prepared.options.thresholds.program_trials = options.quick ? 100 : prepared.options.thresholds.program_trials;
    prepared.options.routes = select_routes(options.routes);
    prepared.options.measurement = options.on != "machine";
    for (const Mutant* mutant : std::get<std::vector<const Mutant*>>(mutants)) {
        if (prepared.options.measurement || machine_knows(mutant->touches)) {
            prepared.options.mutants.push_back(mutant);
            prepared.mutants.emplace_back(mutant->name);
        }
    }
    if (prepared.mutants.empty()) {
        complain("the abstract machine has no trials whose measurement these mutants could spoil; use --on gpu");
        return ExitCode::negative;
    }
    if (options.on != "machine") {
        return test_on_gpu(options, prepared);
    }
    fmt::print(options.markdown == "-" ? stderr : stdout,
               "On the abstract machine: this shows what the judge makes of mutants, and nothing of a GPU.\n\n");
    MachineGpu machine;
    bool device_lost = false;
    return test_on(machine, options, prepared, device_lost);
}

} // namespace pdlcts
