// SPDX-License-Identifier: Apache-2.0
#include "harness/command/suite.hpp"

#include "conformance/support/sha256.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"
#include "suite_version.hpp" // written by every build: cmake/suite_version.cmake

namespace pdlcts {

Suite this_suite() {
    return {std::string(suite_version::version), std::string(suite_version::git_hash), suite_version::dirty,
            sha256(digest_of(embedded_cases()) + digest_of(embedded_native_cases()))};
}

std::string describe(const Suite& suite) {
    return "pdlcts " + suite.version + " (git " + suite.git_hash.substr(0, 12) + (suite.dirty ? ", modified)" : ")");
}

} // namespace pdlcts
