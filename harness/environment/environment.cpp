// SPDX-License-Identifier: Apache-2.0
#include "harness/environment/environment.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include <sys/utsname.h>
#include <unistd.h>

namespace pdlcts {
namespace {

constexpr const char* variables_with_value[] = {"CUDA_LAUNCH_BLOCKING", "CUDA_DEVICE_MAX_CONNECTIONS",
                                                "CUDA_MODULE_LOADING"};
/// Their values are paths, which are nobody's business.
constexpr const char* variables_of_tools[] = {"CUDA_INJECTION64_PATH", "NVIDIA_INJECTION", "NVTX_INJECTION64_PATH",
                                              "LD_PRELOAD"};

/// A desktop that draws itself is no load.
constexpr std::uint64_t busy_percent = 10;

/// What is mapped into a process that such a tool runs, and the tool.
constexpr std::pair<std::string_view, std::string_view> libraries_of_tools[] = {
    {"libsanitizer-collection", "compute-sanitizer"},
    {"libTreeLauncherTargetInjection", "compute-sanitizer"},
    {"libcuda-injection", "Nsight Compute"},
    {"libToolsInjection", "Nsight Systems"},
    {"libcupti", "CUPTI"},
    {"libcudadebugger", "cuda-gdb"}};
/// As /proc names them: 15 characters at most.
constexpr std::string_view programs_of_tools[] = {"compute-sanitiz", "cuda-gdb", "ncu", "nsys", "nvprof"};

std::string read_file(const char* name) {
    std::ifstream stream(name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

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

std::string interference_of(const Environment& environment) {
    std::vector<std::string> found;
    for (const std::string& tool : environment.tools) {
        found.push_back(tool + " was attached");
    }
    for (const char* name : variables_of_tools) {
        if (environment.variables.contains(name) && environment.tools.empty() &&
            std::string_view(name) != "LD_PRELOAD") {
            found.push_back(std::string(name) + " injects a tool");
        }
    }
    const auto has = [&](const char* name, std::string_view value) {
        const auto at = environment.variables.find(name);
        return at != environment.variables.end() && at->second == value;
    };
    if (has("CUDA_LAUNCH_BLOCKING", "1")) {
        found.push_back("CUDA_LAUNCH_BLOCKING makes each launch wait for its end");
    }
    if (has("CUDA_DEVICE_MAX_CONNECTIONS", "1")) {
        found.push_back("CUDA_DEVICE_MAX_CONNECTIONS leaves streams one queue");
    }
    if (environment.mps == "on") {
        found.push_back("MPS shares the GPU");
    }
    if (environment.mig_mode == "on") {
        found.push_back("MIG divides the GPU");
    }
    if (const auto& state = environment.gpu_state) {
        if (state->other_processes > 0) {
            found.push_back(std::to_string(state->other_processes) + " other processes had a context on the GPU");
        }
        if (state->utilisation_percent >= busy_percent) {
            found.push_back("the GPU was " + std::to_string(state->utilisation_percent) + " % busy before the run");
        }
        if (state->ecc_errors_at_end > state->ecc_errors) {
            found.push_back("memory errors were found that could not be corrected");
        }
        for (const std::string& why : state->throttled) {
            found.push_back("clocks were held down (" + why + ")");
        }
    }
    std::string text;
    for (const std::string& each : found) {
        text += (text.empty() ? "" : ", ") + each;
    }
    return text;
}

std::vector<std::string> attached_tools(std::string_view maps, std::string_view parent) {
    std::vector<std::string> tools;
    for (const auto& [file, tool] : libraries_of_tools) {
        if (maps.find(file) != std::string_view::npos && std::find(tools.begin(), tools.end(), tool) == tools.end()) {
            tools.emplace_back(tool);
        }
    }
    for (const std::string_view name : programs_of_tools) {
        if (parent.starts_with(name) && std::find(tools.begin(), tools.end(), name) == tools.end()) {
            tools.emplace_back(name);
        }
    }
    return tools;
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
    const std::string parent = read_file(("/proc/" + std::to_string(getppid()) + "/comm").c_str());
    environment.tools = attached_tools(read_file("/proc/self/maps"), parent);
    return environment;
}

} // namespace pdlcts
