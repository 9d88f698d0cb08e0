// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/code_cache.hpp"
#include "harness/gpu/gpu.hpp"
#include "harness/gpu/spelling.hpp"

#include <functional>

/// From cases to code: which go together, what the cache has, and what is wrong with which. The compiler is a function,
/// so that all of it is tested without one.
namespace pdlcts {

/// What turns a translation unit into code. Called from several threads at once.
struct UnitCompiler {
    std::function<Result<std::vector<char>>(const std::string& source)> compile;
    std::string image;
    /// Everything beside the source that the code depends on: the compiler, its options, what it compiles for.
    std::string key;
    Spelling spelling = Spelling::ptx; ///< of the source that it is given
};

/// The options say of what, and how; what `image` they ask for is the compiler's business. `stamps`: of the programs
/// that stamps.hpp makes of the cases.
std::vector<Result<CompiledCase>> compile_cases(const UnitCompiler& compiler, const std::vector<const Litmus*>& cases,
                                                const CompileOptions& options = {});

} // namespace pdlcts
