// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/embedded.hpp"
#include "harness/catalogue/native_case.hpp"

namespace pdlcts {

std::vector<EmbeddedFile> embedded_native_case_files(); // in the source that the build generates

const std::vector<NativeCase>& embedded_native_cases() {
    static const std::vector<NativeCase> cases = read_embedded(embedded_native_case_files(), read_native_case);
    return cases;
}

} // namespace pdlcts
