// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

/// What the tests of the parser share.
namespace pdlcts::testing {

inline Litmus parsed_file(const std::string& text) {
    const auto litmus = parse_litmus(text, "f");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *litmus;
}

inline Program parsed(const std::string& text) {
    return parsed_file(text).program;
}

inline std::string error_of(const std::string& text) {
    const auto litmus = parse_litmus(text, "f");
    return litmus ? "no error" : litmus.error().message;
}

/// What is put into a file, and `line:column: what; expected X, found Y`.
using Errors = std::vector<std::pair<std::string, std::string>>;

template <typename File>
void check_errors(File file, const Errors& errors) {
    for (const auto& error : errors) {
        CAPTURE(error.first);
        CHECK(error_of(file(error.first)) == "f:" + error.second);
    }
}

template <typename File>
void check_accepted(File file, const std::vector<std::string>& texts) {
    for (const auto& text : texts) {
        CAPTURE(text);
        CHECK(error_of(file(text)) == "no error");
    }
}

inline Element scalar(const char* name) {
    return {name, {}, {}};
}

inline Element element(const char* name, unsigned index) {
    return {name, index, {}};
}

/// Of the element's rank in the cluster.
inline Element of_rank(Element element, unsigned rank) {
    element.rank = rank;
    return element;
}

} // namespace pdlcts::testing
