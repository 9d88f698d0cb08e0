// SPDX-License-Identifier: Apache-2.0
// A tool of the build: writes the schema of results files as a C++ source, so that a broken file stops the build.
#include "conformance/support/embed.hpp"
#include "reports/results/json.hpp"

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_schema_files", [](std::span<const EmbeddedFile> files) {
        std::vector<std::string> problems;
        for (const EmbeddedFile& file : files) {
            if (const Result<Json> read = parse_json(file.text, file.name); !read) {
                problems.push_back(read.error().message);
            }
        }
        return problems;
    });
}
