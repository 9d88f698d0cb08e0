// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Libraries that are found at run time, so that the program starts where they are missing.
namespace pdlcts {

/// Opens the first of several names or paths that there is; null when there is none. The library stays loaded: code of
/// it may be registered to run when the program ends.
void* open_library(const std::vector<std::string>& candidates);

/// A library's function; null when it has none of this name.
void* find_function(void* library, const char* name);

/// Finds a function and assigns it to a pointer of its type; false when the library has none of this name.
template <typename Function>
bool find_function(void* library, const char* name, Function*& function) {
    function = reinterpret_cast<Function*>(find_function(library, name));
    return function != nullptr;
}

} // namespace pdlcts
