// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/gzip.hpp"
#include "reports/results/results.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// For tests: the files of reports/published.
namespace pdlcts::examples {

/// A file's text, unpacked where it is compressed.
inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    return is_gzip(bytes) ? *gunzip(bytes, path.filename().string(), largest_results_file) : bytes;
}

/// The results files of a folder itself, in no order; none where it does not exist.
inline std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    if (std::filesystem::exists(folder)) {
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (name.ends_with(".json") || name.ends_with(".json.gz")) {
                files.push_back(entry.path());
            }
        }
    }
    return files;
}

} // namespace pdlcts::examples
