// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/stream_calls.hpp"

#include "harness/gpu/driver_launch.hpp"

namespace pdlcts {
namespace {

constexpr const char* creating_event = "creating an event";
constexpr const char* recording_event = "recording an event of the program";
constexpr const char* waiting_for_event = "waiting for an event of the program";
constexpr const char* issuing_memset = "issuing a memset of the program";
constexpr const char* issuing_memcpy = "issuing a memcpy of the program";
constexpr const char* issuing_host_function = "issuing a host function of the program";

class RuntimeCalls : public StreamCalls {
public:
    Event create_event() const override { return pdlcts::create_event(); }
    void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, KernelArguments arguments,
                std::span<cudaLaunchAttribute> attributes) const override {
        pdlcts::launch(kernel, shape, stream, arguments, attributes);
    }
    void record(cudaEvent_t event, cudaStream_t stream) const override {
        check(cudaEventRecord(event, stream), recording_event);
    }
    void wait(cudaStream_t stream, cudaEvent_t event) const override {
        check(cudaStreamWaitEvent(stream, event, 0), waiting_for_event);
    }
    void set(void* place, std::uint8_t byte, std::size_t bytes, cudaStream_t stream) const override {
        check(cudaMemsetAsync(place, byte, bytes, stream), issuing_memset);
    }
    void copy(void* destination, const void* source, std::size_t bytes, cudaStream_t stream) const override {
        check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, stream), issuing_memcpy);
    }
    void call(cudaHostFn_t function, void* data, cudaStream_t stream) const override {
        check(cudaLaunchHostFunc(stream, function, data), issuing_host_function);
    }
    cudaError_t synchronize(cudaStream_t stream) const override { return cudaStreamSynchronize(stream); }
    cudaError_t synchronize(cudaEvent_t event) const override { return cudaEventSynchronize(event); }
};

CUdeviceptr address(const void* place) {
    return reinterpret_cast<CUdeviceptr>(place);
}

class DriverCalls : public StreamCalls {
public:
    Event create_event() const override {
        CUevent event = nullptr;
        check_driver(create_event_(&event, CU_EVENT_DISABLE_TIMING), creating_event);
        return Event(event);
    }
    void launch(Kernel kernel, LaunchShape shape, cudaStream_t stream, KernelArguments arguments,
                std::span<cudaLaunchAttribute> attributes) const override {
        std::array<void*, 5> pointers = pointers_to(arguments);
        launch_by_driver(reinterpret_cast<CUfunction>(kernel), shape, stream, pointers, attributes);
    }
    void record(cudaEvent_t event, cudaStream_t stream) const override {
        check_driver(record_(event, stream), recording_event);
    }
    void wait(cudaStream_t stream, cudaEvent_t event) const override {
        check_driver(wait_(stream, event, 0), waiting_for_event);
    }
    void set(void* place, std::uint8_t byte, std::size_t bytes, cudaStream_t stream) const override {
        check_driver(set_(address(place), byte, bytes, stream), issuing_memset);
    }
    void copy(void* destination, const void* source, std::size_t bytes, cudaStream_t stream) const override {
        check_driver(copy_(address(destination), address(source), bytes, stream), issuing_memcpy);
    }
    void call(cudaHostFn_t function, void* data, cudaStream_t stream) const override {
        check_driver(call_(stream, function, data), issuing_host_function);
    }
    cudaError_t synchronize(cudaStream_t stream) const override {
        return static_cast<cudaError_t>(synchronize_stream_(stream));
    }
    cudaError_t synchronize(cudaEvent_t event) const override {
        return static_cast<cudaError_t>(synchronize_event_(event));
    }

private:
    decltype(&cuEventCreate) create_event_ = require_driver_function<decltype(cuEventCreate)>("cuEventCreate");
    decltype(&cuEventRecord) record_ = require_driver_function<decltype(cuEventRecord)>("cuEventRecord");
    decltype(&cuStreamWaitEvent) wait_ = require_driver_function<decltype(cuStreamWaitEvent)>("cuStreamWaitEvent");
    decltype(&cuMemsetD8Async) set_ = require_driver_function<decltype(cuMemsetD8Async)>("cuMemsetD8Async");
    decltype(&cuMemcpyAsync) copy_ = require_driver_function<decltype(cuMemcpyAsync)>("cuMemcpyAsync");
    decltype(&cuLaunchHostFunc) call_ = require_driver_function<decltype(cuLaunchHostFunc)>("cuLaunchHostFunc");
    decltype(&cuStreamSynchronize) synchronize_stream_ =
        require_driver_function<decltype(cuStreamSynchronize)>("cuStreamSynchronize");
    decltype(&cuEventSynchronize) synchronize_event_ =
        require_driver_function<decltype(cuEventSynchronize)>("cuEventSynchronize");
};

} // namespace

const StreamCalls& runtime_calls() {
    static const RuntimeCalls calls;
    return calls;
}

const StreamCalls& driver_calls() {
    static const DriverCalls calls;
    return calls;
}

} // namespace pdlcts
