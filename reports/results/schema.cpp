// SPDX-License-Identifier: Apache-2.0
#include "reports/results/schema.hpp"

#include "conformance/support/embed.hpp"

namespace pdlcts {

std::vector<EmbeddedFile> embedded_schema_files(); // in the source that the build generates

std::string results_schema() {
    return embedded_schema_files().front().text;
}

} // namespace pdlcts
