// SPDX-License-Identifier: Apache-2.0
// A tool of the build: reads the ledger and writes it as a C++ source, so that a bad ledger stops the build.
#include "conformance/statements/ledger.hpp"

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_ledger_files", [](std::span<const EmbeddedFile> files) {
        const Result<Ledger> ledger = read_ledger(files);
        return ledger ? std::vector<std::string>{} : std::vector{ledger.error().message};
    });
}
