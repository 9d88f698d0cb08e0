// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"

#include <algorithm>
#include <stdexcept>

namespace pdlcts {

std::vector<EmbeddedFile> embedded_case_files(); // in the source that the build generates

namespace {

std::size_t section_index(const Ledger& ledger, const Case& listed) {
    const Section* section = section_of(ledger, listed.statement);
    return static_cast<std::size_t>(section - ledger.sections.data());
}

std::vector<Case> read_embedded_cases() {
    const Ledger& ledger = embedded_ledger();
    std::vector<Case> cases;
    for (const EmbeddedFile& file : embedded_case_files()) {
        Result<Case> read = read_case(file, ledger);
        // The build has read the same files with the same reader, so this program was put together wrongly.
        if (!read) {
            throw std::logic_error("a case that was built into this program is broken: " + read.error().message);
        }
        cases.push_back(std::move(*read));
    }
    std::stable_sort(cases.begin(), cases.end(), [&](const Case& left, const Case& right) {
        return section_index(ledger, left) < section_index(ledger, right);
    });
    return cases;
}

} // namespace

const std::vector<Case>& embedded_cases() {
    static const std::vector<Case> cases = read_embedded_cases();
    return cases;
}

} // namespace pdlcts
