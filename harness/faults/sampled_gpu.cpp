// SPDX-License-Identifier: Apache-2.0
#include "harness/faults/sampled_gpu.hpp"

#include "conformance/plan/routes.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/emit.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace pdlcts {
namespace {

/// A register that is launched for, and that no outcome holds, was not written down.
bool is_complete(const Outcome& outcome, const Layout& layout) {
    return std::all_of(layout.registers.begin(), layout.registers.end(),
                       [&](const RegisterSlots& slots) { return outcome.contains(slots.name); });
}

bool has_peer_grid(const Program& program) {
    return std::any_of(program.operations.begin(), program.operations.end(), [](const HostOperation& operation) {
        const auto* grid = std::get_if<Grid>(&operation);
        return grid != nullptr && grid->peer;
    });
}

void stop(RouteRun& run, Incident incident, std::string detail) {
    if (run.incident == Incident::none) {
        run.incident = incident;
        run.incident_detail = std::move(detail);
    }
}

} // namespace

std::string_view name_of(Fault fault) {
    const std::span<const FaultInfo> all = all_faults();
    return fault == Fault::none ? "none" : all[static_cast<std::size_t>(fault) - 1].name;
}

std::string image_of(Fault fault) {
    return concat(sampled_image, name_of(fault));
}

SampledGpu::SampledGpu(Fault fault) : fault_(fault), environment_(host_environment()), samplers_(fault) {
    environment_.gpu = concat("abstract machine, fault ", name_of(fault));
    environment_.fault = name_of(fault);
}

std::vector<Result<CompiledCase>> SampledGpu::compile(const std::vector<const Litmus*>& cases,
                                                      const CompileOptions& options) const {
    if (options.stamps) {
        return std::vector<Result<CompiledCase>>(cases.size(), Error{"the abstract machine has no clock"});
    }
    std::vector<Result<CompiledCase>> compiled;
    for (const Litmus* litmus : cases) {
        const Result<CaseLayout> layout = lay_out(*litmus);
        if (!layout) {
            compiled.push_back(layout.error());
            continue;
        }
        const std::lock_guard lock(compiling_);
        const std::string place = std::to_string(compiled_.size());
        compiled_.push_back(*litmus);
        compiled.push_back(
            CompiledCase{.source = emit(*litmus, *layout),
                         .image = image_of(fault_),
                         .kernel_prefix = "",
                         .unit = std::make_shared<CompiledUnit>(CompiledUnit{{place.begin(), place.end()}, false})});
    }
    return compiled;
}

Observation SampledGpu::observe(const Program& program, Route route, const Layout& layout, SampleRandom random,
                                std::uint64_t trials, std::optional<Plan>& built, RouteRun& run) {
    Observation observation;
    const Result<Plan> expected = lower(program, route);
    Result<SampledProgram> sampled = SampledProgram::make(program, route, fault_, samplers_);
    if (!expected || !sampled) {
        // A route that cannot express the program has no cell, so it is the faulty one that fails here.
        stop(run, Incident::device_error, expected ? sampled.error().message : expected.error().message);
        return observation;
    }
    observation.structure.expected = print_dependencies(program, *expected);
    observation.structure.undocumented = expected->undocumented;
    observation.structure.read_back = launches_graph(route);
    if (observation.structure.read_back) {
        built = sampled->built();
        observation.structure.built = print_dependencies(program, *built);
    }
    std::map<const Outcome*, std::uint64_t> counts;
    for (std::uint64_t trial = 0; trial < trials; ++trial) {
        const Outcome* const outcome = sampled->next(random);
        if (outcome == nullptr) {
            stop(run, Incident::timeout, concat("trial ", trial + 1, " got stuck before every grid had completed"));
            break;
        }
        ++counts[outcome];
    }
    for (const auto& [outcome, count] : counts) {
        (is_complete(*outcome, layout) ? observation.tally.outcomes[print(*outcome)] : observation.tally.unwritten) +=
            count;
    }
    return observation;
}

const Litmus& SampledGpu::emitted(const CompiledCase& compiled) {
    const std::vector<char>& code = compiled.unit->code;
    std::size_t place = 0;
    std::from_chars(code.data(), code.data() + code.size(), place);
    std::unique_lock lock(compiling_);
    const Litmus& emitted = compiled_.at(place);
    lock.unlock();
    if (latest_ != &emitted) {
        samplers_.clear();
        latest_ = &emitted;
    }
    return emitted;
}

bool SampledGpu::has_fault(const CompiledCase& compiled, Route route) {
    const Litmus& litmus = emitted(compiled);
    const auto of = [&](const Program& program) {
        const Result<SampledProgram> sampled = SampledProgram::make(program, route, fault_, samplers_);
        return !sampled || sampled->has_fault();
    };
    return of(litmus.program) || (litmus.control && of(*litmus.control));
}

std::optional<std::uint64_t> SampledGpu::first_violation(const CompiledCase& compiled, Route route, std::uint64_t seed,
                                                         std::uint64_t trials) {
    const Program& program = emitted(compiled).program;
    Result<SampledProgram> sampled = SampledProgram::make(program, route, fault_, samplers_);
    SampleRandom random = draws_of_program(seed);
    for (std::uint64_t trial = 1; sampled && trial <= trials; ++trial) {
        const Outcome* const outcome = sampled->next(random);
        if (outcome == nullptr || (program.claim.never && matches(*program.claim.never, *outcome))) {
            return trial;
        }
    }
    return std::nullopt;
}

RouteRun SampledGpu::run(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options) {
    RouteRun run;
    run.form.route = route;
    const Litmus& emitted = this->emitted(compiled);
    const Result<CaseLayout> layout = lay_out(litmus);
    if (!layout) {
        stop(run, Incident::harness_error, layout.error().message);
        return run;
    }
    if (options.instances != 0) {
        stop(run, Incident::not_supported, "executions that are sampled one by one have no instances");
        return run;
    }
    run.form.program = observe(emitted.program, route, layout->program, draws_of_program(options.seed), options.trials,
                               run.program_built, run);
    if (emitted.control) {
        run.form.control = observe(*emitted.control, route, *layout->control, draws_of_control(options.seed),
                                   options.trials, run.control_built, run);
    }
    if (has_peer_grid(litmus.program)) {
        run.form.second_gpu = SecondGpu{environment_.gpu, false};
    }
    return run;
}

PictureRun SampledGpu::take_pictures(const Litmus& /*litmus*/, const CompiledCase& /*stamped*/, Route /*route*/,
                                     const TrialOptions& /*options*/) {
    PictureRun taken;
    taken.pictures.note = "the abstract machine has no clock";
    return taken;
}

NativeRun SampledGpu::probe(NativeFunction /*check*/, std::chrono::milliseconds /*deadline*/) {
    return {{}, Incident::not_supported, "the abstract machine has no API"};
}

} // namespace pdlcts
