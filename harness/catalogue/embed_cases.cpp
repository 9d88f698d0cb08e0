// SPDX-License-Identifier: Apache-2.0
// A tool of the build: reads the cases and writes them as a C++ source, so that a case that lacks what every case must
// have stops the build.
#include "harness/catalogue/catalogue.hpp"

#include <cstdio>

using namespace pdlcts;

namespace {

int fail(const std::string& message) {
    static_cast<void>(std::fprintf(stderr, "%s\n", message.c_str()));
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        return fail("usage: pdlcts_embed_cases OUTPUT.cpp FILE.litmus...");
    }
    const Result<std::vector<EmbeddedFile>> files =
        read_embedded_files(std::span<const char* const>(argv + 2, static_cast<std::size_t>(argc - 2)));
    if (!files) {
        return fail(files.error().message);
    }
    bool broken = false;
    for (const EmbeddedFile& file : *files) {
        if (const Result<Case> read = read_case(file, embedded_ledger()); !read) {
            broken = true;
            fail(read.error().message);
        }
    }
    if (broken) {
        return 1;
    }
    const Result<std::monostate> written = write_file(argv[1], embedding_source(*files, "embedded_case_files"));
    return written ? 0 : fail(written.error().message);
}
