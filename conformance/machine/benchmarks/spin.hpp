// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/benchmarks/spelled_out.hpp"

#include "conformance/litmus/outcome.hpp"

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

/// Runs SPIN, the compiler for the verifier that it writes, and that verifier.
namespace pdlcts::spin {

struct Run {
    int status = 0;     ///< exit code; 128 and a signal's number
    std::string output; ///< standard output and error
    double seconds = 0; ///< of the processor: user and system
};

/// Runs a program from PATH in a folder.
Result<Run> run(const std::vector<std::string>& command, const std::filesystem::path& folder);

/// `6.5.2`, or nothing where SPIN is not installed.
std::string spin_version();
std::string compiler_version();

/// What the verifier is allowed to leave out.
enum class Reduction : std::uint8_t {
    none,          ///< -DNOREDUCE: every state, exhaustively
    partial_order, ///< SPIN's default
    collapsed,     ///< the same, and states compressed: -DCOLLAPSE
};

struct Verification {
    std::set<Outcome> outcomes;
    /// Whether some execution stops before every thread has exited.
    bool stuck = false;
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    double build_seconds = 0; ///< spin -a and the compiler
    double seconds = 0;       ///< the verifier's own
    double megabytes = 0;     ///< as the verifier counts them
};

struct Options {
    Reduction reduction = Reduction::none;
    std::string optimisation = "-O2";
    unsigned repetitions = 1; ///< of a short run: the shortest counts
};

/// Translates a plan, and has SPIN explore it in `folder`, which must exist and be empty. An error says which step
/// failed, and what it printed.
Result<Verification> verify(const SpelledOut& plan, const std::filesystem::path& folder, const Options& options);

} // namespace pdlcts::spin
