// SPDX-License-Identifier: Apache-2.0
#include "harness/command/shipped_options.hpp"

#include "conformance/support/concat.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/describe_cli.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/suite.hpp"
#include "reports/results/schema.hpp"

#include <CLI/CLI.hpp>

namespace pdlcts {
namespace {

/// Prints a text that is made when it is asked for: all commands are defined by then.
void add_printing(std::function<ExitCode()>& action, CLI::App& command, std::function<std::string()> text) {
    auto output = std::make_shared<std::string>("-");
    command.add_option("-o,--output", *output, "Write a file instead of standard output")->type_name("FILE");
    command.callback([&action, output, text = std::move(text)] {
        action = [output, text] {
            return write_output(*output, text()) ? ExitCode::success : ExitCode::unwritable_output;
        };
    });
}

} // namespace

void add_shipped(CLI::App& app, std::function<ExitCode()>& action) {
    CLI::App* const schema =
        app.add_subcommand("schema", "Print the JSON Schema of results files, for programs that read them");
    add_printing(action, *schema, results_schema);

    CLI::App* const completion = app.add_subcommand("completion", "Print what completes this command line in a shell");
    auto shell = std::make_shared<std::string>();
    completion->add_option("shell", *shell, "The shell")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
    add_printing(action, *completion, [&app, shell] {
        return *shell == "bash" ? bash_completion(app) : *shell == "zsh" ? zsh_completion(app) : fish_completion(app);
    });
    completion->footer(R"(Examples:
  source <(pdlcts completion bash)
  pdlcts completion fish -o ~/.config/fish/completions/pdlcts.fish)");

    CLI::App* const manual = app.add_subcommand("manual", "Print the manual page, as troff");
    add_printing(action, *manual, [&app] { return manual_page(app, "pdlcts " + this_suite().version); });
    manual->footer(R"(Example:
  pdlcts manual | man -l -)");
}

std::string version_text() {
    const Suite suite = this_suite();
    constexpr std::string_view toolkit = PDLCTS_BUILT_WITH_TOOLKIT;
#if defined(__clang__)
    constexpr std::string_view compiler = "clang " __clang_version__;
#else
    constexpr std::string_view compiler = "GCC " __VERSION__;
#endif
    return concat("pdlcts ", suite.version, " (", suite.git_hash, suite.dirty ? ", modified" : "", ")\n",
                  "results schema ", results_schema_version, ", cases ", suite.cases_digest.substr(0, 12), "\n",
                  "built by ", compiler, toolkit.empty() ? ", without a CUDA Toolkit" : ", with CUDA Toolkit ",
                  toolkit);
}

} // namespace pdlcts
