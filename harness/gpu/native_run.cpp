// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_run.hpp"

#include "harness/gpu/native_device.hpp"

#include <future>
#include <memory>
#include <thread>

namespace pdlcts {
namespace {

/// What the thread and its caller share: it outlives whichever of the two ends last.
struct Shared {
    std::promise<NativeRun> ended;
    Nvrtc nvrtc;
    std::shared_ptr<NativeCode> code;
};

/// An error that broke the context comes back from every later call.
bool still_answers() {
    static_cast<void>(cudaGetLastError());
    return cudaDeviceSynchronize() == cudaSuccess;
}

NativeRun call(NativeFunction check, const NativeDevice& device) {
    NativeRun run;
    Probes probes;
    const auto fail = [&](Incident incident, const char* what) {
        run.incident = incident;
        run.incident_detail = what;
    };
    try {
        pdlcts::check(cudaSetDevice(device.device()), "selecting the GPU for a native check");
        check(device, probes);
        if (!still_answers()) {
            fail(Incident::device_error, "the device has failed behind the check");
        }
    } catch (const NativeUnsupported& unsupported) {
        fail(Incident::not_supported, unsupported.what());
        return run;
    } catch (const DeadlineMissed& missed) {
        fail(Incident::timeout, missed.what());
    } catch (const CudaError& error) {
        fail(!still_answers()                   ? Incident::device_error
             : needs_newer_driver(error.status) ? Incident::not_supported
                                                : Incident::harness_error,
             error.what());
    } catch (const std::exception& error) {
        // What was asked before is kept: it stands in the results beside the error.
        fail(still_answers() ? Incident::harness_error : Incident::device_error, error.what());
    }
    run.probes = probes.all();
    return run;
}

} // namespace

NativeRun run_native_check(NativeFunction check, int device, int compute_capability, const Nvrtc& nvrtc,
                           std::shared_ptr<NativeCode> code, std::chrono::milliseconds deadline, bool& usable) {
    const auto shared = std::make_shared<Shared>();
    shared->nvrtc = nvrtc;
    shared->code = std::move(code);
    std::future<NativeRun> ended = shared->ended.get_future();
    // The check's own waits end first, and say what did not end.
    const Deadline of_check = std::chrono::steady_clock::now() + deadline;
    std::thread thread([=] {
        shared->ended.set_value(
            call(check, NativeDevice(device, compute_capability, shared->nvrtc, *shared->code, of_check)));
    });
    if (ended.wait_until(of_check + deadline / 2) != std::future_status::ready) {
        thread.detach();
        usable = false;
        return {{},
                Incident::timeout,
                "a call of the check did not return within " + std::to_string((deadline + deadline / 2).count()) +
                    " ms"};
    }
    thread.join();
    NativeRun run = ended.get();
    usable = run.incident != Incident::timeout && run.incident != Incident::device_error;
    return run;
}

} // namespace pdlcts
