// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace pdlcts {

/// An empty folder among the system's temporary ones, which goes with everything in it.
struct ScratchFolder {
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "pdlcts-XXXXXX").native();
        if (::mkdtemp(name.data()) != nullptr) {
            path = name;
        }
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        if (!path.empty()) {
            std::error_code ignored;
            std::filesystem::remove_all(path, ignored);
        }
    }

    std::string path; ///< empty where there is none
};

} // namespace pdlcts
