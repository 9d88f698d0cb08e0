// SPDX-License-Identifier: Apache-2.0
#include "harness/command/bundle_files.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/machine/check.hpp"
#include "harness/command/cells.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/trace_table.hpp"
#include "harness/export/reproducer.hpp"
#include "harness/gpu/emit.hpp"
#include "harness/gpu/recompile.hpp"
#include "harness/judge/judge.hpp"
#include "harness/worker/seeds.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

std::string lines_of(const std::vector<std::string>& lines, const char* indentation) {
    std::string text;
    for (const std::string& line : lines) {
        text += fmt::format("{}{}\n", indentation, line);
    }
    return text.empty() ? fmt::format("{}(none)\n", indentation) : text;
}

/// Calls `write` with every observation of a cell and what it is of: `control, captured`.
template <typename Write>
std::string of_all(const Cell& cell, const Write& write) {
    std::string text;
    const auto add = [&](const Form& form) {
        text += write(form.program, fmt::format("program, {}", name(form.route)));
        if (form.control) {
            text += write(*form.control, fmt::format("control, {}", name(form.route)));
        }
    };
    add(cell.form);
    if (cell.other_form) {
        add(*cell.other_form);
    }
    return text;
}

std::string plan_text(const Cell& cell) {
    return of_all(cell, [](const Observation& observation, const std::string& what) {
        const Structure& structure = observation.structure;
        std::string text = fmt::format("{}\n  expected dependencies:\n{}", what, lines_of(structure.expected, "    "));
        if (structure.read_back) {
            text += "  as the driver has them:\n" + lines_of(structure.built, "    ");
        }
        if (!structure.undocumented.empty()) {
            text += "  what no document says:\n" + lines_of(structure.undocumented, "    ");
        }
        return text + "\n";
    });
}

std::string outcomes_text(const Cell& cell) {
    return of_all(cell, [](const Observation& observation, const std::string& what) {
        std::vector<std::string> seen;
        for (const auto& [outcome, count] : observation.tally.outcomes) {
            seen.push_back(fmt::format("{:>10}  {}", count, outcome));
        }
        if (observation.tally.unwritten != 0) {
            seen.push_back(fmt::format("{:>10}  a register was never written", observation.tally.unwritten));
        }
        return fmt::format("{}\n  seen, of {} trials:\n{}  allowed by the specification{}:\n{}\n", what,
                           observation.tally.trials(), lines_of(seen, "    "),
                           observation.decided ? "" : " (not decided)", lines_of(observation.allowed, "    "));
    });
}

std::string trace_text(const Litmus& litmus, Route route) {
    const Check answer = check(litmus, route);
    std::string text =
        fmt::format("The abstract machine says {} on route {}: {}\n", name(answer.answer), name(route), answer.reason);
    if (!answer.trace.empty()) {
        text += fmt::format("\n{}:\n{}",
                            answer.answer == Answer::refuted ? "An execution that refutes the claim"
                            : litmus.program.claim.sometimes.has_value()
                                ? "An execution that shows it"
                                : "An execution of the control that violates the claim",
                            lines_of(trace_table(answer.trace), "  "));
    }
    return text;
}

std::string environment_text(const Environment& environment) {
    std::string text = fmt::format(
        "GPU                 {}\ncompute capability  {}.{}\nmultiprocessors     {}\ndriver              {} (CUDA "
        "{}.{})\n"
        "runtime             {}.{}\nNVRTC               {}\nMIG                 {}\nMPS                 {}\n"
        "ECC                 {}\ncompute mode        {}\noperating system    {}\nkernel              {}\n",
        environment.gpu, environment.compute_capability / 10, environment.compute_capability % 10,
        environment.multiprocessors, environment.driver_version, environment.driver_api_version / 1000,
        environment.driver_api_version % 1000 / 10, environment.runtime_version / 1000,
        environment.runtime_version % 1000 / 10, environment.nvrtc_version, environment.mig_mode, environment.mps,
        environment.ecc, environment.compute_mode, environment.operating_system, environment.kernel);
    for (const auto& [variable, value] : environment.variables) {
        text += fmt::format("{}={}\n", variable, value);
    }
    return text;
}

/// A line of the README: a file and what is in it.
struct Described {
    PackedFile file;
    std::string what;
};

struct Contents {
    std::vector<Described> files;
    std::vector<std::string> missing; ///< what could not be packed, and why

    void add(const char* name, std::string content, const char* what) {
        files.push_back({{name, std::move(content)}, what});
    }
};

void add_code(Contents& contents, const Cell& cell, const Case& listed, const Ledger& ledger) {
    ReproducerOptions options;
    options.route = cell.form.route;
    options.suite = describe(this_suite());
    if (Result<std::string> text = reproducer(listed, ledger, options)) {
        contents.add("reproducer.cu", *std::move(text), "one CUDA file that runs the case on its own, and says how");
    } else {
        contents.missing.push_back("no reproducer: " + text.error().message);
    }
    const Result<CaseLayout> layout = lay_out(listed.litmus);
    if (!layout) {
        contents.missing.push_back("no kernels: " + layout.error().message);
        return;
    }
    const std::string source = emit(listed.litmus, *layout, spelling_of(cell.image));
    contents.add("kernels.cu", source, "the kernels as they are given to NVRTC");
    if (cell.image.empty() || cell.image == "machine") {
        contents.missing.emplace_back("no image: no GPU ran");
        return;
    }
    if (const auto image = compile_for_image(source, cell.image)) {
        const bool sass = cell.image.starts_with("sass");
        const std::size_t end = sass || image->empty() ? image->size() : image->size() - 1; // PTX ends in a 0
        contents.add(sass ? "kernels.cubin" : "kernels.ptx", std::string(image->data(), end),
                     "the same, compiled for the image that ran, by the NVRTC of the machine that wrote this bundle");
    } else {
        contents.missing.push_back("no image: " + image.error().message);
    }
}

std::string replay_text(const Results& results, std::size_t place, const Cell& cell) {
    if (results.seed == 0) {
        return "No GPU ran, so there is nothing to replay; `pdlcts check case.litmus` asks the abstract machine "
               "again.\n";
    }
    const std::string which = cell.statement.empty() ? "case.litmus" : "--case " + cell.case_id;
    return fmt::format(
        "    pdlcts run --on gpu {} --route {} --seed {}{}\n\n"
        "repeats the trials of this cell with the salts, the order and the variations that they had (in the "
        "run of\n{} cells it had the seed {}). What a GPU does with them is its own affair.\n",
        which, name(cell.form.route), seed_of_cell_alone(results.seed, place + 1),
        cell.thresholds.quick ? " --quick" : "", results.cells.size(), results.seed);
}

std::string readme(const Results& results, std::size_t place, const Contents& contents, const Ledger& ledger,
                   bool same_code) {
    const Cell& cell = results.cells[place];
    const Judgement judgement = judge(cell);
    std::string text =
        fmt::format("# {} on route {}: {}\n\n", cell.case_id, name(cell.form.route), name(judgement.verdict));
    if (!judgement.reason.empty()) {
        text += judgement.reason + "\n\n";
    }
    if (const Statement* statement = find_statement(ledger, cell.statement)) {
        text += fmt::format("The statement: {} ({}, {})\n\n> {}\n\n", statement->id, name(statement->strength),
                            name(statement->basis), statement->text);
    }
    text += fmt::format("Ran {} on {}, driver {}, image {}, by pdlcts {} (git {}{}).\n\n", results.started,
                        results.environment.gpu, results.environment.driver_version,
                        cell.image.empty() ? "none" : cell.image, results.suite.version,
                        results.suite.git_hash.substr(0, 12), results.suite.dirty ? ", modified" : "");
    if (!same_code) {
        text +=
            "The case as it is here, or the code that is made of it, is not the one that ran: `case.litmus` and what "
            "follows from it\nare of the program that wrote this bundle. `results.json` holds what was seen.\n\n";
    }
    text += "## Files\n\n| file | what |\n|---|---|\n";
    for (const Described& each : contents.files) {
        text += fmt::format("| {} | {} |\n", each.file.name, each.what);
    }
    for (const std::string& missing : contents.missing) {
        text += fmt::format("\nLeft out, {}\n", missing.substr(0, missing.find('\n')));
    }
    return text + "\n## Replay\n\n" + replay_text(results, place, cell) +
           "\n## Without the suite\n\n    nvcc -arch=sm_90 -o reproducer reproducer.cu && ./reproducer\n\n"
           "`pdlcts verify results.json` derives the verdict again from what was seen.\n";
}

} // namespace

std::string bundle_name(const Cell& cell) {
    std::string text = fmt::format("{}-on-{}", cell.case_id, name(cell.form.route));
    constexpr std::size_t longest = 60;
    for (char& character : text) {
        const bool plain = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
                           (character >= '0' && character <= '9') || character == '_';
        character = plain ? character : '-';
    }
    text = text.substr(text.size() > longest ? text.size() - longest : 0);
    return "pdlcts-" + text;
}

std::vector<PackedFile> bundle_files(const Results& results, std::size_t place, const Case& listed,
                                     const Ledger& ledger) {
    const Cell& cell = results.cells[place];
    Results alone = results;
    alone.every_case = false;
    alone.cells = {cell};
    alone.native.clear();

    Contents contents;
    contents.add("results.json", write_json(alone),
                 "the results of this cell and their environment, for `pdlcts verify`");
    contents.add("environment.txt", environment_text(results.environment), "the environment, to read");
    contents.add("case.litmus", print(listed.litmus), "the case: program, control and claim");
    contents.add("outcomes.txt", outcomes_text(cell), "what was seen, and what is allowed");
    contents.add("plan.txt", plan_text(cell), "which operation depends on which, and how");
    contents.add("trace.txt", trace_text(listed.litmus, cell.form.route),
                 "the abstract machine's answer, step by step");
    add_code(contents, cell, listed, ledger);

    const Result<CaseLayout> layout = lay_out(listed.litmus);
    const std::string source = layout && !cell.machine ? emit(listed.litmus, *layout, spelling_of(cell.image)) : "";
    const bool same_code = digest_of_run(listed.litmus, cell.form.route, cell.image, source) == cell.digest;
    std::vector<PackedFile> files{{"README.md", readme(results, place, contents, ledger, same_code)}};
    for (Described& each : contents.files) {
        files.push_back(std::move(each.file));
    }
    return files;
}

} // namespace pdlcts
