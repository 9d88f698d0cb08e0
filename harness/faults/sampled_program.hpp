// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/sampler.hpp"
#include "conformance/plan/lower.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pdlcts {

/// Samplers by what they run, for the routes of a case often make the same plan of it. Of one fault, and of programs
/// that outlive it.
class Samplers {
public:
    explicit Samplers(Fault fault) : fault_(fault) {}
    /// The reference holds until a sampler of another case is asked for.
    Result<Sampler*> of(const Program& program, const Plan& plan);
    /// Forgets all: another case begins.
    void clear() { known_.clear(); }

private:
    struct Known {
        const Program* program = nullptr;
        std::vector<Node> nodes;
        std::unique_ptr<Sampler> sampler;
    };
    Fault fault_;
    std::vector<Known> known_;
};

/// One program, launched by a route again and again on a machine with a fault.
class SampledProgram {
public:
    /// An error where the route, with its fault, cannot build the program, or the machine cannot hold it.
    static Result<SampledProgram> make(const Program& program, Route route, Fault fault, Samplers& samplers);

    /// The plan that the route built: what is read back from a graph.
    const Plan& built() const { return built_; }
    /// Whether it can do anything that it would not do without the fault.
    bool has_fault() const { return has_fault_; }
    /// The outcome of the next trial; null where it never ends. The first trial is the first launch of a graph, and all
    /// others are replays.
    const Outcome* next(SampleRandom& random) {
        Sampler* const sampler = trials_++ == 0 ? first_ : later_;
        return sampler->sample(random);
    }

private:
    Plan built_;
    bool has_fault_ = false;
    Sampler* first_ = nullptr;
    Sampler* later_ = nullptr;
    std::uint64_t trials_ = 0;
};

/// The draws of program and control of one form: two rows of numbers that one seed gives.
SampleRandom draws_of_program(std::uint64_t seed);
SampleRandom draws_of_control(std::uint64_t seed);

} // namespace pdlcts
