// SPDX-License-Identifier: Apache-2.0
// Reading, verifying, judging and showing 10, 100 and 1,000 results files of 220 cells.
#include "conformance/support/parallel.hpp"
#include "reports/formats/formats.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/results/gzip.hpp"

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

#include <sys/resource.h>

namespace {

using namespace pdlcts;

std::string read_file(const std::string& name) {
    std::ifstream stream(name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (text.empty()) {
        throw std::runtime_error(name + ": cannot be read");
    }
    return is_gzip(text) ? *gunzip(text, name, largest_results_file) : text;
}

/// A published run, less all cells but 220: every third one, so that all routes and kinds of cells are among them.
const std::string& file_of_220_cells() {
    static const std::string text = [] {
        Results results =
            *read_json(read_file(PDLCTS_SOURCE_DIR "/reports/published/h200-580.159.04-cuda13.0.json"), "published");
        std::vector<Cell> cells;
        for (std::size_t i = 0; i < results.cells.size() && cells.size() < 190; i += 3) {
            cells.push_back(results.cells[i]);
        }
        results.cells = std::move(cells);
        results.native.resize(std::min<std::size_t>(results.native.size(), 220 - results.cells.size()));
        results.every_case = false;
        return write_json(results);
    }();
    return text;
}

JudgedResults read(const std::string& text) {
    Result<VerifiedResults> read = read_and_verify(text, "results.json", embedded_ledger());
    if (!read || !read->differences.empty()) {
        throw std::runtime_error("the file does not hold");
    }
    return std::move(read->judged);
}

double processor_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Measures `work` on files; beside the time, what the processors did, which does not depend on who else uses them.
template <typename Work>
void measure(benchmark::State& state, const Work& work) {
    const std::string& text = file_of_220_cells();
    const double before = processor_seconds();
    for (auto _ : state) {
        work(static_cast<std::size_t>(state.range(0)));
    }
    state.counters["processor_s"] = (processor_seconds() - before) / static_cast<double>(state.iterations());
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["MiB_at_most"] = static_cast<double>(usage.ru_maxrss) / 1024;
    state.counters["MiB_read"] =
        static_cast<double>(text.size() * static_cast<std::size_t>(state.range(0))) / (1 << 20);
}

/// What every report does with each file, on as many threads as there are cores. Each file is a copy of its own.
std::vector<JudgedResults> read_all(std::size_t files) {
    struct File {
        JudgedResults judged;
    };
    std::vector<File> all(files);
    for_each_in_parallel(all, [](File& file) { file.judged = read(std::string(file_of_220_cells())); });
    std::vector<JudgedResults> columns;
    for (File& file : all) {
        columns.push_back(std::move(file.judged));
    }
    return columns;
}

void reading(benchmark::State& state) {
    measure(state, [](std::size_t files) { benchmark::DoNotOptimize(read_all(files)); });
}

void reading_and_markdown(benchmark::State& state) {
    measure(state,
            [](std::size_t files) { benchmark::DoNotOptimize(matrix_markdown(read_all(files), embedded_ledger())); });
}

void reading_and_every_format(benchmark::State& state) {
    measure(state, [](std::size_t files) {
        const std::vector<JudgedResults> columns = read_all(files);
        benchmark::DoNotOptimize(matrix_text(columns, embedded_ledger()));
        benchmark::DoNotOptimize(matrix_markdown(columns, embedded_ledger()));
        benchmark::DoNotOptimize(results_csv(columns));
        benchmark::DoNotOptimize(merged_json(columns, embedded_ledger()));
        benchmark::DoNotOptimize(open_metrics(columns, embedded_ledger()));
    });
}

void one_file_parsed(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(read_json(file_of_220_cells(), "results.json"));
    }
}

void one_file_parsed_verified_and_judged(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(read(file_of_220_cells()));
    }
}

BENCHMARK(one_file_parsed)->Unit(benchmark::kMillisecond);
BENCHMARK(one_file_parsed_verified_and_judged)->Unit(benchmark::kMillisecond);
BENCHMARK(reading)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(reading_and_markdown)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(reading_and_every_format)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
