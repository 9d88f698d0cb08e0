// SPDX-License-Identifier: Apache-2.0
// A tool of the build: reads the cases and writes them as a C++ source, so that a case that lacks what every case must
// have stops the build.
#include "harness/catalogue/catalogue.hpp"

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_case_files", [](std::span<const EmbeddedFile> files) {
        std::vector<std::string> problems;
        for (const EmbeddedFile& file : files) {
            if (const Result<Case> read = read_case(file, embedded_ledger()); !read) {
                problems.push_back(read.error().message);
            }
        }
        return problems;
    });
}
