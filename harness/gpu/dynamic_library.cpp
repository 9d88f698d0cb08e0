// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/dynamic_library.hpp"

#include <dlfcn.h>

namespace pdlcts {

void* open_library(const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) {
        if (void* library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL)) {
            return library;
        }
    }
    return nullptr;
}

void* find_function(void* library, const char* name) {
    return dlsym(library, name);
}

} // namespace pdlcts
