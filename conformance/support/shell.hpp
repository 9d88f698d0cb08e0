// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <doctest/doctest.h>
#include <string>

#include <sys/wait.h>

namespace pdlcts {

/// What a command of a test left.
struct Ran {
    int code = -1;      ///< the shell's exit code; -1 where a signal ended it
    std::string output; ///< both streams
};

/// For a test: runs a command of the shell.
inline Ran shell(const std::string& command) {
    std::FILE* const pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
    REQUIRE(pipe != nullptr);
    Ran ran;
    std::array<char, 4096> buffer{};
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        ran.output.append(buffer.data(), count);
    }
    const int status = pclose(pipe);
    ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ran;
}

} // namespace pdlcts
