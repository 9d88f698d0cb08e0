// SPDX-License-Identifier: Apache-2.0
// Which values of programmaticStreamSerializationAllowed let a secondary start early: any but 0, says the documentation
// (attr.pss.nonzero-enables). The primary triggers, and polls for a flag that the secondary raises as its first act.
//
//     nvcc -std=c++17 -arch=sm_90 -o attribute_values attribute_values.cu && ./attribute_values
#include <climits>
#include <cstdio>
#include <cstdlib>

namespace {

void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::printf("%s: %s\n", what, cudaGetErrorString(status));
        std::exit(2);
    }
}

__global__ void primary(unsigned* words) {
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
    unsigned long long start, now;
    unsigned started = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start) : : "memory");
    for (int step = 0; step < 100000 && started == 0; ++step) {
        asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(started) : "l"(words) : "memory");
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
        if (now - start > 20000)
            break;
    }
    words[32] += started;
}

__global__ void secondary(unsigned* words) {
    asm volatile("st.relaxed.sys.global.u32 [%0], 1;" : : "l"(words) : "memory");
}

unsigned overlaps(int value, unsigned* words, cudaStream_t stream) {
    constexpr int trials = 100;
    check(cudaMemsetAsync(words, 0, 256, stream), "clearing");
    for (int trial = 0; trial < trials; ++trial) {
        check(cudaMemsetAsync(words, 0, 4, stream), "separating two trials");
        primary<<<1, 1, 0, stream>>>(words);
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attribute.val.programmaticStreamSerializationAllowed = value;
        cudaLaunchConfig_t config{};
        config.gridDim = 1;
        config.blockDim = 1;
        config.stream = stream;
        config.attrs = &attribute;
        config.numAttrs = 1;
        check(cudaLaunchKernelEx(&config, secondary, words), "launching the secondary");
    }
    unsigned count = 0;
    check(cudaMemcpyAsync(&count, words + 32, 4, cudaMemcpyDeviceToHost, stream), "reading");
    check(cudaStreamSynchronize(stream), "running");
    return count;
}

} // namespace

int main() {
    unsigned* words = nullptr;
    cudaStream_t stream = nullptr;
    check(cudaMalloc(&words, 256), "allocating");
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    static_cast<void>(overlaps(1, words, stream)); // the first launch of a kernel does not overlap
    bool as_documented = true;
    for (const int value : {0, 1, 2, -1, INT_MAX, INT_MIN}) {
        const unsigned count = overlaps(value, words, stream);
        std::printf("%11d: overlap in %u of 100 trials\n", value, count);
        as_documented = as_documented && (count > 0) == (value != 0);
    }
    return as_documented ? 0 : 1;
}
