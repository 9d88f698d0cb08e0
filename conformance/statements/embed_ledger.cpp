// SPDX-License-Identifier: Apache-2.0
// A tool of the build: reads the ledger and writes it as a C++ source, so that a bad ledger stops the build.
#include "conformance/statements/ledger.hpp"

#include <cstdio>

using namespace pdlcts;

namespace {

int fail(const std::string& message) {
    static_cast<void>(std::fprintf(stderr, "%s\n", message.c_str()));
    return 1;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        return fail("usage: pdlcts_embed_ledger OUTPUT.cpp FILE.toml...");
    }
    const Result<std::vector<EmbeddedFile>> files =
        read_embedded_files(std::span<const char* const>(argv + 2, static_cast<std::size_t>(argc - 2)));
    if (!files) {
        return fail(files.error().message);
    }
    if (const Result<Ledger> ledger = read_ledger(*files); !ledger) {
        return fail(ledger.error().message);
    }
    const Result<std::monostate> written = write_file(argv[1], embedding_source(*files, "embedded_ledger_files"));
    return written ? 0 : fail(written.error().message);
}
