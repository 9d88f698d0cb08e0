// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/embedded.hpp"

namespace pdlcts {

std::vector<EmbeddedFile> embedded_case_files(); // in the source that the build generates

const std::vector<Case>& embedded_cases() {
    static const std::vector<Case> cases = read_embedded(embedded_case_files(), read_case);
    return cases;
}

} // namespace pdlcts
