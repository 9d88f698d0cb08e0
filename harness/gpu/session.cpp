// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/session.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/concat.hpp"
#include "conformance/support/stopwatch.hpp"
#include "harness/gpu/launch_attributes.hpp"
#include "harness/gpu/requirements.hpp"
#include "harness/gpu/unwritten.hpp"

#include <algorithm>
#include <exception>

namespace pdlcts {
namespace {

/// What a stream may still say of a capture that was refused: no fault of the device.
bool is_capture_error(cudaError_t status) {
    return status >= cudaErrorStreamCaptureUnsupported && status <= cudaErrorStreamCaptureWrongThread;
}

std::vector<const Encoding*> encodings(const CaseLayout& layout) {
    std::vector<const Encoding*> all{&layout.program.encoding};
    if (layout.control) {
        all.push_back(&layout.control->encoding);
    }
    return all;
}

/// The kernel of a grid, allowed what its launch asks for.
Kernel load_grid(const KernelLibrary& library, const std::string& name, const Grid& grid) {
    const Kernel kernel = library.kernel(name);
    allow(kernel, grid.shared_memory.value_or(0), grid.cluster > largest_portable_cluster);
    LaunchAttributes attributes = node_attributes(grid);
    if (grid.cluster > 1 && !fits_cluster(kernel, shape_of(grid), attributes.all())) {
        throw Unsupported("no cluster of " + std::to_string(grid.cluster) + " blocks of grid " + grid.name +
                          " fits this GPU");
    }
    return kernel;
}

} // namespace

Session::Session(const Litmus& litmus, const CaseLayout& layout, const CompiledCase& compiled,
                 const KernelLibrary& library, Route route, const GpuPair& gpus, const TrialOptions& options,
                 unsigned branches, Background* background)
    : route_(route), interface_(route == Route::driver ? driver_calls() : runtime_calls()), gpus_(gpus),
      options_(options), layout_(layout), library_(library), kernel_prefix_(compiled.kernel_prefix),
      salts_(encodings(layout_), options.seed), memory_load_(litmus.memory_load), background_(background) {
    const std::vector<NamedStream> streams = all_streams(litmus);
    events_ = all_events(litmus, streams);
    if (gpus_.differ()) {
        enable_access(*gpus_.second, gpus_.first);
    }
    for (unsigned branch = 0; branch < branches; ++branch) {
        branches_.emplace_back(streams, gpus_);
    }
}

void Session::load(Role role, const Program& program, Plan expected) {
    LoadedProgram loaded{
        role, &program, role == Role::program ? &layout_.program : &*layout_.control, std::move(expected), {}};
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        const OnGpu on(gpus_.differ() && grid != nullptr ? std::optional(gpus_.of(grid->peer)) : std::nullopt);
        loaded.kernels.push_back(
            grid == nullptr ? nullptr : load_grid(library_, kernel_prefix_ + kernel_name(role, *grid), *grid));
    }
    const TrialTimes& times = times_.try_emplace(role, *loaded.layout, options_.seed).first->second;
    allowance_ = std::max(allowance_, times.most_added());
    programs_.push_back(std::move(loaded));
    host_takes_part_ |= host_takes_part(program);
}

void Session::settle() const {
    const Deadline deadline = std::chrono::steady_clock::now() + options_.deadline;
    for (const TrialStreams& branch : branches_) {
        for (std::size_t stream = 0; stream < branch.size(); ++stream) {
            try {
                wait_for(branch.at(stream), deadline, "waiting for what was launched before an error");
            } catch (const CudaError& error) {
                if (!is_capture_error(error.status)) {
                    throw;
                }
            }
        }
    }
}

std::size_t Session::words_of(const Trials& trials) const {
    return static_cast<std::size_t>(trials.back().record - records_.get()) +
           executions() * trials.back().program->layout->words;
}

TrialRecords Session::on_host(const Trial& trial, unsigned instance) const {
    const Layout& layout = *trial.program->layout;
    TrialRecords records;
    records.device = {host_copies_.get() + (trial.record - records_.get()) + instance * layout.words, layout.words};
    if (layout.host_words > 0) {
        records.host = {trial.host_record, layout.host_words};
    }
    return records;
}

void Session::allocate(std::uint64_t of_each) {
    std::size_t words = 0;
    std::size_t host_words = 0;
    for (const LoadedProgram& program : programs_) {
        words += of_each * executions() * program.layout->words;
        host_words += of_each * program.layout->host_words;
    }
    record_words_ = words;
    host_record_words_ = host_words;
    records_ = allocate_device_words(words);
    host_copies_ = allocate_host_words(words);
    if (host_words > 0) {
        host_records_ = allocate_mapped_words(host_words);
    }
    if (!launches_graph(route_)) {
        stream_events_.emplace(of_each * programs_.size(), events_, branches_[0], interface_);
        stream_separators_.emplace(of_each * programs_.size(), branches_[0].size(), has(TrialDefect::no_separators));
    }
}

Session::Trials Session::place_trials(std::uint64_t of_each, bool pilot) const {
    Trials trials;
    std::uint32_t* record = records_.get();
    std::size_t host_word = 0;
    for (std::uint64_t round = 0; round < of_each; ++round) {
        // A defect takes the trials of a form from equal places of their pairs.
        const bool order_varies = options_.jitter && has(TrialDefect::none);
        const std::size_t first = control_first(options_.seed, order_varies ? round : 0) ? 1 : 0;
        Variation variation = options_.jitter && !pilot ? variation_at(options_.seed, round) : Variation{};
        variation.measures = pilot;
        for (std::size_t turn = 0; turn < programs_.size(); ++turn) {
            const LoadedProgram& program = programs_[(first + turn) % programs_.size()];
            Trial trial;
            trial.program = &program;
            trial.record = record;
            trial.instances = options_.instances;
            trial.branch = round % branches_.size();
            trial.variation = variation;
            trial.pair = pairs_ + round;
            if (program.layout->host_words > 0) {
                trial.host_record = host_records_.words.get() + host_word;
                trial.host_record_on_device = host_records_.on_device + host_word;
            }
            if (shares_record(round, of_each)) {
                trial = trials[trials.size() - programs_.size()];
            }
            trials.push_back(trial);
            record += executions() * program.layout->words;
            host_word += program.layout->host_words;
        }
    }
    return trials;
}

void Session::prepare_records(Trials& trials, bool loaded) {
    pairs_ += trials.size() / programs_.size();
    bases_.clear();
    for (std::size_t index = 0; index < trials.size(); ++index) {
        Trial& trial = trials[index];
        const Layout& layout = *trial.program->layout;
        const TrialTimes& times = times_.at(trial.program->role);
        for (unsigned execution = 0; execution < executions(); ++execution) {
            auto base = salts_.next();
            if (!base) {
                throw HarnessFault("there is no salt left for another trial");
            }
            if (has(TrialDefect::shared_records_and_salts) &&
                shares_record(index / programs_.size(), trials.size() / programs_.size())) {
                base = trials[index - programs_.size()].base;
            }
            bases_.push_back(*base);
            const TrialRecords records = on_host(trial, execution);
            prepare(records, layout, *base);
            times.write(records.device, trial.variation, trial.pair, allowance_, loaded);
        }
        trial.base = bases_[index * executions()];
    }
}

void Session::copy(const Trials& trials, cudaMemcpyKind direction, Deadline deadline) {
    const bool reset = direction == cudaMemcpyHostToDevice;
    check(cudaMemcpyAsync(reset ? records_.get() : host_copies_.get(), reset ? host_copies_.get() : records_.get(),
                          words_of(trials) * sizeof(std::uint32_t), direction, main()),
          reset ? "resetting the memory of a batch" : "reading the memory of a batch");
    // No trial of the program is running any more, or yet: a copy that hangs is no trial that does not end.
    try {
        wait_for(main(), deadline, batch_name_ + (reset ? ", its reset" : ", its results"));
    } catch (const DeadlineMissed& missed) {
        throw DeviceSilent(missed.what());
    }
}

bool Session::shares_record(std::uint64_t round, std::uint64_t rounds) const {
    const bool shared = has(TrialDefect::shared_records) || has(TrialDefect::shared_records_and_salts);
    // The last one of an odd number joins the pair before it: alone it would be a sound trial.
    return shared && round > 0 && (round % 2 == 1 || round + 1 == rounds);
}

/// What the first trial of each branch that has not ended has left undone. Nothing is allocated or freed, and nothing
/// waits for the device longer than a second: it may never answer again.
std::string Session::unfinished(const Trials& trials) {
    try {
        const Stream aside = create_stream();
        check(cudaMemcpyAsync(host_copies_.get(), records_.get(), words_of(trials) * sizeof(std::uint32_t),
                              cudaMemcpyDeviceToHost, aside.get()),
              "reading the memory of a batch that does not end");
        wait_for(aside.get(), std::chrono::steady_clock::now() + std::chrono::seconds(1), "reading it");
    } catch (const std::exception&) {
        return "; what its trials have written could not be read";
    }
    std::vector<char> found(branches_.size(), false);
    std::string text;
    for (const Trial& trial : trials) {
        const std::string lacks = unwritten(on_host(trial), *trial.program->layout);
        if (!lacks.empty() && !found[trial.branch]) {
            found[trial.branch] = true;
            text += concat("; a trial of the ", trial.program->role == Role::program ? "program" : "control",
                           " has not ended: ", lacks);
        }
    }
    return text.empty() ? "; every register is written, and a grid still runs" : text;
}

const Trial& Session::read_for(const Trials& trials, std::size_t trial) const {
    const std::size_t next = has(TrialDefect::neighbours_record) ? programs_.size() : 0;
    return trials[(trial + next) % trials.size()];
}

Observation& Session::observation_of(Role role, RouteRun& result) const {
    const bool counts_as_program = (role == Role::program) != has(TrialDefect::roles_swapped);
    return counts_as_program || !result.form.control ? result.form.program : *result.form.control;
}

void Session::count(const Trials& trials, bool loaded) {
    for (std::size_t index = 0; index < trials.size(); ++index) {
        const Trial& trial = trials[index];
        const std::pair kind{trial.program->role, name(trial.variation, loaded)};
        OutcomeCounter& counter = outcomes_.try_emplace(kind, *trial.program->layout).first->second;
        for (unsigned execution = 0; execution < executions(); ++execution) {
            counter.add(on_host(read_for(trials, index), execution), bases_[index * executions() + execution]);
        }
    }
}

void Session::report(RouteRun& result) const {
    for (const auto& [kind, counter] : outcomes_) {
        observation_of(kind.first, result).tally = {};
    }
    for (const auto& [kind, counter] : outcomes_) {
        Observation& observation = observation_of(kind.first, result);
        const Tally varied = counter.tally();
        for (const auto& [outcome, count] : varied.outcomes) {
            observation.tally.outcomes[outcome] += count;
        }
        observation.tally.unwritten += varied.unwritten;
        observation.variations[std::string(kind.second)] = varied;
    }
}

bool Session::show(const Trials& trials) const {
    if (!observer_) {
        return true;
    }
    std::vector<PreparedRecords> records;
    for (const Trial& trial : trials) {
        records.push_back({on_host(trial), trial.base});
    }
    return observer_(records);
}

void Session::calibrate_windows(const Trials& pilot, RouteRun& result) {
    std::map<Role, Pilot> latencies;
    for (const Trial& trial : pilot) {
        latencies.try_emplace(trial.program->role, *trial.program->layout).first->second.note(on_host(trial).device);
    }
    const auto control = latencies.find(Role::control);
    result.form.windows =
        calibrate(latencies.at(Role::program), control == latencies.end() ? nullptr : &control->second);
    const Windows windows = windows_of(result.form.windows);
    for (auto& [role, times] : times_) {
        times.use(windows);
    }
}

void Session::run(const std::vector<std::uint64_t>& batches, RouteRun& result) {
    const Stopwatch stopwatch;
    result.form.time.emplace();
    const auto finish = [&] {
        report(result);
        result.form.time->seconds = stopwatch.seconds();
    };
    try {
        run_batches(batches, result);
    } catch (...) {
        finish();
        throw;
    }
    finish();
}

void Session::run_batches(const std::vector<std::uint64_t>& batches, RouteRun& result) {
    const std::uint64_t trials = options_.trials * executions() * programs_.size();
    if (trials > salts_.capacity()) {
        throw HarnessFault(std::to_string(trials) + " trials need as many salts, and the values of the program leave " +
                           std::to_string(salts_.capacity()) + "; use smaller values or fewer trials");
    }
    result.form.branches = static_cast<unsigned>(branches_.size());
    allocate(*std::max_element(batches.begin(), batches.end()));
    std::vector<bool> loaded(batches.size(), false);
    if (background_ != nullptr && options_.jitter && !host_takes_part_) {
        loaded = loaded_batches(batches, options_.seed, memory_load_ ? 1 : batches_a_loaded_one);
    }
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        batch_name_ = std::string(name(route_)) + " route, batch " + std::to_string(batch + 1) + " of " +
                      std::to_string(batches.size()) + " with " + std::to_string(batches[batch]) +
                      " trials of the program" + (programs_.size() > 1 ? " and as many of the control" : "");
        if (options_.announce) {
            options_.announce(batch_name_);
        }
        const Deadline deadline = std::chrono::steady_clock::now() + options_.deadline;
        const bool pilot = batch == 0 && calibrates(route_, options_.calibration);
        Trials trials = place_trials(batches[batch], pilot);
        prepare_records(trials, loaded[batch]);
        if (batch == 0 || !has(TrialDefect::no_reset)) {
            copy(trials, cudaMemcpyHostToDevice, deadline);
        }
        if (!has(TrialDefect::nothing_launched)) {
            const TrialGraph* const graph = launches_graph(route_) ? &graph_of(trials, result) : nullptr;
            const Stopwatch launches;
            try {
                if (loaded[batch]) {
                    loaded[batch] = launch_loaded(trials, graph, batch, deadline);
                } else {
                    launch_trials(trials, graph, deadline);
                }
            } catch (const DeadlineMissed&) {
                left_undone_ = unfinished(trials);
                throw;
            }
            result.form.time->launch_seconds += launches.seconds();
        }
        copy(trials, cudaMemcpyDeviceToHost, deadline);
        count(trials, loaded[batch]);
        if (pilot) {
            calibrate_windows(trials, result);
        }
        if (!show(trials)) {
            break;
        }
    }
}

} // namespace pdlcts
