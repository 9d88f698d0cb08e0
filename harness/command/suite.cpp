// SPDX-License-Identifier: Apache-2.0
#include "harness/command/suite.hpp"

#include "conformance/support/concat.hpp"
#include "conformance/support/sha256.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"
#include "suite_version.hpp" // written by every build: cmake/suite_version.cmake

namespace pdlcts {

const Suite& this_suite() {
    // All cases are printed for it: once a process.
    static const Suite suite{std::string(suite_version::version), std::string(suite_version::git_hash),
                             suite_version::dirty,
                             sha256(digest_of(embedded_cases()) + digest_of(embedded_native_cases()))};
    return suite;
}

std::string describe(const Suite& suite) {
    return "pdlcts " + suite.version + " (git " + suite.git_hash.substr(0, 12) + (suite.dirty ? ", modified)" : ")");
}

WrittenBy written_by(const Suite& suite) {
    const Suite ours = this_suite();
    // Of work trees with changes nobody can say that they are the same.
    if (suite == ours && !suite.dirty) {
        return WrittenBy::this_suite;
    }
    return suite.cases_digest == ours.cases_digest ? WrittenBy::a_suite_with_these_cases : WrittenBy::another_suite;
}

} // namespace pdlcts
