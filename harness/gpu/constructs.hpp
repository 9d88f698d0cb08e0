// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// The programs of harness/gpu/constructs: one for each construct of the language, with a claim that must hold.
namespace pdlcts {

struct Construct {
    std::string name;
    std::string text;
};

/// In alphabetical order; read from the sources, or, on another machine, from the working directory.
inline std::vector<Construct> constructs() {
    const std::filesystem::path inside = "harness/gpu/constructs";
    std::filesystem::path folder = std::filesystem::path(PDLCTS_SOURCE_DIR) / inside;
    if (!std::filesystem::is_directory(folder)) {
        folder = inside;
    }
    std::vector<Construct> all;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream stream(entry.path());
        all.push_back(
            {entry.path().stem().string(), {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()}});
    }
    std::sort(all.begin(), all.end(), [](const Construct& a, const Construct& b) { return a.name < b.name; });
    return all;
}

} // namespace pdlcts
