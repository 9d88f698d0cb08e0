// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/native_case.hpp"

#include <algorithm>
#include <stdexcept>

namespace pdlcts {

std::vector<EmbeddedFile> embedded_native_case_files(); // in the source that the build generates

namespace {

std::vector<NativeCase> read_embedded_native_cases() {
    const Ledger& ledger = embedded_ledger();
    std::vector<NativeCase> cases;
    for (const EmbeddedFile& file : embedded_native_case_files()) {
        Result<NativeCase> read = read_native_case(file, ledger);
        // The build has read the same files with the same reader, so this program was put together wrongly.
        if (!read) {
            throw std::logic_error("a check that was built into this program is broken: " + read.error().message);
        }
        cases.push_back(std::move(*read));
    }
    const auto section = [&](const NativeCase& listed) { return section_of(ledger, listed.statement); };
    std::stable_sort(cases.begin(), cases.end(), [&](const NativeCase& left, const NativeCase& right) {
        return section(left) < section(right); // both point into one vector
    });
    return cases;
}

} // namespace

const std::vector<NativeCase>& embedded_native_cases() {
    static const std::vector<NativeCase> cases = read_embedded_native_cases();
    return cases;
}

} // namespace pdlcts
