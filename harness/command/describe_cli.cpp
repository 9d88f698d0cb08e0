// SPDX-License-Identifier: Apache-2.0
#include "harness/command/describe_cli.hpp"

#include "conformance/support/concat.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace pdlcts {
namespace {

// ---- what is defined ----------------------------------------------------------------------------------------------

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App* command) { return !command->get_name().empty(); });
}

struct Option {
    std::vector<std::string> names; ///< `-o`, `--output`; none of a positional
    std::string positional;
    std::string value; ///< `FILE`; empty of a flag
    std::vector<std::string> choices;
    std::string description; ///< one line
    bool required = false;
    bool repeated = false;
};

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// The library writes the choices of a value behind its type: `TEXT:{sass,ptx}`.
std::vector<std::string> choices_in(const std::string& type) {
    std::vector<std::string> choices;
    const std::size_t open = type.find('{');
    const std::size_t close = type.find('}', open);
    if (open == std::string::npos || close == std::string::npos) {
        return choices;
    }
    for (std::size_t at = open + 1; at < close;) {
        const std::size_t end = std::min(type.find(',', at), close);
        choices.push_back(type.substr(at, end - at));
        at = end + 1;
    }
    return choices;
}

std::vector<Option> options_of(const CLI::App& app) {
    std::vector<Option> options;
    for (const CLI::Option* defined : app.get_options()) {
        Option option;
        for (const std::string& name : defined->get_snames()) {
            option.names.push_back("-" + name);
        }
        for (const std::string& name : defined->get_lnames()) {
            option.names.push_back("--" + name);
        }
        option.description = one_line(defined->get_description());
        option.required = defined->get_required();
        const bool flag = defined->get_items_expected_max() == 0;
        const std::string type = defined->get_type_name();
        option.choices = choices_in(type);
        option.repeated = !flag && defined->get_items_expected_max() > 1;
        option.value = flag ? "" : !option.choices.empty() ? "WORD" : type.substr(0, type.find(':'));
        if (option.names.empty()) {
            option.positional = option.value == "TEXT" ? "FILE" : option.value;
        }
        options.push_back(std::move(option));
    }
    return options;
}

bool takes_files(const Option& option) {
    return option.value.find("FILE") != std::string::npos || option.value.find("NAME") != std::string::npos ||
           option.value == "RESULTS" || !option.positional.empty();
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
    std::string text;
    for (const std::string& word : words) {
        text += concat(text.empty() ? "" : separator, word);
    }
    return text;
}

// ---- manual page --------------------------------------------------------------------------------------------------

/// Text for troff: nothing in it is an instruction.
std::string troff(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        escaped += c == '\\'   ? "\\e"
                   : c == '-'  ? "\\-"
                   : c == '\'' ? "\\(aq"
                   : c == '`'  ? "\\(ga"
                   : c == '^'  ? "\\(ha"
                   : c == '~'  ? "\\(ti"
                               : std::string(1, c);
    }
    return escaped.starts_with('.') ? "\\&" + escaped : escaped;
}

/// Lines as they are.
std::string troff_lines(std::string_view text) {
    std::string lines = ".nf\n";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        lines += (line.empty() ? ".sp" : troff(line)) + "\n";
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines + ".fi\n";
}

std::string troff_option(const Option& option) {
    std::string head;
    for (const std::string& name : option.names) {
        head += concat(head.empty() ? "" : ", ", "\\fB", troff(name), "\\fR");
    }
    if (!option.value.empty()) {
        head +=
            concat(head.empty() ? "" : " ", "\\fI", troff(option.positional.empty() ? option.value : option.positional),
                   "\\fR", option.repeated ? " ..." : "");
    }
    std::string text = concat(".TP\n", head, "\n", troff(option.description), "\n");
    if (!option.choices.empty()) {
        text += concat("One of ", troff(joined(option.choices, ", ")), ".\n");
    }
    return text;
}

std::string synopsis(const CLI::App& command) {
    std::string text = concat(".B pdlcts ", command.get_name(), "\n[\\fIoption\\fR ...]");
    for (const Option& option : options_of(command)) {
        if (option.names.empty()) {
            text += concat(option.required ? " " : " [", "\\fI", troff(option.positional), "\\fR",
                           option.repeated ? " ..." : "", option.required ? "" : "]");
        }
    }
    return text + "\n";
}

// ---- completions --------------------------------------------------------------------------------------------------

/// In single quotes of a shell.
std::string shell_quoted(std::string_view text) {
    std::string result = "'";
    for (const char c : text) {
        result += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return result + "'";
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : commands_of(app)) {
        names.push_back(command->get_name());
    }
    return names;
}

/// As `_arguments` of zsh wants it.
std::string zsh_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        escaped += (c == '[' || c == ']' || c == ':' || c == '\\') ? std::string{'\\', c} : std::string(1, c);
    }
    return escaped;
}

} // namespace

std::string manual_page(const CLI::App& app, std::string_view version) {
    std::string text = concat(".\\\" Written by the program from the definition of its command line.\n",
                              ".TH PDLCTS 1 \"\" \"", troff(version), "\" \"PDL conformance suite\"\n.SH NAME\n",
                              "pdlcts \\- conformance suite for Programmatic Dependent Launch\n.SH SYNOPSIS\n");
    bool first = true;
    for (const CLI::App* command : commands_of(app)) {
        text += (first ? "" : ".br\n") + synopsis(*command);
        first = false;
    }
    text += ".SH DESCRIPTION\n" + troff(one_line(app.get_description())) + "\n.SH OPTIONS\n";
    for (const Option& option : options_of(app)) {
        text += troff_option(option);
    }
    text += ".SH COMMANDS\n";
    for (const CLI::App* command : commands_of(app)) {
        text += concat(".SS pdlcts ", command->get_name(), "\n", troff(one_line(command->get_description())),
                       command->get_description().ends_with('?') ? "\n" : ".\n");
        for (const Option& option : options_of(*command)) {
            if (std::find(option.names.begin(), option.names.end(), "--help") == option.names.end()) {
                text += troff_option(option);
            }
        }
        if (!command->get_footer().empty() && command->get_footer() != app.get_footer()) {
            text += ".PP\n" + troff_lines(command->get_footer());
        }
    }
    // The footer of the program itself is the table of its exit codes.
    return text + ".SH \"EXIT STATUS\"\n" + troff_lines(app.get_footer());
}

std::string bash_completion(const CLI::App& app) {
    std::string text = "# bash completion of pdlcts, written by `pdlcts completion bash`\n"
                       "_pdlcts() {\n"
                       "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command='' i\n"
                       "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
                       "        if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
                       "            command=${COMP_WORDS[i]}\n"
                       "            break\n"
                       "        fi\n"
                       "    done\n"
                       "    local options='' choices='' files=1\n"
                       "    case $command in\n";
    text += concat("    '') options=", shell_quoted("--help --version " + joined(names_of_commands(app), " ")),
                   " files='' ;;\n");
    for (const CLI::App* command : commands_of(app)) {
        std::vector<std::string> names;
        std::string values;
        std::vector<std::string> words; // of positionals
        bool files = false;
        for (const Option& option : options_of(*command)) {
            names.insert(names.end(), option.names.begin(), option.names.end());
            if (option.names.empty()) {
                words.insert(words.end(), option.choices.begin(), option.choices.end());
                files = files || option.choices.empty();
            } else if (!option.value.empty()) {
                const std::string how = !option.choices.empty()
                                            ? "choices=" + shell_quoted(joined(option.choices, " ")) + " options=''"
                                        : takes_files(option) ? "options=''"
                                                              : "options='' files=''";
                values += concat("        ", joined(option.names, "|"), ") ", how, " ;;\n");
            }
        }
        text += concat("    ", command->get_name(), ")\n        options=",
                       shell_quoted(joined(names, " ") + (words.empty() ? "" : " " + joined(words, " "))),
                       files ? "" : "\n        files=''", "\n");
        text += values.empty() ? "" : concat("        case $before in\n", values, "        esac\n");
        text += "        ;;\n";
    }
    return text + "    *) options='--help' ;;\n"
                  "    esac\n"
                  "    if [[ -n $choices ]]; then\n"
                  "        COMPREPLY=($(compgen -W \"$choices\" -- \"$word\"))\n"
                  "    elif [[ -n $options && ( -z $files || $word == -* ) ]]; then\n"
                  "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
                  "    elif [[ -n $files ]]; then\n"
                  "        compopt -o filenames 2>/dev/null\n"
                  "        COMPREPLY=($(compgen -f -- \"$word\"))\n"
                  "    fi\n"
                  "}\n"
                  "complete -F _pdlcts pdlcts\n";
}

std::string zsh_completion(const CLI::App& app) {
    std::string text = "#compdef pdlcts\n# zsh completion of pdlcts, written by `pdlcts completion zsh`\n"
                       "_pdlcts() {\n"
                       "    local curcontext=$curcontext state line\n"
                       "    typeset -A opt_args\n"
                       "    _arguments -C '(-h --help)'{-h,--help}'[Print the help]' '--version[Print the version]' "
                       "'1: :->command' '*:: :->arguments'\n"
                       "    case $state in\n"
                       "    command)\n"
                       "        local -a commands=(\n";
    for (const CLI::App* command : commands_of(app)) {
        text += concat("            ",
                       shell_quoted(concat(command->get_name(), ":", zsh_text(one_line(command->get_description())))),
                       "\n");
    }
    text += "        )\n        _describe command commands\n        ;;\n    arguments)\n        case $line[1] in\n";
    for (const CLI::App* command : commands_of(app)) {
        text += concat("        ", command->get_name(), ")\n            _arguments");
        for (const Option& option : options_of(*command)) {
            const std::string action = !option.choices.empty()
                                           ? concat(":", option.value, ":(", joined(option.choices, " "), ")")
                                       : takes_files(option) ? concat(":", option.value, ":_files")
                                                             : concat(":", option.value, ": ");
            if (option.names.empty()) {
                text += concat(" \\\n                ", shell_quoted(concat(option.repeated ? "*" : "", action)));
            }
            for (const std::string& name : option.names) {
                text += concat(" \\\n                ",
                               shell_quoted(concat(option.repeated ? "*" : "", name, "[", zsh_text(option.description),
                                                   "]", option.value.empty() ? "" : action)));
            }
        }
        text += "\n            ;;\n";
    }
    return text + "        esac\n        ;;\n    esac\n}\n_pdlcts \"$@\"\n";
}

std::string fish_completion(const CLI::App& app) {
    std::string text = "# fish completion of pdlcts, written by `pdlcts completion fish`\n";
    text += "complete -c pdlcts -n __fish_use_subcommand -f -s h -l help -d 'Print the help'\n";
    text += "complete -c pdlcts -n __fish_use_subcommand -f -l version -d 'Print the version'\n";
    const auto fish_quoted = [](std::string_view words) {
        std::string result = "'";
        for (const char c : words) {
            result += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
        }
        return result + "'";
    };
    for (const CLI::App* command : commands_of(app)) {
        text += concat("complete -c pdlcts -n __fish_use_subcommand -f -a ", command->get_name(), " -d ",
                       fish_quoted(one_line(command->get_description())), "\n");
        const std::string when =
            concat("complete -c pdlcts -n '__fish_seen_subcommand_from ", command->get_name(), "'");
        for (const Option& option : options_of(*command)) {
            std::string line = when;
            for (const std::string& name : option.names) {
                line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            if (option.names.empty() && option.choices.empty()) {
                continue; // files, which fish completes by itself
            }
            line += !option.names.empty() && !option.value.empty() ? " -r" : "";
            line += option.choices.empty() ? ""
                    : option.names.empty() || !option.value.empty()
                        ? " -f -a " + fish_quoted(joined(option.choices, " "))
                        : "";
            text += concat(line, " -d ", fish_quoted(option.description), "\n");
        }
    }
    return text;
}

} // namespace pdlcts
