// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/spin.hpp"

#include "conformance/machine/benchmarks/promela.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pdlcts::spin {
namespace {

std::string read_file(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

/// In the child: nothing that allocates.
[[noreturn]] void become(char* const* arguments, const char* folder, int output) {
    if (chdir(folder) == 0 && dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0) {
        execvp(arguments[0], arguments);
    }
    _exit(127);
}

/// The number in front of some words on a line of the verifier's report. Large ones are printed as 1.2345e+06.
double number_before(const std::string& report, std::string_view words) {
    const std::size_t end = report.find(words);
    if (end == std::string::npos) {
        return 0;
    }
    const std::size_t begin = report.rfind('\n', end) + 1;
    return std::strtod(report.substr(begin, end - begin).c_str(), nullptr);
}

std::uint64_t count_before(const std::string& report, std::string_view words) {
    return static_cast<std::uint64_t>(std::llround(number_before(report, words)));
}

std::vector<std::string> flags_of(Reduction reduction) {
    switch (reduction) {
    case Reduction::none:
        return {"-DNOREDUCE"};
    case Reduction::partial_order:
        return {};
    case Reduction::collapsed:
        return {"-DCOLLAPSE"};
    }
    return {};
}

Error failed(const std::string& step, const Run& run) {
    return Error{concat(step, " failed with ", run.status, ": ", run.output)};
}

std::string first_line(const Result<Run>& run) {
    return run && run->status == 0 ? run->output.substr(0, run->output.find('\n')) : "";
}

} // namespace

Result<Run> run(const std::vector<std::string>& command, const std::filesystem::path& folder) {
    const std::filesystem::path output = folder / "output.txt";
    std::vector<std::string> words = command;
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const int file = open(output.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) {
        return Error{concat("cannot write ", output.string(), ": ", std::strerror(errno))};
    }
    const std::string directory = folder.string();
    const pid_t child = fork();
    if (child == 0) {
        become(arguments.data(), directory.c_str(), file);
    }
    close(file);
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child) {
        return Error{concat("cannot run ", command.front(), ": ", std::strerror(errno))};
    }
    Run made;
    made.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    made.output = read_file(output);
    made.seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    return made;
}

std::string spin_version() {
    // "Spin Version 6.5.2 -- 6 December 2019"
    std::istringstream words(first_line(run({"spin", "-V"}, std::filesystem::temp_directory_path())));
    std::string version;
    words >> version >> version >> version;
    return version;
}

std::string compiler_version() {
    return first_line(run({"gcc", "--version"}, std::filesystem::temp_directory_path()));
}

Result<Verification> verify(const SpelledOut& plan, const std::filesystem::path& folder, const Options& options) {
    const Result<std::string> model = promela(plan);
    if (!model) {
        return model.error();
    }
    std::ofstream(folder / "plan.pml") << *model;
    const Result<Run> generated = run({"spin", "-a", "plan.pml"}, folder);
    if (!generated || generated->status != 0) {
        return generated ? failed("spin -a", *generated) : generated.error();
    }
    std::vector<std::string> compile{"gcc", "-w", options.optimisation, "-DSAFETY"};
    for (const std::string& flag : flags_of(options.reduction)) {
        compile.push_back(flag);
    }
    compile.insert(compile.end(), {"-o", "pan", "pan.c"});
    const Result<Run> compiled = run(compile, folder);
    if (!compiled || compiled->status != 0) {
        return compiled ? failed("gcc", *compiled) : compiled.error();
    }
    Verification made;
    made.build_seconds = generated->seconds + compiled->seconds;
    unsigned slots = 18;
    for (unsigned repetition = 0; repetition < std::max(options.repetitions, 1U); ++repetition) {
        // -c0: go on behind an execution that stops. -m: no execution is cut off. -w: slots of the hash table.
        const Result<Run> verified = run({"./pan", "-c0", "-m10000", concat("-w", slots), "-n"}, folder);
        if (!verified || verified->status != 0) {
            return verified ? failed("the verifier", *verified) : verified.error();
        }
        const std::string& report = verified->output;
        if (report.find("states, stored") == std::string::npos ||
            report.find("Search not completed") != std::string::npos ||
            report.find("max search depth too small") != std::string::npos) {
            return failed("the verifier", *verified);
        }
        made.outcomes = outcomes_of(plan, report);
        made.stuck = report.find("errors: 0\n") == std::string::npos;
        made.states = count_before(report, " states, stored");
        made.transitions = count_before(report, " transitions (");
        const bool fits = made.states < std::uint64_t{1} << slots;
        if (!fits && options.repetitions > 1) {
            // Once more, with a table that is large enough for what there is: a smaller one costs it time.
            slots = static_cast<unsigned>(std::bit_width(made.states)) + 1;
            repetition = 0;
            made.seconds = 0;
            continue;
        }
        made.seconds = made.seconds == 0 ? verified->seconds : std::min(made.seconds, verified->seconds);
        made.megabytes = number_before(report, "total actual memory usage");
        if (verified->seconds > 0.5) {
            break;
        }
    }
    return made;
}

} // namespace pdlcts::spin
