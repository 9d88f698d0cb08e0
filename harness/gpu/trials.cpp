// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trials.hpp"

#include "conformance/plan/instances.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/branches.hpp"
#include "harness/gpu/calibration.hpp"
#include "harness/gpu/device_limits.hpp"
#include "harness/gpu/session.hpp"
#include "harness/gpu/stamps.hpp"

#include <algorithm>

#include <thread>

namespace pdlcts {
namespace {

/// So few that an observer can end a run in time.
constexpr std::uint64_t most_trials_an_observed_batch = 25;

/// In fewer the calls beside the trials would take as long as the trials.
constexpr std::uint64_t fewest_trials_of_a_load = 16;
constexpr std::uint64_t most_trials_of_a_load = 128;

void read_structure(Observation& observation, const Program& program, const std::optional<Plan>& built) {
    if (built) {
        observation.structure.read_back = true;
        observation.structure.built = print_dependencies(program, *built);
    }
}

/// Leaves a session that the device may still be using: freeing it would wait for the device.
void abandon(std::unique_ptr<Session>& session, bool& usable) {
    static_cast<void>(session.release());
    usable = false;
}

/// Decides, after an error, whether the device still answers. Only then is the session freed.
void end_after_error(std::unique_ptr<Session>& session, const std::string& what, RouteRun& result, bool& usable) {
    result.incident = Incident::harness_error;
    result.incident_detail = what;
    static_cast<void>(cudaGetLastError());
    try {
        // An error that broke the context comes back from every later call.
        if (session != nullptr) {
            session->settle();
        } else {
            static_cast<void>(create_stream());
        }
    } catch (const DeadlineMissed& missed) {
        // Whatever went wrong first, it was not that a trial does not end.
        result.incident = Incident::device_error;
        result.incident_detail += std::string("; then ") + missed.what() + ": not done in time";
        abandon(session, usable);
    } catch (const CudaError&) {
        result.incident = Incident::device_error;
        abandon(session, usable);
    }
}

/// The current GPU and its second.
GpuPair gpus_of(const TrialOptions& options) {
    GpuPair gpus;
    check(cudaGetDevice(&gpus.first), "finding the GPU of this thread");
    gpus.second = options.one_gpu_as_two ? std::optional(gpus.first) : find_peer().device;
    return gpus;
}

RouteRun run_laid_out(const Litmus& litmus, const Result<CaseLayout>& layout, const CompiledCase& compiled,
                      KernelLibraries& libraries, Route route, TrialOptions options, Background* background,
                      bool& usable, const BatchObserver& observer) {
    RouteRun result;
    result.form.route = route;
    const bool observes = static_cast<bool>(observer);
    const auto fail = [&](Incident incident, std::string detail) {
        result.incident = incident;
        result.incident_detail = std::move(detail);
        return result;
    };
    const auto expect = [](Observation& observation, const Program& program, const Plan& plan) {
        observation.structure.expected = print_dependencies(program, plan);
        observation.structure.undocumented = plan.undocumented;
    };

    auto program_plan = lower(litmus.program, route);
    if (!program_plan) {
        return fail(Incident::not_supported, program_plan.error().message);
    }
    expect(result.form.program, litmus.program, *program_plan);
    std::optional<Plan> control_plan;
    if (litmus.control) {
        auto lowered = lower(*litmus.control, route);
        if (!lowered) {
            return fail(Incident::not_supported, "the control: " + lowered.error().message);
        }
        control_plan = *std::move(lowered);
        expect(result.form.control.emplace(), *litmus.control, *control_plan);
    }
    if (!layout) {
        return fail(Incident::harness_error, layout.error().message);
    }
    if (compiled.stamped != observes) {
        return fail(Incident::harness_error, compiled.stamped ? "the image takes pictures, and its trials do not count"
                                                              : "the image takes no pictures");
    }
    if (const auto reason = options.instances > 0 ? why_no_instances(litmus) : std::nullopt) {
        return fail(Incident::harness_error, "instances were asked for, and " + *reason);
    }
    unsigned branches = 1;
    GpuPair gpus;
    try {
        DeviceLimits limits = device_limits();
        limits.has_peer |= options.one_gpu_as_two;
        limits.has_peer_atomics |= options.one_gpu_as_two;
        if (const auto reason = why_unsupported(litmus, limits)) {
            return fail(Incident::not_supported, *reason);
        }
        if (options.instances > 0) {
            options.instances = result.instances = std::min(options.instances, instances_for(litmus, limits));
            options.calibration = options.jitter = false;
        }
        if (options.instances > 0 || branches_for(litmus, limits, 1) == 1) {
            background = nullptr; // it might take the room that the grids need
        }
        const unsigned instances = std::max(options.instances, 1u);
        branches = !launches_graph(route) ? stream_branches_for(litmus, limits, all_streams(litmus).size(),
                                                                std::thread::hardware_concurrency(), instances)
                                          : branches_for(litmus, limits, instances);
        branches = options.branches == 0 ? branches : std::min(branches, options.branches);
        if (has_peer_grid(litmus)) {
            gpus = gpus_of(options);
            result.form.second_gpu = SecondGpu{name_of_gpu(*gpus.second), options.one_gpu_as_two};
        }
    } catch (const Unsupported& unsupported) {
        return fail(Incident::not_supported, unsupported.what());
    } catch (const CudaError& error) {
        usable = false;
        return fail(Incident::device_error, error.what());
    }
    std::uint64_t largest = largest_batch(litmus, *layout, options.deadline, std::max(options.instances, 1u));
    if (launches_graph(route)) {
        largest = std::min(largest, worthwhile_graph(options.trials));
    } else if (background != nullptr && options.jitter) {
        // Only of many batches can a few be loaded, and each of these has a load of its own.
        largest = std::min(
            largest, std::clamp(options.trials / batches_a_loaded_one, fewest_trials_of_a_load, most_trials_of_a_load));
    }
    if (observes) {
        largest = std::min(largest, most_trials_an_observed_batch);
    }
    const auto batches = cut_into_batches(options.trials, largest,
                                          calibrates(route, options.calibration) ? pilot_trials : warm_up_trials);
    if (batches.empty()) {
        return fail(Incident::harness_error, "a run of no trials was asked for");
    }

    std::unique_ptr<Session> session;
    try {
        const KernelLibrary& library = libraries.of(compiled.unit);
        session =
            std::make_unique<Session>(litmus, *layout, compiled, library, route, gpus, options, branches, background);
        session->load(Role::program, litmus.program, *std::move(program_plan));
        if (litmus.control) {
            session->load(Role::control, *litmus.control, *std::move(control_plan));
        }
        session->watch(observer);
        session->run(batches, result);
    } catch (const DeadlineMissed& missed) {
        const std::string left_undone = session == nullptr ? "" : session->left_undone();
        abandon(session, usable);
        const bool silent = dynamic_cast<const DeviceSilent*>(&missed) != nullptr;
        fail(silent ? Incident::device_error : Incident::timeout,
             std::string(missed.what()) + " did not finish within " + std::to_string(options.deadline.count()) + " ms" +
                 left_undone);
    } catch (const Unsupported& unsupported) {
        fail(Incident::not_supported, unsupported.what());
    } catch (const CudaError& error) {
        end_after_error(session, error.what(), result, usable);
        if (usable && needs_newer_driver(error.status)) {
            fail(Incident::not_supported, std::string(error.what()) + "; this takes a newer driver");
        }
    } catch (const std::exception& error) {
        end_after_error(session, error.what(), result, usable);
    }
    read_structure(result.form.program, litmus.program, result.program_built);
    if (litmus.control) {
        read_structure(*result.form.control, *litmus.control, result.control_built);
    }
    return result;
}

} // namespace

RouteRun run_trials(const Litmus& litmus, const CompiledCase& compiled, KernelLibraries& libraries, Route route,
                    const TrialOptions& options, Background* background, bool& usable) {
    return run_laid_out(litmus, lay_out(litmus), compiled, libraries, route, options, background, usable, {});
}

RouteRun run_stamped_trials(const Litmus& stamped, const CompiledCase& compiled, KernelLibraries& libraries,
                            Route route, const TrialOptions& options, bool& usable, const BatchObserver& observer) {
    return run_laid_out(stamped, lay_out_stamped(stamped), compiled, libraries, route, options, nullptr, usable,
                        observer);
}

} // namespace pdlcts
