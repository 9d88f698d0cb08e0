// SPDX-License-Identifier: Apache-2.0
#include "harness/faults/sampled_program.hpp"

#include "conformance/plan/lower_faults.hpp"

#include <algorithm>

namespace pdlcts {

Result<Sampler*> Samplers::of(const Program& program, const Plan& plan) {
    const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& each) {
        return each.program == &program && each.nodes == plan.nodes;
    });
    if (known != known_.end()) {
        return known->sampler.get();
    }
    Result<Sampler> made = Sampler::make(program, plan, fault_);
    if (!made) {
        return made.error();
    }
    return known_.emplace_back(Known{&program, plan.nodes, std::make_unique<Sampler>(*std::move(made))}).sampler.get();
}

Result<SampledProgram> SampledProgram::make(const Program& program, Route route, Fault fault, Samplers& samplers) {
    Result<Plan> built = lower(program, route, fault);
    if (!built) {
        return built.error();
    }
    const Result<Plan> sound = lower(program, route);
    SampledProgram made;
    for (const bool again : {false, true}) {
        const Plan launched = as_launched(program, *built, fault, again);
        Result<Sampler*> sampler = samplers.of(program, launched);
        if (!sampler) {
            return sampler.error();
        }
        (again ? made.later_ : made.first_) = *sampler;
        made.has_fault_ = made.has_fault_ || (*sampler)->has_fault() || !sound || sound->nodes != launched.nodes;
    }
    made.built_ = *std::move(built);
    return made;
}

SampleRandom draws_of_program(std::uint64_t seed) {
    return SampleRandom(seed);
}

SampleRandom draws_of_control(std::uint64_t seed) {
    return SampleRandom(~seed);
}

} // namespace pdlcts
