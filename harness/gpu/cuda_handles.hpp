// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/cuda_error.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

/// Owners of CUDA objects. A destructor ignores errors: it can do nothing about them, and after a broken context every
/// call returns the same one.
namespace pdlcts {

template <auto Destroy>
struct DestroyWith {
    template <typename Object>
    void operator()(Object* object) const {
        static_cast<void>(Destroy(object));
    }
};

using Stream = std::unique_ptr<CUstream_st, DestroyWith<cudaStreamDestroy>>;
using Event = std::unique_ptr<CUevent_st, DestroyWith<cudaEventDestroy>>;
using Graph = std::unique_ptr<CUgraph_st, DestroyWith<cudaGraphDestroy>>;
using GraphExec = std::unique_ptr<CUgraphExec_st, DestroyWith<cudaGraphExecDestroy>>;
/// Words of device memory: not to be read on the host.
using DeviceWords = std::unique_ptr<std::uint32_t, DestroyWith<cudaFree>>;
/// Words of page-locked host memory.
using HostWords = std::unique_ptr<std::uint32_t, DestroyWith<cudaFreeHost>>;

/// Words of page-locked host memory that the device can access, with the device's address of them.
struct MappedWords {
    HostWords words;
    std::uint32_t* on_device = nullptr;
};

/// A stream that has no order with the default stream.
inline Stream create_stream() {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    return Stream(stream);
}

/// An event without timing: a programmatic event, or a launch-completion event, must not have it.
inline Event create_event() {
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "creating an event");
    return Event(event);
}

inline Graph create_graph() {
    cudaGraph_t graph = nullptr;
    check(cudaGraphCreate(&graph, 0), "creating a graph");
    return Graph(graph);
}

/// Without the flag a graph has the priority of the stream that it is launched into, whatever its nodes say.
inline GraphExec instantiate(cudaGraph_t graph, bool with_priorities_of_nodes) {
    cudaGraphExec_t exec = nullptr;
    check(cudaGraphInstantiate(&exec, graph, with_priorities_of_nodes ? cudaGraphInstantiateFlagUseNodePriority : 0),
          "instantiating a graph");
    return GraphExec(exec);
}

inline DeviceWords allocate_device_words(std::size_t words) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, words * sizeof(std::uint32_t)), "allocating device memory for trials");
    return DeviceWords(static_cast<std::uint32_t*>(memory));
}

inline HostWords allocate_host_words(std::size_t words) {
    void* memory = nullptr;
    check(cudaMallocHost(&memory, words * sizeof(std::uint32_t)), "allocating page-locked memory for trials");
    return HostWords(static_cast<std::uint32_t*>(memory));
}

inline MappedWords allocate_mapped_words(std::size_t words) {
    constexpr const char* doing = "allocating host memory that trials share with the device";
    void* memory = nullptr;
    check(cudaHostAlloc(&memory, words * sizeof(std::uint32_t), cudaHostAllocMapped | cudaHostAllocPortable), doing);
    MappedWords mapped{HostWords(static_cast<std::uint32_t*>(memory)), nullptr};
    void* on_device = nullptr;
    check(cudaHostGetDevicePointer(&on_device, memory, 0), doing);
    mapped.on_device = static_cast<std::uint32_t*>(on_device);
    return mapped;
}

} // namespace pdlcts
