// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <string>
#include <vector>

/// Lists in a text. Internal to conformance/litmus.
namespace pdlcts {

/// `a, b, c`
inline std::string join(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

template <typename Entry, typename Print>
std::string join(const std::vector<Entry>& entries, Print print_entry) {
    std::vector<std::string> words;
    words.reserve(entries.size());
    for (const Entry& entry : entries) {
        words.push_back(print_entry(entry));
    }
    return join(words);
}

/// For `join`.
inline std::string print_number(Value value) {
    return std::to_string(value);
}

} // namespace pdlcts
