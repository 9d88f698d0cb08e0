// SPDX-License-Identifier: Apache-2.0
// The machine and SPIN on the same plans: README.md.
#include "conformance/machine/benchmarks/comparison.hpp"
#include "conformance/machine/benchmarks/families.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string_view>

namespace {

using namespace pdlcts;
using namespace pdlcts::spin;

constexpr unsigned repetitions = 5;

// ---- the machine, in a process of its own --------------------------------------------------------------------------

/// Reads a litmus file from standard input, explores one subject, and prints what the parent process wants to know.
int explore_in_this_process(const std::string& route, const std::string& part) {
    std::ostringstream text;
    text << std::cin.rdbuf();
    const Subject subject{"plan", text.str(), static_cast<Route>(std::stoi(route)), part == "control"};
    const Result<Exploring> explored = explore(subject, repetitions);
    if (!explored) {
        std::cout << explored.error().message << "\n";
        return 1;
    }
    std::cout << explored->states << " " << explored->stuck << " " << explored->seconds << " " << explored->megabytes
              << "\n";
    for (const Outcome& outcome : explored->outcomes) {
        std::cout << pdlcts::print(outcome) << "\n";
    }
    return 0;
}

/// In a process of its own, so that its memory is its own as well, like SPIN's.
Result<Exploring> explore_apart(const Subject& subject) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "plan.litmus") << subject.text;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string command = concat("exec '", self.string(), "' --explore ", static_cast<int>(subject.route), " ",
                                       subject.control ? "control" : "program", " < plan.litmus");
    const Result<Run> explored = run({"sh", "-c", command}, folder.path());
    if (!explored || explored->status != 0) {
        return explored ? Error{explored->output} : explored.error();
    }
    Exploring made;
    std::istringstream lines(explored->output);
    lines >> made.states >> made.stuck >> made.seconds >> made.megabytes;
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
        const Result<Outcome> outcome = parse_outcome(line);
        if (!outcome) {
            return outcome.error();
        }
        made.outcomes.insert(*outcome);
    }
    return made;
}

// ---- one plan ------------------------------------------------------------------------------------------------------

struct Figures {
    std::uint64_t states = 0;
    double seconds = 0;
    double megabytes = 0;

    void add(const Figures& other) {
        states += other.states;
        seconds += other.seconds;
        megabytes = std::max(megabytes, other.megabytes);
    }
};

constexpr Reduction reductions[] = {Reduction::none, Reduction::partial_order};

struct Row {
    std::size_t plans = 0;
    std::size_t outcomes = 0;
    Figures machine;
    Figures spin[std::size(reductions)];
    double build_seconds = 0; ///< for one reduction
    std::vector<std::string> findings;

    void add(const Row& other) {
        plans += other.plans;
        outcomes += other.outcomes;
        machine.add(other.machine);
        for (std::size_t index = 0; index < std::size(reductions); ++index) {
            spin[index].add(other.spin[index]);
        }
        build_seconds += other.build_seconds;
        findings.insert(findings.end(), other.findings.begin(), other.findings.end());
    }
};

Row compare(const Subject& subject) {
    Row row;
    const auto found = [&](const std::string& what) {
        row.findings.push_back(concat(spin::print(subject), ": ", what));
    };
    const Result<SpelledOut> plan = prepare(subject);
    if (!plan) {
        found(plan.error().message);
        return row;
    }
    const Result<Exploring> machine = explore_apart(subject);
    if (!machine) {
        found(machine.error().message);
        return row;
    }
    row.plans = 1;
    row.outcomes = machine->outcomes.size();
    row.machine = {machine->states, machine->seconds, machine->megabytes};
    for (std::size_t index = 0; index < std::size(reductions); ++index) {
        const TemporaryFolder folder;
        const Result<Verification> verified = verify(*plan, folder.path(), {reductions[index], "-O2", repetitions});
        if (!verified) {
            found(verified.error().message);
            continue;
        }
        row.spin[index] = {verified->states, verified->seconds, verified->megabytes};
        row.build_seconds = verified->build_seconds;
        if (const auto what = disagreement(*machine, *verified)) {
            found(*what);
        }
    }
    return row;
}

// ---- tables --------------------------------------------------------------------------------------------------------

std::string seconds_text(double seconds) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(seconds < 0.0995 ? 4 : 2) << seconds;
    return text.str();
}

/// Times below that are mostly those of starting a process.
constexpr double shortest_rate_seconds = 0.05;

std::string rate_text(const Figures& figures) {
    if (figures.seconds < shortest_rate_seconds) {
        return "-";
    }
    return std::to_string(static_cast<std::uint64_t>(static_cast<double>(figures.states) / figures.seconds / 1000));
}

std::string columns(const Figures& figures) {
    return concat(" ", figures.states, " | ", seconds_text(figures.seconds), " | ", rate_text(figures), " | ",
                  std::llround(figures.megabytes), " |");
}

void print_head(std::string_view first) {
    std::cout << "\n| " << first << " | plans | outcomes";
    for (const char* who : {"machine", "SPIN", "SPIN, reduced"}) {
        std::cout << " | " << who << ": states | s | 1000/s | MB";
    }
    std::cout << " | build s |\n|---|--:|--:";
    for (std::size_t column = 0; column < 4 * (1 + std::size(reductions)) + 1; ++column) {
        std::cout << "|--:";
    }
    std::cout << "|\n";
}

void print_row(const std::string& name, const Row& row) {
    std::cout << "| " << name << " | " << row.plans << " | " << row.outcomes << " |" << columns(row.machine);
    for (const Figures& figures : row.spin) {
        std::cout << columns(figures);
    }
    std::cout << " " << seconds_text(row.build_seconds) << " |" << std::endl;
}

std::string read_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

std::map<std::string, std::filesystem::path> cases() {
    const std::filesystem::path folder = std::filesystem::path(PDLCTS_SOURCE_DIR) / "cases";
    std::map<std::string, std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".litmus") {
            files[std::filesystem::relative(entry.path(), folder).replace_extension().string()] = entry.path();
        }
    }
    return files;
}

int finish(const std::vector<std::string>& findings) {
    for (const std::string& finding : findings) {
        std::cout << "finding: " << finding << "\n";
    }
    return findings.empty() ? 0 : 1;
}

/// All plans whose names have this text in them.
int print_tables(const std::string& only) {
    std::cout << "SPIN " << spin_version() << ", " << compiler_version() << "\n";
    std::vector<std::string> findings;
    Row all;
    print_head("case, on all its routes, with its control");
    for (const auto& [name, path] : cases()) {
        if (name.find(only) == std::string::npos) {
            continue;
        }
        Row row;
        for (const Subject& subject : subjects_of(name, read_file(path))) {
            row.add(compare(subject));
        }
        print_row(name, row);
        all.add(row);
    }
    print_row("**all cases**", all);
    findings = all.findings;
    print_head("family");
    for (const Member& member : families()) {
        if (member.name.find(only) == std::string::npos) {
            continue;
        }
        const Row row = compare({member.name, member.text, Route::stream, false});
        print_row(member.name, row);
        findings.insert(findings.end(), row.findings.begin(), row.findings.end());
    }
    return finish(findings);
}

/// Compares outcome sets alone, of any litmus files.
int check(const std::vector<std::string>& files) {
    std::size_t equal = 0;
    std::map<std::string, std::size_t> left_out;
    std::vector<std::string> findings;
    for (const std::string& file : files) {
        for (const Subject& subject : subjects_of(file, read_file(file))) {
            const Result<SpelledOut> plan = prepare(subject);
            if (!plan) {
                ++left_out[plan.error().message];
                continue;
            }
            const TemporaryFolder folder;
            const Result<Exploring> machine = explore(subject, 1);
            const Result<Verification> verified = verify(*plan, folder.path(), {Reduction::none, "-O0", 1});
            const std::optional<std::string> what =
                !machine ? machine.error().message
                         : (!verified ? std::optional(verified.error().message) : disagreement(*machine, *verified));
            if (what) {
                findings.push_back(concat(spin::print(subject), ": ", *what));
                std::cout << findings.back() << std::endl;
            } else {
                ++equal;
            }
        }
    }
    std::cout << equal << " plans with equal outcome sets\n";
    for (const auto& [reason, count] : left_out) {
        std::cout << count << " left out: " << reason << "\n";
    }
    return finish(findings);
}

} // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (arguments.size() == 3 && arguments[0] == "--explore") {
        return explore_in_this_process(arguments[1], arguments[2]);
    }
    if (!arguments.empty() && arguments[0] == "--check") {
        return check({arguments.begin() + 1, arguments.end()});
    }
    if (arguments.empty() || (arguments.size() == 2 && arguments[0] == "--only")) {
        return print_tables(arguments.empty() ? "" : arguments[1]);
    }
    std::cerr << "usage: pdlcts_spin_benchmark [--only TEXT | --check FILE.litmus...]\n";
    return 2;
}
