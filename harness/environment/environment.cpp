// SPDX-License-Identifier: Apache-2.0
#include "harness/environment/environment.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <sys/utsname.h>

namespace pdlcts {
namespace {

constexpr const char* variables_with_value[] = {"CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS",
                                                "CUDA_MODULE_LOADING"};
/// Their values are paths, which are nobody's business.
constexpr const char* variables_of_tools[] = {"CUDA_INJECTION64_PATH", "NVIDIA_INJECTION", "NVTX_INJECTION64_PATH",
                                              "LD_PRELOAD"};

/// A results file is published: what does not look like the value of such a variable is only said to be there.
std::string publishable(std::string_view value) {
    const auto harmless = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    const bool shown = !value.empty() && value.size() <= 32 && std::all_of(value.begin(), value.end(), harmless);
    return shown ? std::string(value) : "set";
}

} // namespace

std::string pretty_name(std::istream& os_release) {
    constexpr std::string_view key = "PRETTY_NAME=";
    for (std::string line; std::getline(os_release, line);) {
        if (!line.starts_with(key)) {
            continue;
        }
        std::string value = line.substr(key.size());
        if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front()) {
            value = value.substr(1, value.size() - 2);
        }
        return value;
    }
    return "unknown";
}

Environment host_environment() {
    Environment environment;
    std::ifstream os_release("/etc/os-release");
    environment.operating_system = pretty_name(os_release);
    utsname names{};
    environment.kernel = uname(&names) == 0 ? names.release : "unknown";
    for (const char* name : variables_with_value) {
        if (const char* value = std::getenv(name)) {
            environment.variables[name] = publishable(value);
        }
    }
    for (const char* name : variables_of_tools) {
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') {
            environment.variables[name] = "set";
        }
    }
    return environment;
}

} // namespace pdlcts
