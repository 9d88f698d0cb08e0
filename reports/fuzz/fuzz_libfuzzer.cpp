// SPDX-License-Identifier: Apache-2.0
// The same checks under libFuzzer, which finds its inputs by what they reach. FUZZED_KIND names the kind of file.
#include "reports/fuzz/fuzzed_files.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const pdlcts::FuzzedKind* const kind = pdlcts::find_fuzzed_kind(FUZZED_KIND);
    const pdlcts::FuzzedFile tried = kind->try_text({reinterpret_cast<const char*>(data), size});
    if (!tried.complaint.empty()) {
        std::fprintf(stderr, "%s\n", tried.complaint.c_str());
        std::abort();
    }
    return 0;
}
