// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/nvrtc.hpp"

#include <map>
#include <mutex>

namespace pdlcts {

/// What native checks have had compiled: many ask their questions with the same few kernels, and a compilation takes
/// longer than most questions. Of one run and one compiler. Safe to use from several threads.
class NativeCode {
public:
    /// As compile_source gives it. An error is not remembered.
    Result<std::vector<char>> compile(const Nvrtc& nvrtc, const std::string& source, const Target& target,
                                      std::span<const std::string> more_options = {});

    /// Compiles all of these side by side, for `compile` to find. What does not compile is left to it.
    void compile_ahead(const Nvrtc& nvrtc, std::vector<std::string> sources, const Target& target,
                       std::span<const std::string> more_options = {});

private:
    std::mutex mutex_;
    std::map<std::vector<std::string>, std::vector<char>> compiled_; ///< by target, source and options
};

} // namespace pdlcts
