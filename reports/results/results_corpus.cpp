// SPDX-License-Identifier: Apache-2.0
// For schema_test.py: what the writer writes, and what the reader says, a line a document.
//
//     pdlcts_results_corpus write COUNT      one of each kind of cell, no cell, and COUNT random documents
//     pdlcts_results_corpus read             of each line of standard input: `ok`, or why it is refused
#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"
#include "reports/results/random_results.hpp"

#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using namespace pdlcts;

void write(const Results& results) {
    std::cout << print(*parse_json(write_json(results), "written"), JsonLayout::compact) << '\n';
}

} // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    if (mode == "write") {
        std::mt19937 random(8);
        write(examples::one_of_each());
        write(Results{});
        for (int i = argc > 2 ? std::atoi(argv[2]) : 0; i > 0; --i) {
            write(random_results(random));
        }
    } else if (mode == "read") {
        for (std::string line; std::getline(std::cin, line);) {
            const Result<Results> results = read_json(line, "line");
            std::cout << (results ? "ok" : results.error().message) << '\n';
        }
    } else {
        std::cerr << "usage: pdlcts_results_corpus write COUNT | read\n";
        return 2;
    }
    return 0;
}
