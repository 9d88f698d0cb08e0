// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/machine_gpu.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"
#include "harness/gpu/emit.hpp"

#include <algorithm>
#include <charconv>

namespace pdlcts {
namespace {

/// A register that is launched for, and that no outcome holds, was not written down.
bool is_complete(const Outcome& outcome, const Layout& layout) {
    return std::all_of(layout.registers.begin(), layout.registers.end(),
                       [&](const RegisterSlots& slots) { return outcome.contains(slots.name); });
}

std::string source_of(const Litmus& litmus) {
    const Result<CaseLayout> layout = lay_out(litmus);
    return layout ? emit(litmus, *layout) : "";
}

} // namespace

MachineGpu::MachineGpu() : environment_(host_environment()) {
    environment_.gpu = "abstract machine";
}

std::vector<Result<CompiledCase>> MachineGpu::compile(const std::vector<const Litmus*>& cases,
                                                      const CompileOptions& options) const {
    if (options.stamps) {
        return std::vector<Result<CompiledCase>>(cases.size(), Error{"the abstract machine has no clock"});
    }
    std::vector<Result<CompiledCase>> compiled;
    for (const Litmus* litmus : cases) {
        const std::lock_guard lock(compiling_);
        const std::string place = std::to_string(compiled_.size());
        compiled_.push_back(*litmus);
        compiled.push_back(
            CompiledCase{.source = source_of(*litmus),
                         .image = "outcomes of the abstract machine",
                         .kernel_prefix = "",
                         .unit = std::make_shared<CompiledUnit>(CompiledUnit{{place.begin(), place.end()}, false})});
    }
    return compiled;
}

const Litmus& MachineGpu::emitted(const CompiledCase& compiled) const {
    const std::vector<char>& code = compiled.unit->code;
    std::size_t place = 0;
    std::from_chars(code.data(), code.data() + code.size(), place);
    const std::lock_guard lock(compiling_);
    return compiled_.at(place);
}

RouteRun MachineGpu::run(const Litmus& litmus, const CompiledCase& compiled, Route route, const TrialOptions& options) {
    const auto refuse = [&](std::string why) {
        RouteRun refused;
        refused.form.route = route;
        refused.incident = Incident::not_supported;
        refused.incident_detail = std::move(why);
        return refused;
    };
    const Result<CaseLayout> layout = lay_out(litmus);
    if (!layout) {
        return refuse(layout.error().message);
    }
    RouteRun run;
    run.form.route = route;
    std::string problem;
    const auto observe = [&](const Program& launched, const Program& emitted, const Layout& words) {
        Observation observation;
        const Result<Plan> plan = lower(launched, route);
        if (!plan) {
            problem = plan.error().message;
            return observation;
        }
        observation.structure.expected = print_dependencies(launched, *plan);
        observation.structure.undocumented = plan->undocumented;
        observation.structure.read_back = launches_graph(route);
        if (observation.structure.read_back) {
            observation.structure.built = observation.structure.expected;
        }
        const AllowedOutcomes& allowed = explorations_.of(emitted, *plan);
        if (!allowed.decided) {
            problem = "the abstract machine met its limit";
            return observation;
        }
        for (const Outcome& outcome : allowed.outcomes) {
            std::uint64_t& count =
                is_complete(outcome, words) ? observation.tally.outcomes[print(outcome)] : observation.tally.unwritten;
            count += options.trials;
        }
        return observation;
    };
    run.form.program = observe(litmus.program, emitted(compiled).program, layout->program);
    if (litmus.control) {
        run.form.control = observe(*litmus.control, *emitted(compiled).control, *layout->control);
    }
    return problem.empty() ? run : refuse(problem);
}

PictureRun MachineGpu::take_pictures(const Litmus& /*litmus*/, const CompiledCase& /*stamped*/, Route /*route*/,
                                     const TrialOptions& /*options*/) {
    return {};
}

NativeRun MachineGpu::probe(NativeFunction /*check*/, std::chrono::milliseconds /*deadline*/) {
    return {{}, Incident::not_supported, "the abstract machine has no API"};
}

} // namespace pdlcts
