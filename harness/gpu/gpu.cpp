// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/gpu.hpp"
#include "harness/gpu/gpu_choice.hpp"

#include "harness/gpu/compile.hpp"
#include "harness/gpu/cuda_error.hpp"
#include "harness/gpu/device_limits.hpp"
#include "harness/gpu/gpu_environment.hpp"
#include "harness/gpu/native_run.hpp"
#include "harness/gpu/nvrtc.hpp"
#include "harness/gpu/picture_run.hpp"
#include "harness/gpu/trials.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// The driver's CUDA version; 0 when there is no driver.
int driver_version() {
    int version = 0;
    return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

GpuUnavailable no_devices(cudaError_t status) {
    DriverAnswer answer{DriverAnswer::Kind::other, driver_version(), CUDART_VERSION, describe(status)};
    if (status == cudaErrorInsufficientDriver) {
        answer.kind = DriverAnswer::Kind::too_old;
    } else if (status == cudaSuccess || status == cudaErrorNoDevice) {
        answer.kind = DriverAnswer::Kind::no_gpu;
    }
    return explain_no_gpu(answer);
}

/// 0 where it cannot be read.
int compute_capability_of(int device) {
    int major = 0;
    int minor = 0;
    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        return 0;
    }
    return major * 10 + minor;
}

class CudaGpu : public Gpu {
public:
    CudaGpu(int device, const Nvrtc& nvrtc, Environment environment)
        : device_(device), nvrtc_(nvrtc), environment_(std::move(environment)) {}
    ~CudaGpu() override {
        if (!usable_) {
            libraries_.abandon();
        }
    }

    const Environment& environment() const override { return environment_; }
    void look_again() override { pdlcts::look_again(device_, environment_); }
    std::vector<Result<CompiledCase>> compile(const std::vector<const Litmus*>& cases,
                                              const CompileOptions& options) const override;
    std::optional<std::string> why_no_image(ImageChoice choice) const override;
    RouteRun run(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options) override;
    NativeRun probe(NativeFunction check, std::chrono::milliseconds deadline) override;
    PictureRun take_pictures(const Litmus& litmus, const CompiledCase& stamped, Route route,
                             const TrialOptions& options) override;

private:
    std::optional<std::string> why_unusable();
    std::unique_ptr<Background> make_background() const;

    int device_;
    Nvrtc nvrtc_;
    std::shared_ptr<NativeCode> native_code_ = std::make_shared<NativeCode>();
    Environment environment_;
    KernelLibraries libraries_;
    std::unique_ptr<Background> background_; ///< once a run with jitter needed it
    bool usable_ = true;
};

std::unique_ptr<Background> CudaGpu::make_background() const {
    const DeviceLimits limits = device_limits();
    const auto target = target_for(nvrtc_, environment_.compute_capability);
    if (!target || !limits.maps_host_memory) {
        return nullptr;
    }
    const auto code = compile_source(nvrtc_, background_source(), *target);
    if (!code) {
        throw HarnessFault("the kernel that runs beside trials does not compile: " + code.error().message);
    }
    return std::make_unique<Background>(*code, limits);
}

std::vector<Result<CompiledCase>> CudaGpu::compile(const std::vector<const Litmus*>& cases,
                                                   const CompileOptions& options) const {
    const auto target = target_for(nvrtc_, environment_.compute_capability, options.image);
    if (!target) {
        return std::vector<Result<CompiledCase>>(cases.size(), target.error());
    }
    return compile_cases(unit_compiler(nvrtc_, *target), cases, options);
}

std::optional<std::string> CudaGpu::why_no_image(ImageChoice choice) const {
    if (const auto target = target_for(nvrtc_, environment_.compute_capability, choice); !target) {
        return target.error().message;
    }
    if (const auto options = intrinsic_options(nvrtc_); choice == ImageChoice::intrinsic && !options) {
        return options.error().message;
    }
    return std::nullopt;
}

std::optional<std::string> CudaGpu::why_unusable() {
    if (!usable_) {
        return "an earlier case left the device unusable in this process";
    }
    if (const cudaError_t status = cudaSetDevice(device_); status != cudaSuccess) {
        usable_ = false;
        return "selecting the GPU: " + describe(status);
    }
    return std::nullopt;
}

RouteRun CudaGpu::run(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options) {
    if (const auto reason = why_unusable()) {
        RouteRun refused;
        refused.form.route = route;
        refused.incident = Incident::device_error;
        refused.incident_detail = *reason;
        return refused;
    }
    try {
        if (options.jitter && background_ == nullptr) {
            background_ = make_background();
        }
    } catch (const std::exception& error) {
        RouteRun refused;
        refused.form.route = route;
        refused.incident = Incident::harness_error;
        refused.incident_detail = error.what();
        return refused;
    }
    Background* const background = options.jitter ? background_.get() : nullptr;
    RouteRun result = run_trials(litmus, compiled, libraries_, route, options, background, usable_);
    if (!usable_) {
        static_cast<void>(background_.release()); // to free it would wait for the device
    }
    return result;
}

NativeRun CudaGpu::probe(NativeFunction check, std::chrono::milliseconds deadline) {
    if (!usable_) {
        return {{}, Incident::device_error, "an earlier case left the device unusable in this process"};
    }
    return run_native_check(check, device_, environment_.compute_capability, nvrtc_, native_code_, deadline, usable_);
}

PictureRun CudaGpu::take_pictures(const Litmus& litmus, const CompiledCase& stamped, Route route,
                                  const TrialOptions& options) {
    if (const auto reason = why_unusable()) {
        PictureRun refused;
        refused.pictures.note = *reason;
        refused.incident = Incident::device_error;
        return refused;
    }
    return pdlcts::take_pictures(litmus, stamped, libraries_, route, options, usable_);
}

} // namespace

void warm_up_compiler() {
    if (const auto nvrtc = load_nvrtc(driver_version())) {
        static_cast<void>(compile_source(*nvrtc, "extern \"C\" __global__ void nothing() {}\n", Target{true, 90}));
    }
}

std::variant<std::vector<int>, GpuUnavailable> usable_gpus() {
    int count = 0;
    const cudaError_t status = cudaGetDeviceCount(&count);
    if (status != cudaSuccess || count == 0) {
        return no_devices(status);
    }
    std::vector<int> compute_capabilities;
    compute_capabilities.reserve(static_cast<std::size_t>(count));
    for (int device = 0; device < count; ++device) {
        compute_capabilities.push_back(compute_capability_of(device));
    }
    auto usable = choose_gpus(compute_capabilities);
    if (std::holds_alternative<GpuUnavailable>(usable)) {
        return usable;
    }
    if (const auto nvrtc = load_nvrtc(driver_version()); !nvrtc) {
        return GpuUnavailable{GpuProblem::no_nvrtc, nvrtc.error().message};
    }
    return usable;
}

std::variant<std::unique_ptr<Gpu>, GpuUnavailable> open_gpu(int device) {
    const auto found = usable_gpus();
    if (const auto* unavailable = std::get_if<GpuUnavailable>(&found)) {
        return *unavailable;
    }
    const auto& usable = std::get<std::vector<int>>(found);
    if (std::find(usable.begin(), usable.end(), device) == usable.end()) {
        std::string message = "there is no usable GPU " + std::to_string(device) + "; usable:";
        for (const int each : usable) {
            message += " " + std::to_string(each);
        }
        return GpuUnavailable{GpuProblem::no_gpu, std::move(message)};
    }
    const auto nvrtc = load_nvrtc(driver_version());
    if (!nvrtc) {
        return GpuUnavailable{GpuProblem::no_nvrtc, nvrtc.error().message};
    }
    try {
        check(cudaSetDevice(device), "selecting the GPU");
        check(cudaFree(nullptr), "creating a context");
        return std::make_unique<CudaGpu>(device, *nvrtc, gpu_environment(device, version_of(*nvrtc)));
    } catch (const CudaError& error) {
        return GpuUnavailable{GpuProblem::no_gpu, "GPU " + std::to_string(device) + " cannot be used: " + error.what()};
    }
}

} // namespace pdlcts
