// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/export/reproducer.hpp"
#include "harness/gpu/emit.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>

/// For tests of reproducers.
namespace pdlcts {

inline const Case& suite_case(const std::string& id) {
    const auto found = std::find_if(embedded_cases().begin(), embedded_cases().end(),
                                    [&](const Case& listed) { return listed.id == id; });
    REQUIRE(found != embedded_cases().end());
    return *found;
}

inline std::string reproducer_of(const Case& listed, Route route, bool control_alone = false) {
    ReproducerOptions options;
    options.route = route;
    options.control_alone = control_alone;
    options.suite = "pdlcts";
    const Result<std::string> text = reproducer(listed, embedded_ledger(), options);
    REQUIRE_MESSAGE(text, text.error().message);
    return *text;
}

} // namespace pdlcts
