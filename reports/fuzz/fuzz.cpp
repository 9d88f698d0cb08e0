// SPDX-License-Identifier: Apache-2.0
// pdlcts_file_fuzz KIND [--inputs N] [--seed S] [--seconds T] [--print K] [--seeds DIRECTORY]
//
// Tries texts that are nearly files of a kind - results, waivers, ledger - until N inputs or T seconds are done. The
// same seed gives the same inputs: where one of them ends the process, `--print K` shows the K-th. `--seeds` writes the
// sound files that it starts from, for libFuzzer, and does nothing else.
#include "reports/fuzz/fuzzed_files.hpp"
#include "reports/fuzz/token_mutator.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <sys/resource.h>

namespace {

struct Options {
    const pdlcts::FuzzedKind* kind = nullptr;
    std::uint64_t inputs = 1'000'000'000;
    std::uint64_t seconds = 1'000'000;
    std::uint64_t printed = 0; ///< 0: none
    std::uint32_t seed = 1;
    std::string seeds;
};

Options read_options(int count, char** arguments) {
    Options options;
    options.kind = count > 1 ? pdlcts::find_fuzzed_kind(arguments[1]) : nullptr;
    if (options.kind == nullptr || count % 2 != 0) {
        throw std::invalid_argument("expected results, waivers or ledger, and options with a value each");
    }
    for (int i = 2; i + 1 < count; i += 2) {
        const std::string option = arguments[i];
        const std::string value = arguments[i + 1];
        if (option == "--inputs") {
            options.inputs = std::stoull(value);
        } else if (option == "--seconds") {
            options.seconds = std::stoull(value);
        } else if (option == "--print") {
            options.printed = std::stoull(value);
        } else if (option == "--seed") {
            options.seed = static_cast<std::uint32_t>(std::stoul(value));
        } else if (option == "--seeds") {
            options.seeds = value;
        } else {
            throw std::invalid_argument("unknown option " + option);
        }
    }
    return options;
}

int write_seeds(const Options& options) {
    int number = 0;
    for (const std::string& seed : options.kind->seeds()) {
        std::ofstream(options.seeds + "/seed-" + std::to_string(number++), std::ios::binary) << seed;
    }
    return 0;
}

int fuzz(const Options& options) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const std::vector<std::string> seeds = options.kind->seeds();
    for (const std::string& seed : seeds) {
        const pdlcts::FuzzedFile sound = options.kind->try_text(seed);
        if (!sound.accepted || !sound.complaint.empty()) {
            std::cerr << "a seed is not sound: " << sound.complaint << "\n" << seed;
            return 1;
        }
    }
    pdlcts::TokenMutator mutator(seeds, options.seed);
    std::uint64_t done = 0;
    std::uint64_t accepted = 0;
    std::uint64_t bytes = 0;
    while (done < options.inputs && (done % 16 != 0 || elapsed() < static_cast<double>(options.seconds))) {
        std::string text = mutator.next();
        text.resize(std::min(text.size(), pdlcts::largest_fuzzed_file));
        ++done;
        bytes += text.size();
        if (done == options.printed) {
            std::cout << text;
            return 0;
        }
        const pdlcts::FuzzedFile tried = options.kind->try_text(text);
        if (!tried.complaint.empty()) {
            std::cerr << "input " << done << " of seed " << options.seed << ": " << tried.complaint << "\n" << text;
            return 1;
        }
        if (tried.accepted && ++accepted % 4 == 0 && text.size() < 64 * 1024) {
            mutator.keep(std::move(text));
        }
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::cout << "counted: fuzzing " << options.kind->name << " files: inputs " << done << ", accepted " << accepted
              << ", MB " << bytes / 1'000'000 << ", seconds " << elapsed() << ", peak RSS " << usage.ru_maxrss / 1024
              << " MiB, seed " << options.seed << "\n";
    if (done >= 200 && accepted < done / 20) {
        std::cerr << "too few inputs are accepted for what is behind the reader to be tried\n";
        return 1;
    }
    return 0;
}

} // namespace

int main(int count, char** arguments) {
    try {
        const Options options = read_options(count, arguments);
        return options.seeds.empty() ? fuzz(options) : write_seeds(options);
    } catch (const std::exception& problem) {
        std::cerr << "pdlcts_file_fuzz: " << problem.what() << "\n";
        return 2;
    }
}
