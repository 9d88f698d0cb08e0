// SPDX-License-Identifier: Apache-2.0
// The same check under libFuzzer, which finds its inputs by what they reach.
#include "conformance/litmus/fuzz_input.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const pdlcts::FuzzedInput input = pdlcts::try_input(text);
    if (!input.complaint.empty()) {
        std::fprintf(stderr, "%s\n", input.complaint.c_str());
        std::abort();
    }
    return 0;
}
