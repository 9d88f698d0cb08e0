// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "conformance/machine/faults/fault.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/support/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>

/// Executions of the machine, drawn at random: a scheduler picks one of the steps that are possible, again and again.
///
/// Whatever it picks, what comes out is an execution of the machine. What it prefers decides how often an outcome comes
/// up, never whether it may: a verdict rests on what is allowed, and on what was counted. Two things are preferred:
///
/// - *Polls are patient.* In three of four trials a poll gives up only where hardly anything else is possible, as one
///   does on a GPU, whose bounds are chosen so that the hand-shakes of a case succeed. In the fourth giving up is a
///   step like any other.
/// - *Steps, not threads, are drawn*: of a read that could return three writes each of the three is a step.
namespace pdlcts {

/// Pseudo-random numbers: SplitMix64. The same seed gives the same trials on every machine.
class SampleRandom {
public:
    /// The seed is mixed once: seeds that a generator's step lies between would else draw the same numbers.
    explicit SampleRandom(std::uint64_t seed) : state_(mix(seed)) {}
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15;
        return mix(state_);
    }
    static std::uint64_t mix(std::uint64_t mixed) {
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
        return mixed ^ (mixed >> 31);
    }
    /// Below a limit, which is not 0. That the lowest numbers come up more often, by a billionth, is of no account
    /// here.
    std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(((next() >> 32) * limit) >> 32); }

private:
    std::uint64_t state_;
};

/// States that a trial has met, and their steps, are kept for the trials behind it.
class Sampler {
public:
    /// An error where the machine cannot hold the program.
    static Result<Sampler> make(const Program& program, const Plan& plan, Fault fault);
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;
    ~Sampler();

    /// Whether the fault has a rule to break in this program: if not, each seed gives the trials of the sound machine.
    bool has_fault() const;

    /// One trial: its outcome, or nothing where the execution got stuck before every node had completed. The pointer
    /// holds as long as the sampler does.
    const Outcome* sample(SampleRandom& random);

private:
    struct Walks;
    explicit Sampler(std::unique_ptr<Walks> walks);
    std::unique_ptr<Walks> walks_;
};

} // namespace pdlcts
