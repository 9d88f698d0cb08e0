// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/comparing_options.hpp"
#include "harness/command/shipped_options.hpp"
#include "harness/command/terminal.hpp"

#include "conformance/litmus/printer.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace {

using namespace pdlcts;

std::string exit_codes() {
    std::string text = "Exit codes:";
    for (const ExitCodeMeaning& each : exit_code_meanings()) {
        const std::string code = std::to_string(static_cast<int>(each.code));
        text += "\n  " + std::string(2 - code.size(), ' ') + code + "  " + std::string(each.meaning);
    }
    return text;
}

/// Of every route, and of what stands for several of them.
std::vector<std::string> names_of_routes(const char* several = nullptr) {
    std::vector<std::string> names;
    for (const Route route : all_routes) {
        names.emplace_back(name(route));
    }
    if (several != nullptr) {
        names.emplace_back(several);
    }
    return names;
}

/// A function for each command: it declares the options, and keeps what to do with them.
using Action = std::function<ExitCode()>;

void add_run(CLI::App& app, Action& action) {
    auto options = std::make_shared<RunOptions>();
    CLI::App* const command = app.add_subcommand("run", "Run cases, on every GPU or on the abstract machine");
    command->add_option("files", options->files,
                        "Litmus files of your own, or folders of them; then the suite's cases are left out");
    command
        ->add_option("--on", options->on,
                     "gpu: fail without a GPU. machine: no GPU is touched. auto: what there is. fault:NAME: sampled\n"
                     "executions of the abstract machine with a fault of `pdlcts faults --list`, or with none")
        ->check([](const std::string& on) {
            const bool known = on == "auto" || on == "gpu" || on == "machine" || on.starts_with("fault:");
            return known ? std::string() : "expected auto, gpu, machine or fault:NAME, found " + on;
        })
        ->type_name("WHERE")
        ->capture_default_str();
    command
        ->add_option("--case", options->selection.patterns,
                     "Cases whose id, name or statement matches, such as 'trigger/*'")
        ->type_name("GLOB");
    command->add_option("--section", options->selection.sections, "Of these, cases of sections that match: 'graph-*'")
        ->type_name("GLOB");
    command->add_option("--statement", options->selection.statements, "Of these, cases that test such a statement")
        ->type_name("GLOB");
    command->add_option("--route", options->routes, "These routes, where the case makes its claim on them; or all")
        ->delimiter(',')
        ->check(CLI::IsMember(names_of_routes("all")));
    command->add_option("--devices", options->devices, "GPUs by number, such as 0,2, a column each; all: every one")
        ->delimiter(',')
        ->type_name("N,...|all");
    command->add_flag("--one-gpu-as-two", options->one_gpu_as_two,
                      "Grids of a second GPU run on the first: that shows that they run, and nothing of two GPUs, so\n"
                      "such cells are RECORDED at best");
    command->add_flag("--quick", options->quick, "A tenth of the trials; what passes is marked");
    command->add_flag("--instances", options->instances,
                      "Also launches of many blocks, each with its own words, where the machine proves each\n"
                      "to be an execution of its own; they are counted apart, never as trials");
    command->add_option("--seed", options->seed, "Replay a run's salts, order and jitter; 0 draws a new seed")
        ->capture_default_str();
    command->add_flag("!--no-calibration", options->calibration,
                      "In graphs too polls wait as long as the case says, not as long as a pilot shows to be enough");
    command->add_flag("!--no-jitter", options->jitter,
                      "The same trial over and over: no varied times, block counts and order, no load beside it");
    command
        ->add_option(
            "--image", options->image,
            "sass: code for this very GPU. ptx: for compute_90, which the driver compiles. intrinsic: trigger and "
            "wait as intrinsics, which takes the toolkit's headers. auto: sass where NVRTC knows the GPU")
        ->check(CLI::IsMember({"auto", "sass", "ptx", "intrinsic"}))
        ->capture_default_str();
    command->add_flag("--no-pictures", options->no_pictures,
                      "No stamped trials for pictures and latencies, which --quick leaves out too");
    command->add_flag("--no-cache", options->no_cache,
                      "Compile everything. Else compiled code is kept in $PDLCTS_CACHE, $XDG_CACHE_HOME/pdlcts or "
                      "~/.cache/pdlcts");
    command
        ->add_option("--soak", options->soak_seconds,
                     "Go on until so much time has passed: each round of trials for the cell whose evidence is weakest")
        ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}}))
        ->type_name("TIME");
    command->add_flag("--shuffle", options->shuffle, "Run the cells in an order that the seed draws");
    command->add_flag("--fail-fast", options->fail_fast, "End with the first cell that speaks against the device");
    command->add_flag("--isolate", options->isolate, "Each case in a process of its own, without pictures");
    command
        ->add_option("--retries", options->retries,
                     "Try a VACUOUS cell again, so often at most; all tries are kept, and a FAIL in any is a FAIL")
        ->check(CLI::Range(0u, static_cast<unsigned>(most_tries)))
        ->capture_default_str();
    command->add_flag("--resume", options->resume,
                      "Go on with a run that did not end, from FILE.partial; the cell that was running runs again");
    // For tests of the runner, and for debuggers: an empty group is not shown.
    command->add_flag("--in-process", options->in_process)->group("");
    command->add_option("--worker", options->worker_program)->group("");
    command->add_option("--patience", options->patience_ms)->group("");
    command->add_option("--batch-deadline", options->batch_deadline_ms)->group("");
    command->add_option("--with-incidents", options->incidents)->delimiter(',')->group("");
    command->add_option("--poison", options->poison)->group("");
    command->add_option("-o,--output", options->output, "Write a results file (a second GPU's: FILE.1.json)")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print the results as JSON instead of the matrix");
    command->footer(R"(Examples:
  pdlcts run                                  every case on every GPU
  pdlcts run --quick --case 'trigger/*'       a first look at one section
  pdlcts run --on gpu -o results.json         for CI: no GPU is an error, and the evidence is kept
  pdlcts run my-pattern.litmus                a pattern of your own
  pdlcts run patterns/                        all of yours: every .litmus file in the folder and below it
A file that cannot be read is complained of, and the others are run; the exit code is then 3.)");
    command->callback([&action, options] { action = [options] { return run(*options); }; });
}

/// Where cells run, for the commands that run them.
void add_on(CLI::App& command, std::string& on) {
    command.add_option("--on", on, "gpu, or fault:NAME: sampled executions of the abstract machine")
        ->check([](const std::string& where) {
            return where == "gpu" || where.starts_with("fault:") ? std::string() : "expected gpu or fault:NAME";
        })
        ->capture_default_str();
}

void add_bisect(CLI::App& app, Action& action) {
    auto options = std::make_shared<BisectOptions>();
    options->run.on = "gpu";
    options->run.seed = 1;
    CLI::App* const command = app.add_subcommand(
        "bisect", "A case fails only after others: find the smallest list of them that makes it fail");
    command->add_option("case", options->name, "The case that fails")->required()->type_name("CASE");
    command->add_option("--route", options->route, "Its cell on this route; else its first")
        ->check(CLI::IsMember(names_of_routes()));
    add_on(*command, options->run.on);
    command->add_option("--case", options->run.selection.patterns, "Cases that run before it: only those that match")
        ->type_name("GLOB");
    command->add_flag("--quick", options->run.quick, "A tenth of the trials");
    command->add_flag("--shuffle", options->run.shuffle, "The order that the seed draws, as in the run that failed");
    command->add_option("--seed", options->run.seed, "Of the run in which it failed")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--runs", options->most_runs, "Give up after so many runs, with the shortest list found")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_option("--poison", options->run.poison)->group("");
    command->footer("Each run is a process of its own: some of the cells before it in the list, then the case.");
    command->callback([&action, options] { action = [options] { return bisect(*options); }; });
}

void add_worker(CLI::App& app, Action& action) {
    CLI::App* const command = app.add_subcommand("worker", "What the supervisor of a run starts");
    command->group("");
    command->callback([&action] { action = [] { return worker(); }; });
}

void add_list(CLI::App& app, Action& action) {
    auto options = std::make_shared<ListOptions>();
    CLI::App* const command = app.add_subcommand("list", "List the cases, or the statements of the specification");
    command->add_flag("--statements", options->statements, "Every statement, with the cases that test it");
    command->add_flag(
        "--coverage", options->coverage,
        "Every statement with its cases, or the reason why none can test it; exit code 1 if one has neither");
    command->add_flag("--json", options->json, "Statements and cases as JSON");
    command->callback([&action, options] { action = [options] { return list(*options); }; });
}

void add_explain(CLI::App& app, Action& action) {
    auto options = std::make_shared<ExplainOptions>();
    CLI::App* const command = app.add_subcommand(
        "explain", "Show a case: what it tests, its program and control, its plan and what the specification allows");
    command->add_option("case", options->name, "A case, or a litmus file")->required()->type_name("CASE");
    command->add_flag("--source", options->source, "Only the CUDA C++ that a GPU runs");
    command->footer(R"(Examples:
  pdlcts explain post-trigger-writes
  pdlcts explain --source my-pattern.litmus)");
    command->callback([&action, options] { action = [options] { return explain(*options); }; });
}

void add_export(CLI::App& app, Action& action) {
    auto options = std::make_shared<ExportOptions>();
    CLI::App* const command = app.add_subcommand(
        "export", "Write a reproducer: one CUDA file that runs a case on its own, and prints outcomes and verdict");
    command->add_option("case", options->name, "A case, or a litmus file")->required()->type_name("CASE");
    command->add_option("--route", options->route, "How the program is launched; else the first route of the case")
        ->check(CLI::IsMember(names_of_routes()));
    command->add_flag("--control", options->control, "The control alone, as the program");
    command->add_option("-o,--output", options->output, "Write a file instead of standard output")->type_name("FILE");
    command->footer(R"(The file needs the CUDA runtime (12.4 or newer) and nothing else.
Exit code 1 where the case makes no claim on the route, or the route cannot express it.
Examples:
  pdlcts export post-trigger-writes -o repro.cu && nvcc -arch=sm_90 -o repro repro.cu && ./repro
  pdlcts export --route edges --control my-pattern.litmus > control.cu)");
    command->callback([&action, options] { action = [options] { return export_case(*options); }; });
}

void add_bundle(CLI::App& app, Action& action) {
    auto options = std::make_shared<BundleOptions>();
    CLI::App* const command =
        app.add_subcommand("bundle", "Pack one cell of a results file, and all that belongs to it, for a bug report");
    command->add_option("results", options->results, "A results file")->required()->type_name("RESULTS");
    command->add_option("--case", options->name, "The case, by its id or the name behind its section")->required();
    command->add_option("--route", options->route, "Needed where the case has cells on several routes")
        ->check(CLI::IsMember(names_of_routes()));
    command->add_option("--file", options->file, "The litmus file of a pattern of your own")->type_name("FILE");
    command->add_option("-o,--output", options->output, "An archive NAME.tar, or a new folder")->type_name("NAME");
    command->footer(
        R"(In it: results, environment, case, outcomes, plan, trace, reproducer, kernels, their image, and a README that
tells how to replay. Nothing of the machine that writes it goes in, but for what the results file says.
Example:
  pdlcts bundle results.json --case post-trigger-writes --route stream -o report.tar && gzip report.tar)");
    command->callback([&action, options] { action = [options] { return bundle(*options); }; });
}

void add_check(CLI::App& app, Action& action) {
    auto options = std::make_shared<CheckOptions>();
    CLI::App* const command = app.add_subcommand(
        "check", "Ask the abstract machine: does the claim follow from the specification, on each route?");
    command->add_option("names", options->names, "Litmus files, folders of them, or cases; all cases if none is named")
        ->type_name("FILE|FOLDER|CASE");
    command->add_flag("--trace", options->trace, "Also show an execution where the answer is PROVED");
    command->add_option("--states", options->states, "Give up a search after so many states")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command->add_flag("--json", options->json, "The answers as JSON");
    command->footer(R"(Examples:
  pdlcts check                                prove every case of the suite, on every route
  pdlcts check --trace my-pattern.litmus      an answer for a pattern of your own, with an execution)");
    command->callback([&action, options] { action = [options] { return check(*options); }; });
}

void add_selftest(CLI::App& app, Action& action) {
    auto options = std::make_shared<SelfTestCommandOptions>();
    CLI::App* const command =
        app.add_subcommand("selftest", "Put defects into the suite's own GPU side: does every verdict notice?");
    command->add_option("--on", options->on, "gpu, or machine: mutants of programs alone, and no GPU is touched")
        ->check(CLI::IsMember({"gpu", "machine"}))
        ->capture_default_str();
    command->add_option("--case", options->patterns, "Cases whose id, name or statement matches, such as 'trigger/*'")
        ->type_name("GLOB");
    command->add_option("--route", options->routes, "These routes, where the case makes its claim on them; or all")
        ->delimiter(',')
        ->check(CLI::IsMember(names_of_routes("all")));
    command->add_option("--mutant", options->mutants, "Mutants whose name matches, such as 'drop-*'")
        ->type_name("GLOB");
    command->add_flag("--list", options->list, "List the mutants");
    command->add_flag("--quick", options->quick, "A tenth of the trials");
    command->add_option("--seed", options->seed, "Replay the salts and the order of a run; 0: new ones")
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "Write what was seen, for `pdlcts verify`")->type_name("FILE");
    command
        ->add_option("--markdown", options->markdown,
                     "Write the table as Markdown to a file, or to standard output with -")
        ->type_name("FILE");
    command->footer(
        R"(Succeeds where every mutant is noticed (FAIL, VACUOUS, UNEXPLAINED, HARNESS ERROR or NOT OBSERVED, where the sound
program is PASS or OBSERVED), or has nothing to be noticed by the specification.

Examples:
  pdlcts selftest -o selftest.json --markdown selftest.md
  pdlcts selftest --quick --case 'wait/*' --mutant 'drop-*'
  pdlcts selftest --on machine)");
    command->callback([&action, options] { action = [options] { return selftest(*options); }; });
}

void add_faults(CLI::App& app, Action& action) {
    auto options = std::make_shared<FaultsOptions>();
    CLI::App* const command = app.add_subcommand(
        "faults", "Break the abstract machine, one rule at a time: which cases notice? No GPU is touched");
    command->add_option("--case", options->patterns, "Cases whose id, name or statement matches, such as 'trigger/*'")
        ->type_name("GLOB");
    command->add_option("--fault", options->faults, "Faults whose name matches, such as 'wait-*'")->type_name("GLOB");
    command->add_flag("--list", options->list, "List the faults: what each breaks, and how it could arise");
    command->add_option("--seed", options->seed, "Other executions are sampled with another seed")
        ->capture_default_str();
    command->add_flag("--json", options->json, "The kill matrix as JSON");
    command->add_option("-o,--output", options->output, "Write the JSON to a file")->type_name("FILE");
    command
        ->add_option("--markdown", options->markdown,
                     "Write the kill matrix as a page of Markdown to a file, or to standard output with -")
        ->type_name("FILE");
    command->add_option("--summary", options->summary, "Write the summary of the README to a file, or - for output")
        ->type_name("FILE");
    command->footer(
        R"(Succeeds where every fault is noticed that is not equivalent. A fault is noticed, or killed, where a cell that has
evidence on the sound machine ends in FAIL, UNEXPLAINED, VACUOUS, NOT OBSERVED or a missed deadline on the faulty one.

Examples:
  pdlcts faults                               the kill matrix; its last line is the mutation score
  pdlcts faults --case 'wait/*' --fault 'wait-*' --json
  pdlcts run --on fault:wait-without-flush    one faulty machine in the place of a GPU)");
    command->callback([&action, options] { action = [options] { return faults(*options); }; });
}

void add_verify(CLI::App& app, Action& action) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App* const command =
        app.add_subcommand("verify", "Derive every verdict of results files again from what they recorded");
    command->add_option("files", options->files, "Results files")->required();
    command->callback([&action, options] { action = [options] { return verify(*options); }; });
}

void add_report(CLI::App& app, Action& action) {
    auto options = std::make_shared<ReportOptions>();
    CLI::App* const command = app.add_subcommand("report", "Show results files as one matrix, a column a file");
    command->add_option("files", options->files, "Results files")->required();
    const auto add_format = [&](const char* name, std::string& file, const char* what) {
        command->add_option(name, file, what)->type_name("FILE");
    };
    add_format("--markdown", options->markdown, "Write the matrix as Markdown to a file, or to standard output with -");
    add_format("--text", options->text, "Write the matrix as plain text; - as above, and for the next three too");
    add_format("--csv", options->csv, "Write a line for each cell of each file as comma-separated values");
    add_format("--json", options->json, "Write all files as one JSON object: columns, statements, cells");
    add_format("--openmetrics", options->open_metrics, "Write metrics in the OpenMetrics text format, for dashboards");
    command->add_flag("--strict", options->strict,
                      "Write nothing where a file cannot be read or does not hold; else the others are shown");
    command->add_option("--html", options->html, "Write the site into a folder: a new one, or over an earlier site")
        ->type_name("DIR");
    command->add_flag("--every-statement", options->every_statement, "Also statements that no cell tests");
    command->add_flag("--latency", options->latency,
                      "How long grids take to follow one another, instead of the matrix; with --markdown behind it");
    command
        ->add_option("--picture", options->pictures,
                     "The median and the worst stamped trial of each cell of these cases, instead of the matrix")
        ->type_name("GLOB")
        ->allow_extra_args(false);
    command->footer(R"(Examples:
  pdlcts report results.json                  the matrix in the terminal
  pdlcts report results.json --latency        how long grids take to follow one another
  pdlcts report results.json --picture post-trigger-writes
  pdlcts report --markdown - *.json           several GPUs or drivers, side by side, as Markdown
  pdlcts report *.json --html site/           a site of them: open site/index.html
  pdlcts report --strict --csv cells.csv --openmetrics pdlcts.prom results/*.json.gz
A results file may be compressed with gzip. One that cannot be read or breaks a rule of `pdlcts schema` is complained of,
with its place, and left out: exit code 3. One whose verdicts are not what its evidence says is shown as judged again:
exit code 1.)");
    command->callback([&action, options] { action = [options] { return report(*options); }; });
}

int run_command_line(int argc, char** argv) {
    CLI::App app("Conformance suite for Programmatic Dependent Launch (PDL): does this GPU, with this driver and\n"
                 "toolkit, honour the specification?",
                 "pdlcts");
    app.set_version_flag("--version", version_text);
    app.require_subcommand(1);
    app.footer(exit_codes());
    Action action;
    add_run(app, action);
    add_bisect(app, action);
    add_worker(app, action);
    add_list(app, action);
    add_explain(app, action);
    add_export(app, action);
    add_bundle(app, action);
    add_check(app, action);
    add_selftest(app, action);
    add_faults(app, action);
    add_verify(app, action);
    add_report(app, action);
    add_diff(app, action);
    add_bisect_reports(app, action);
    add_gate(app, action);
    add_shipped(app, action);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
    }
    return static_cast<int>(action());
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run_command_line(argc, argv);
    } catch (const std::exception& error) {
        complain(std::string("internal error: ") + error.what() + "; please report it with the command line");
        static_cast<void>(std::fflush(nullptr));
        // No destructors: where a device was lost, the CUDA runtime's own would wait for it.
        std::_Exit(static_cast<int>(ExitCode::internal_error));
    }
}
