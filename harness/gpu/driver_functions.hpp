// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_error.hpp"
#include "harness/gpu/dynamic_library.hpp"

#include <cuda.h>
#include <string>

/// Functions of the driver, found at run time: the program is linked with the runtime alone.
namespace pdlcts {

/// A function of the driver by its exported name, `cuGraphAddDependencies_v2`; null when it has none of this name.
template <typename Function>
Function* find_driver_function(const char* name) {
    Function* function = nullptr;
    void* const driver = open_library({"libcuda.so.1"});
    if (driver == nullptr || !find_function(driver, name, function)) {
        return nullptr;
    }
    return function;
}

/// The same, where the driver must have it.
template <typename Function>
Function* require_driver_function(const char* name) {
    Function* const function = find_driver_function<Function>(name);
    if (function == nullptr) {
        throw HarnessFault(std::string("the driver has no function ") + name + "; use a newer driver");
    }
    return function;
}

/// The numbers of the two enumerations are the same.
inline cudaError_t as_runtime_error(CUresult status) {
    return static_cast<cudaError_t>(status);
}

inline void check_driver(CUresult status, const char* doing) {
    check(as_runtime_error(status), doing);
}

} // namespace pdlcts
