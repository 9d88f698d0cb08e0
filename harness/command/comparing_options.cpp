// SPDX-License-Identifier: Apache-2.0
#include "harness/command/comparing_options.hpp"

#include "harness/command/commands.hpp"

#include <CLI/CLI.hpp>

namespace pdlcts {

void add_diff(CLI::App& app, std::function<ExitCode()>& action) {
    auto options = std::make_shared<DiffOptions>();
    CLI::App* const command =
        app.add_subcommand("diff", "Show what differs between two results files: drivers, toolkits, GPUs, or two runs");
    command->add_option("old", options->old_file, "A results file")->required()->type_name("OLD");
    command->add_option("new", options->new_file, "A results file")->required()->type_name("NEW");
    command->add_option("--markdown", options->markdown, "Write Markdown to a file, or to standard output with -")
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print the difference as JSON");
    command->add_flag("--exit-code", options->exit_code,
                      "Exit with 1 where a cell has appeared, is gone, is not comparable or has another verdict");
    command->footer(
        R"(Verdicts are derived from the files' evidence. A cell whose case, or what was compiled of it, is another one is not
comparable, and its verdict no news of the device. Of cells with the same verdict those are shown whose shares of armed
or violating trials differ beyond noise, and native checks with other answers.
Examples:
  pdlcts diff driver-580.json driver-590.json
  pdlcts diff --markdown - old.json new.json)");
    command->callback([&action, options] { action = [options] { return diff(*options); }; });
}

void add_bisect_reports(CLI::App& app, std::function<ExitCode()>& action) {
    auto options = std::make_shared<BisectReportsOptions>();
    CLI::App* const command = app.add_subcommand(
        "bisect-reports", "Find the first results file, in the order of drivers, in which a cell has another verdict");
    command->add_option("folder", options->folder, "A folder of results files")->required()->type_name("DIR");
    command->add_option("--statement", options->statement, "Cells of statements whose id matches")->type_name("GLOB");
    command
        ->add_option("--case", options->case_pattern,
                     "Cells of cases whose id or name matches; one of the two is given")
        ->type_name("GLOB");
    command->add_flag("--json", options->json, "Print the changes as JSON");
    command->footer(
        R"(Files are those that end with .json or .json.gz. Each GPU and toolkit has a history of its own; drivers are ordered as
numbers, and reports of one driver by when they started.
Example:
  pdlcts bisect-reports results/ --statement wait.blocks-until-completion)");
    command->callback([&action, options] { action = [options] { return bisect_reports(*options); }; });
}

void add_gate(CLI::App& app, std::function<ExitCode()>& action) {
    auto options = std::make_shared<GateOptions>();
    CLI::App* const command = app.add_subcommand(
        "gate", "Decide by a results file whether a driver, a toolkit or a GPU may pass; exit code 1 where it may not");
    command->add_option("results", options->file, "A results file")->required()->type_name("RESULTS");
    command
        ->add_option("--baseline", options->baseline,
                     "An accepted results file: what is VACUOUS or MISSING there may be so again, and what it shows\n"
                     "has to be shown again")
        ->type_name("FILE");
    command->add_option("--waivers", options->waivers, "What may fail, why and until when (TOML)")->type_name("FILE");
    command
        ->add_option("--allow", options->allow,
                     "Let pass: partial, a run of selected cases; quick, a tenth of the trials; dirty, a suite with\n"
                     "changes; other-suite, another list of cases than this program's")
        ->delimiter(',')
        ->check(CLI::IsMember({"partial", "quick", "dirty", "other-suite"}));
    command->add_option("--today", options->today, "The day that waivers are held against; else the day in UTC")
        ->type_name("YYYY-MM-DD");
    command->add_flag("--explain", options->explain, "Every cell, and why it passes or fails");
    command->add_option("--markdown", options->markdown, "Write Markdown, such as a job's summary, to a file or -")
        ->type_name("FILE");
    command->add_option("--junit", options->junit, "Write JUnit XML to a file, or to standard output with -")
        ->type_name("FILE");
    CLI::Option* const json = command->add_flag("--json", options->json, "Print every decision as JSON");
    command->add_flag("--annotations", options->annotations, "Print GitHub's workflow commands (::error ...) instead")
        ->excludes(json);
    command->footer(
        R"(Shut by: FAIL, UNEXPLAINED, TIMEOUT, CRASH, DEVICE ERROR, HARNESS ERROR; VACUOUS or MISSING, where the baseline does
not have the same; evidence that the baseline had; a list of cases that shrank, or is another one under the same version;
results of the abstract machine; a file that does not hold; a waiver that is expired, unused or over-broad.
Examples:
  pdlcts gate results.json --baseline accepted.json --waivers waivers.toml
  pdlcts gate results.json --explain
  pdlcts gate results.json --baseline accepted.json --junit junit.xml --markdown "$GITHUB_STEP_SUMMARY" --annotations)");
    command->callback([&action, options] { action = [options] { return gate(*options); }; });
}

} // namespace pdlcts
