// SPDX-License-Identifier: Apache-2.0
#include "harness/command/suite.hpp"

#include "harness/catalogue/catalogue.hpp"
#include "suite_version.hpp" // written by every build: cmake/suite_version.cmake

namespace pdlcts {

Suite this_suite() {
    return {std::string(suite_version::version), std::string(suite_version::git_hash), suite_version::dirty,
            digest_of(embedded_cases())};
}

} // namespace pdlcts
