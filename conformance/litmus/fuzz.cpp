// SPDX-License-Identifier: Apache-2.0
// pdlcts_fuzz [--inputs N] [--seed S] [--seconds T] [--print K] [DIRECTORY...]
//
// Tries texts that are nearly litmus files until N inputs or T seconds are done: parse, print, parse, lower. The files
// of the directories are what it starts from. The same seed and directories give the same inputs: where one of them
// ends the process, `--print K` shows the K-th.
#include "conformance/litmus/fuzz_input.hpp"
#include "conformance/litmus/fuzz_mutator.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <vector>

namespace {

struct Options {
    std::uint64_t inputs = 1'000'000'000;
    std::uint64_t seconds = 1'000'000;
    std::uint64_t printed = 0; ///< 0: none
    std::uint32_t seed = 1;
    std::vector<std::string> directories;
};

template <typename Number>
void read_number(std::string_view option, std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) {
        throw std::invalid_argument(std::string(option) + " takes a number, not '" + std::string(text) + "'");
    }
}

Options read_options(std::span<char*> arguments) {
    Options options;
    for (std::size_t index = 1; index < arguments.size(); ++index) {
        const std::string_view option = arguments[index];
        if (!option.starts_with("--")) {
            options.directories.emplace_back(option);
            continue;
        }
        if (index + 1 == arguments.size()) {
            throw std::invalid_argument(std::string(option) + " takes a number");
        }
        const std::string_view value = arguments[++index];
        if (option == "--inputs") {
            read_number(option, value, options.inputs);
        } else if (option == "--seconds") {
            read_number(option, value, options.seconds);
        } else if (option == "--seed") {
            read_number(option, value, options.seed);
        } else if (option == "--print") {
            read_number(option, value, options.printed);
        } else {
            throw std::invalid_argument("unknown option " + std::string(option) +
                                        "; there are --inputs, --seconds, --seed and --print");
        }
    }
    return options;
}

std::vector<std::string> read_corpus(const std::vector<std::string>& directories) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& directory : directories) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
            if (entry.path().extension() == ".litmus") {
                paths.push_back(entry.path());
            }
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> corpus;
    for (const std::filesystem::path& path : paths) {
        std::ifstream file(path);
        corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return corpus;
}

long peak_kilobytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int fuzz(const Options& options) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const std::vector<std::string> corpus = read_corpus(options.directories);
    const std::size_t files = corpus.size();
    pdlcts::Mutator mutator(corpus, options.seed);
    std::uint64_t done = 0;
    std::uint64_t accepted = 0;
    std::uint64_t plans = 0;
    while (done < options.inputs && (done % 256 != 0 || elapsed() < static_cast<double>(options.seconds))) {
        const std::string text = mutator.next();
        ++done;
        if (done == options.printed) {
            std::cout << text;
            return 0;
        }
        pdlcts::FuzzedInput input = pdlcts::try_input(text);
        if (!input.complaint.empty()) {
            std::cerr << "input " << done << " of seed " << options.seed << ": " << input.complaint << "\n" << text;
            return 1;
        }
        plans += input.plans;
        if (input.accepted) {
            ++accepted;
            if (accepted % 8 == 0) {
                mutator.keep(std::move(input.canonical));
            }
        }
    }
    std::cout << "counted: fuzzing the parser, the printer and the lowering: inputs " << done << ", accepted "
              << accepted << ", plans " << plans << ", files " << files << ", seconds " << elapsed() << ", peak RSS "
              << peak_kilobytes() / 1024 << " MiB, seed " << options.seed << "\n";
    if (done >= 1000 && accepted < done / 10) {
        std::cerr << "too few inputs are files of the language for the printer and the lowering to be tried\n";
        return 1;
    }
    return 0;
}

} // namespace

int main(int argument_count, char** arguments) {
    try {
        return fuzz(read_options({arguments, static_cast<std::size_t>(argument_count)}));
    } catch (const std::exception& problem) {
        std::cerr << "pdlcts_fuzz: " << problem.what() << "\n";
        return 2;
    }
}
