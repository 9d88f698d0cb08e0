// SPDX-License-Identifier: Apache-2.0
#include "harness/environment/environment.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <sstream>

using namespace pdlcts;

TEST_CASE("the operating system is the pretty name, in any of the three quotings of os-release(5)") {
    std::istringstream quoted("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
    CHECK(pretty_name(quoted) == "Debian GNU/Linux 12 (bookworm)");
    std::istringstream single("PRETTY_NAME='Some Linux'\n");
    CHECK(pretty_name(single) == "Some Linux");
    std::istringstream bare("PRETTY_NAME=Linux");
    CHECK(pretty_name(bare) == "Linux");
    std::istringstream lone("PRETTY_NAME=\"");
    CHECK(pretty_name(lone) == "\"");
    std::istringstream missing("NAME=x\n");
    CHECK(pretty_name(missing) == "unknown");
}

TEST_CASE("variables that change overlap are recorded, and no path is") {
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    setenv("CUDA_MODULE_LOADING", "/home/somebody/secret", 1);
    setenv("CUDA_INJECTION64_PATH", "/opt/tool/libtool.so", 1);
    unsetenv("CUDA_DEVICE_MAX_CONNECTIONS");
    unsetenv("NVTX_INJECTION64_PATH");
    const Environment environment = host_environment();
    CHECK(environment.variables.at("CUDA_LAUNCH_BLOCKING") == "1");
    CHECK(environment.variables.at("CUDA_MODULE_LOADING") == "set");
    CHECK(environment.variables.at("CUDA_INJECTION64_PATH") == "set");
    CHECK_FALSE(environment.variables.contains("CUDA_DEVICE_MAX_CONNECTIONS"));
    CHECK_FALSE(environment.variables.contains("NVTX_INJECTION64_PATH"));
    CHECK_FALSE(environment.kernel.empty());
    CHECK_FALSE(environment.operating_system.empty());
}

TEST_CASE("what can keep grids from overlapping is named, and what cannot is not") {
    Environment environment;
    environment.mps = environment.mig_mode = "off";
    environment.gpu_state = GpuState{0, 3, 5, 5, {}, {}};
    CHECK(interference_of(environment).empty());
    environment.variables["CUDA_LAUNCH_BLOCKING"] = "1";
    environment.mps = "on";
    environment.tools = {"compute-sanitizer"};
    environment.gpu_state = GpuState{2, 97, 0, 1, {"power cap"}, {}};
    CHECK(interference_of(environment) ==
          "compute-sanitizer was attached, CUDA_LAUNCH_BLOCKING makes each launch wait for its end, MPS shares the "
          "GPU, 2 other processes had a context on the GPU, the GPU was 97 % busy before the run, memory errors were "
          "found that could not be corrected, clocks were held down (power cap)");
}

TEST_CASE("tools are known by what they map into a process, and by its parent") {
    CHECK(attached_tools("7f00 r-xp 0 /opt/cs/libsanitizer-collection.so\n", "bash\n") ==
          std::vector<std::string>{"compute-sanitizer"});
    CHECK(attached_tools("7f00 r-xp 0 /usr/lib/libcuda.so.1\n", "nsys\n") == std::vector<std::string>{"nsys"});
    CHECK(attached_tools("7f00 r-xp 0 /usr/lib/libc.so.6\n", "bash\n").empty());
}
