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

} // namespace pdlcts
