// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>

namespace pdlcts {

/// For a test: an empty folder, which goes with everything in it.
struct TemporaryFolder {
    TemporaryFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "pdlcts-XXXXXX").native();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path = name;
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }

    std::string path;
};

} // namespace pdlcts
