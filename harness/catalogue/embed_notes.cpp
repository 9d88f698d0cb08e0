// SPDX-License-Identifier: Apache-2.0
// A tool of the build: reads the notes of cells and writes them as a C++ source, so that a broken file stops the build.
#include "harness/catalogue/notes.hpp"

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_note_files", [](std::span<const EmbeddedFile> files) {
        std::vector<std::string> problems;
        for (const EmbeddedFile& file : files) {
            if (const auto read = read_notes(file); !read) {
                problems.push_back(read.error().message);
            }
        }
        return problems;
    });
}
