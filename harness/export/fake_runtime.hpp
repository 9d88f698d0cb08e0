// SPDX-License-Identifier: Apache-2.0
// Stands before a reproducer that is compiled for the host alone: what a reproducer calls of the runtime, and a "GPU"
// on which every second trial is the control's. It writes what the environment tells it to, in place of the kernels.
// Words of the record are those of cases/visibility/post-trigger-writes.litmus.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

const uint3 threadIdx = {};
const uint3 blockIdx = {};

// The kernels are compiled too; on the host they do nothing.
#undef __launch_bounds__
#define __launch_bounds__(threads)
#define asm
#define volatile(...)

namespace fake {

inline unsigned trials = 0;
inline bool silent = false;

/// One letter says what happens; without it, what a GPU does that honours the specification.
inline char script() {
    const char* text = std::getenv("FAKE_SCRIPT");
    return text == nullptr ? 'p' : text[0];
}

/// What a trial leaves in its record. `overlapped` and `seen` are words 96 and 128.
inline void run(unsigned* record, bool control) {
    const unsigned salt = record[0];
    unsigned overlapped = salt + 1;
    unsigned seen = control ? salt : salt + 1;
    switch (script()) {
    case 'f': // one violation
        seen = !control && trials == 100 ? salt : seen;
        break;
    case 'v': // a control that is never violated
        seen = salt + 1;
        break;
    case 'r': // a control that is violated rarely
        seen = control && trials > 20 ? salt + 1 : seen;
        break;
    case 'n': // never armed
        overlapped = salt;
        break;
    case 'h': // armed in half of the trials
        overlapped = !control && trials % 4 < 2 ? salt : overlapped;
        break;
    case 'o': // a word of nobody
        seen = !control && trials == 100 ? salt + 0x1000 : seen;
        break;
    case 'u': // a register that is never written
        if (!control && trials == 100)
            return;
        break;
    case 't': // a trial that does not end
        silent |= trials == 100;
        break;
    default:
        break;
    }
    record[96] = overlapped;
    record[128] = seen;
}

} // namespace fake

extern "C" {
cudaError_t cudaSetDevice(int) {
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
    std::strcpy(properties->name, "a fake GPU");
    return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
    return *version = 13000, cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
    return *version = 12040, cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
    return *value = fake::script() == 's' ? 8 : 9, cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes*, const void*) {
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned) {
    return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, size_t bytes) {
    return *memory = std::malloc(bytes), cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
    return *memory = std::malloc(bytes), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind, cudaStream_t) {
    return std::memcpy(to, from, bytes), cudaSuccess;
}
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t) {
    return fake::silent ? cudaErrorNotReady : cudaSuccess;
}
const char* cudaGetErrorName(cudaError_t) {
    return "cudaErrorFake";
}
const char* cudaGetErrorString(cudaError_t) {
    return "as the script says";
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void*, void** arguments) {
    if (fake::script() == 'e')
        return cudaErrorInvalidValue;
    if (config->numAttrs == 1) { // the secondary: then the trial is over
        fake::run(*static_cast<unsigned**>(arguments[0]), fake::trials % 2 == 1);
        ++fake::trials;
    }
    return cudaSuccess;
}
}
