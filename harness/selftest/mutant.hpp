// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/gpu.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Mutants: defects that the suite's own GPU side could have, each made on purpose, to see the verdict change.
namespace pdlcts {

/// Who can say that a mutant leaves a case as it is.
enum class Touches {
    /// What the specification says of the program. Where the abstract machine finds that the claim cannot tell mutant
    /// and sound program apart, there is nothing to notice.
    specification,
    /// The same, of an order between accesses of memory that a GPU is free to keep anyway: then it hides the mutant.
    memory_order,
    /// What is taken for evidence: windows of time, records, counts. The machine knows none of it, so that every such
    /// mutant has to be noticed.
    measurement,
    /// How long polls wait. The specification promises of none that it sees anything, so what a `sometimes` claim has
    /// seen without patience, in enough armed trials, it has seen; a `never` claim's trials must lack their arming.
    patience,
};

/// A case as a defective suite runs it. What it claims, and what the specification allows, stays the sound case's.
struct MutatedCase {
    Litmus emitted;  ///< whose kernels are compiled
    Litmus launched; ///< whose operations are launched, and whose registers are read
    TrialDefect defect = TrialDefect::none;
};

/// Whether the machine's rules can tell a mutant from the sound program at all.
constexpr bool machine_knows(Touches touches) {
    return touches == Touches::specification || touches == Touches::memory_order;
}

struct Mutant {
    std::string_view name;   ///< `drop-wait`
    std::string_view breaks; ///< what the defect is, in a sentence
    Touches touches = Touches::specification;
    /// The litmus with the defect in program and control; nothing where it has none of what the defect needs, or stays
    /// the same. Null for a defect of the trials' machinery.
    std::optional<Litmus> (*change)(const Litmus&) = nullptr;
    /// The change is only in the kernels: what is launched, and read, is the sound program's.
    bool kernels_only = false;
    TrialDefect defect = TrialDefect::none;
};

/// All of them, in the order of the tables.
std::span<const Mutant> all_mutants();

/// None with that name: null.
const Mutant* find_mutant(std::string_view name);

/// A case with a defect; nothing where it does not apply.
std::optional<MutatedCase> mutate(const Litmus& sound, const Mutant& mutant);

/// Whether a defect of the machinery can occur on a route: nothing is read back from streams, say.
bool occurs_on(const Mutant& mutant, Route route);

} // namespace pdlcts
