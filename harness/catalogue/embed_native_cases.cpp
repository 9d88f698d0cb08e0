// SPDX-License-Identifier: Apache-2.0
// A tool of the build: reads the descriptions of native checks and writes them as a C++ source, so that one that lacks
// what every check must have stops the build.
#include "harness/catalogue/native_case.hpp"

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_native_case_files", [](std::span<const EmbeddedFile> files) {
        std::vector<std::string> problems;
        for (const EmbeddedFile& file : files) {
            if (const Result<NativeCase> read = read_native_case(file, embedded_ledger()); !read) {
                problems.push_back(read.error().message);
            }
        }
        return problems;
    });
}
