// SPDX-License-Identifier: Apache-2.0
// A tool of the build: writes what the site shows of files of this repository as a C++ source; a file that cannot be
// read stops the build.
#include "reports/site/suite_data.hpp"

int main(int argc, char** argv) {
    using namespace pdlcts;
    return run_embedding_tool(argc, argv, "embedded_suite_data_files", [](std::span<const EmbeddedFile> files) {
        const auto read = site::read_suite_data(files);
        return read ? std::vector<std::string>() : std::vector<std::string>{read.error().message};
    });
}
