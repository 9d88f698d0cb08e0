// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/parser.hpp"
#include "harness/gpu/emit.hpp"

#include <doctest/doctest.h>

#include <string>

/// For tests of what is emitted.
namespace pdlcts {

inline std::string emit_text(const std::string& text) {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    const auto layout = lay_out(*litmus);
    REQUIRE_MESSAGE(layout, layout.error().message);
    return emit(*litmus, *layout);
}

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace pdlcts
