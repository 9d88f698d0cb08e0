// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/accesses.hpp"
#include "conformance/machine/machine.hpp"

#include <string>
#include <vector>

/// Why an outcome is possible, in the words of the plan: what a read could return, and what does not order it.
namespace pdlcts {

/// A read whose value makes a condition true of an outcome.
struct DecidingRead {
    ReadAccess read;
    /// What comes too early: the same read; where that saw what a copy had copied, the copy's read of its source; where
    /// two writes race, the one that ought to have been the later.
    ReadAccess at_fault;
    Value value = 0; ///< of the register
    /// The write that it should have seen, or did see; none where nothing writes the element.
    std::optional<WriteAccess> write;
    /// Whether the value is an old one, from before that write, and not the write's own.
    bool stale = false;
    /// A paragraph; empty where there is nothing to say, such as of a phase that was seen complete.
    std::string why;
};

/// The reads behind the comparisons of a condition that hold of an outcome.
std::vector<DecidingRead> deciding_reads(const Program& program, const Plan& plan, const Condition& condition,
                                         const Outcome& outcome);

/// A change after which the program's `never` claim holds.
struct Remedy {
    std::string change; ///< "`wait` before `ld.weak x -> seen` in secondary thread 0"
    Program changed;
};

/// The usual changes for these reads that help, each made alone and explored on the plan's route. Those that do not
/// help and those that the limits leave undecided are left out.
std::vector<Remedy> remedies(const Program& program, const Plan& plan, const std::vector<DecidingRead>& reads,
                             const Limits& limits = {200'000});

} // namespace pdlcts
