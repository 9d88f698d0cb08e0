// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/trials.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/device_wait.hpp"
#include "harness/gpu/graph_route.hpp"
#include "harness/gpu/stream_route.hpp"
#include "harness/gpu/trial_record.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// What a stream may still say of a capture that was refused: no fault of the device.
bool is_capture_error(cudaError_t status) {
    return status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
}

std::vector<std::string> all_streams(const Litmus& litmus) {
    std::vector<std::string> names = litmus.program.streams;
    if (litmus.control) {
        for (const std::string& name : litmus.control->streams) {
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
    }
    return names;
}

/// Everything that a run has on the device.
class Session {
public:
    Session(const Litmus& litmus, const CaseLayout& layout, const CompiledCase& compiled, Route route,
            const TrialOptions& options)
        : route_(route), options_(options), layout_(layout), library_(compiled.code), streams_(all_streams(litmus)),
          salts_(encodings(layout_), options.seed) {
        events_ = event_names(litmus.program);
        if (litmus.control) {
            events_.merge(event_names(*litmus.control));
        }
    }

    void load(Role role, const Program& program, Plan expected) {
        LoadedProgram loaded{
            role, &program, role == Role::program ? &layout_.program : &*layout_.control, std::move(expected), {}};
        for (const HostOperation& operation : program.operations) {
            const auto* grid = std::get_if<Grid>(&operation);
            loaded.kernels.push_back(grid == nullptr ? nullptr : library_.kernel(kernel_name(role, *grid)));
        }
        programs_.push_back(std::move(loaded));
    }

    void run(const std::vector<std::uint64_t>& batches, RouteRun& result);

    /// Waits, with the deadline, until nothing of the run is on the device.
    void settle() const {
        const Deadline deadline = std::chrono::steady_clock::now() + options_.deadline;
        for (std::size_t stream = 0; stream < streams_.size(); ++stream) {
            try {
                wait_for(streams_.at(stream), deadline, "waiting for what was launched before an error");
            } catch (const CudaError& error) {
                if (!is_capture_error(error.status)) {
                    throw;
                }
            }
        }
    }

private:
    static std::vector<const Encoding*> encodings(const CaseLayout& layout) {
        std::vector<const Encoding*> all{&layout.program.encoding};
        if (layout.control) {
            all.push_back(&layout.control->encoding);
        }
        return all;
    }

    /// Program and control in turn; the seed says which begins.
    std::vector<Trial> place_trials(std::uint64_t of_each) const;
    void allocate(std::uint64_t of_each);
    void prepare_records(std::vector<Trial>& trials);
    void launch_trials(const std::vector<Trial>& trials, RouteRun& result, Deadline deadline);
    void issue_eagerly(const std::vector<Trial>& trials, Deadline deadline);
    const TrialGraph& graph_of(const std::vector<Trial>& trials, RouteRun& result);
    void copy(const std::vector<Trial>& trials, cudaMemcpyKind direction, Deadline deadline);
    void count(const std::vector<Trial>& trials, RouteRun& result) const;

    std::size_t words_of(const std::vector<Trial>& trials) const {
        return static_cast<std::size_t>(trials.back().record - records_.get()) + trials.back().program->layout->words;
    }
    std::span<std::uint32_t> on_host(const Trial& trial) const {
        return {host_records_.get() + (trial.record - records_.get()), trial.program->layout->words};
    }

    Route route_;
    TrialOptions options_;
    CaseLayout layout_;
    KernelLibrary library_;
    TrialStreams streams_;
    SaltSequence salts_;
    std::set<std::string> events_;
    std::vector<LoadedProgram> programs_;
    DeviceWords records_;
    HostWords host_records_;
    std::optional<TrialEvents> stream_events_;
    std::map<std::size_t, TrialGraph> graphs_; ///< by number of trials
    std::string batch_name_;
};

void Session::allocate(std::uint64_t of_each) {
    std::size_t words = 0;
    for (const LoadedProgram& program : programs_) {
        words += of_each * program.layout->words;
    }
    records_ = allocate_device_words(words);
    host_records_ = allocate_host_words(words);
    if (route_ == Route::stream) {
        stream_events_.emplace(of_each * programs_.size(), events_, streams_.size());
    }
}

std::vector<Trial> Session::place_trials(std::uint64_t of_each) const {
    std::vector<Trial> trials;
    const std::size_t first = mix(options_.seed) % programs_.size();
    std::uint32_t* record = records_.get();
    for (std::uint64_t round = 0; round < of_each; ++round) {
        for (std::size_t turn = 0; turn < programs_.size(); ++turn) {
            const LoadedProgram& program = programs_[(first + turn) % programs_.size()];
            trials.push_back({&program, record, 0});
            record += program.layout->words;
        }
    }
    return trials;
}

void Session::prepare_records(std::vector<Trial>& trials) {
    for (Trial& trial : trials) {
        const auto base = salts_.next();
        if (!base) {
            throw HarnessFault("there is no salt left for another trial");
        }
        trial.base = *base;
        prepare(on_host(trial), *trial.program->layout, *base);
    }
}

void Session::copy(const std::vector<Trial>& trials, cudaMemcpyKind direction, Deadline deadline) {
    const bool reset = direction == cudaMemcpyHostToDevice;
    check(cudaMemcpyAsync(reset ? records_.get() : host_records_.get(), reset ? host_records_.get() : records_.get(),
                          words_of(trials) * sizeof(std::uint32_t), direction, streams_.main()),
          reset ? "resetting the memory of a batch" : "reading the memory of a batch");
    // No trial of the program is running any more, or yet: a copy that hangs is no trial that does not end.
    try {
        wait_for(streams_.main(), deadline, batch_name_ + (reset ? ", its reset" : ", its results"));
    } catch (const DeadlineMissed& missed) {
        throw DeviceSilent(missed.what());
    }
}

void Session::issue_eagerly(const std::vector<Trial>& trials, Deadline deadline) {
    IssueListener nobody;
    // A separator, an event and the waits for them for each stream, and what the longer program issues.
    std::size_t operations = 0;
    for (const LoadedProgram& program : programs_) {
        operations = std::max(operations, program.program->operations.size());
    }
    const std::size_t in_flight = trials_in_flight(operations + 4 * streams_.size());
    const std::size_t between_waits = std::max<std::size_t>(in_flight / 2, 1);
    for (std::size_t index = 0; index < trials.size(); ++index) {
        issue_trial(trials[index], index, streams_, *stream_events_, nobody);
        if (index >= in_flight && index % between_waits == 0) {
            wait_for(stream_events_->opened(index - in_flight + 1), deadline, batch_name_);
        }
    }
}

const TrialGraph& Session::graph_of(const std::vector<Trial>& trials, RouteRun& result) {
    const auto known = graphs_.find(trials.size());
    if (known != graphs_.end()) {
        return known->second;
    }
    TrialGraph graph =
        route_ == Route::captured ? capture_trials(trials, streams_, events_) : build_trials(trials, streams_);
    BuiltPlans built = read_back(graph, trials);
    const bool first = graphs_.empty();
    if (!first && (built.program != result.program_built || built.control != result.control_built)) {
        throw HarnessFault("the dependencies that the driver has differ from one graph of trials to the next");
    }
    result.program_built = std::move(built.program);
    result.control_built = std::move(built.control);
    return graphs_.emplace(trials.size(), std::move(graph)).first->second;
}

void Session::launch_trials(const std::vector<Trial>& trials, RouteRun& result, Deadline deadline) {
    if (route_ == Route::stream) {
        issue_eagerly(trials, deadline);
    } else {
        check(cudaGraphLaunch(graph_of(trials, result).exec.get(), streams_.main()), "launching a graph of trials");
    }
    wait_for(streams_.main(), deadline, batch_name_);
}

void Session::count(const std::vector<Trial>& trials, RouteRun& result) const {
    for (const Trial& trial : trials) {
        Tally& tally = (trial.program->role == Role::program ? result.form.program : *result.form.control).tally;
        if (const auto outcome = outcome_of(on_host(trial), *trial.program->layout, trial.base)) {
            ++tally.outcomes[print(*outcome)];
        } else {
            ++tally.unwritten;
        }
    }
}

void Session::run(const std::vector<std::uint64_t>& batches, RouteRun& result) {
    const std::uint64_t trials = options_.trials * programs_.size();
    if (trials > salts_.capacity()) {
        throw HarnessFault(std::to_string(trials) + " trials need as many salts, and the values of the program leave " +
                           std::to_string(salts_.capacity()) + "; use smaller values or fewer trials");
    }
    allocate(*std::max_element(batches.begin(), batches.end()));
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        batch_name_ = std::string(name(route_)) + " route, batch " + std::to_string(batch + 1) + " of " +
                      std::to_string(batches.size()) + " with " + std::to_string(batches[batch]) +
                      " trials of the program" + (programs_.size() > 1 ? " and as many of the control" : "");
        const Deadline deadline = std::chrono::steady_clock::now() + options_.deadline;
        std::vector<Trial> trials = place_trials(batches[batch]);
        prepare_records(trials);
        copy(trials, cudaMemcpyHostToDevice, deadline);
        launch_trials(trials, result, deadline);
        copy(trials, cudaMemcpyDeviceToHost, deadline);
        count(trials, result);
    }
}

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

} // namespace

RouteRun run_trials(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options,
                    bool& usable) {
    RouteRun result;
    result.form.route = route;
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
    const auto layout = lay_out(litmus);
    if (!layout) {
        return fail(Incident::harness_error, layout.error().message);
    }
    const auto batches = cut_into_batches(options.trials, largest_batch(litmus, *layout, options.deadline));
    if (batches.empty()) {
        return fail(Incident::harness_error, "a run of no trials was asked for");
    }

    std::unique_ptr<Session> session;
    try {
        session = std::make_unique<Session>(litmus, *layout, compiled, route, options);
        session->load(Role::program, litmus.program, *std::move(program_plan));
        if (litmus.control) {
            session->load(Role::control, *litmus.control, *std::move(control_plan));
        }
        session->run(batches, result);
    } catch (const DeadlineMissed& missed) {
        abandon(session, usable);
        const bool silent = dynamic_cast<const DeviceSilent*>(&missed) != nullptr;
        fail(silent ? Incident::device_error : Incident::timeout,
             std::string(missed.what()) + " did not finish within " + std::to_string(options.deadline.count()) + " ms");
    } catch (const std::exception& error) {
        end_after_error(session, error.what(), result, usable);
    }
    read_structure(result.form.program, litmus.program, result.program_built);
    if (litmus.control) {
        read_structure(*result.form.control, *litmus.control, result.control_built);
    }
    return result;
}

} // namespace pdlcts
