// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/worker/setup.hpp"

#include <future>
#include <span>
#include <stop_token>
#include <vector>

namespace pdlcts {

struct CodeCache;

/// How the first cases of a run came to their code, before the first trial. What is compiled beside the trials is not
/// counted here: the other cases, and then the images that take pictures.
struct CompiledUnits {
    double seconds = 0;
    std::uint64_t units = 0;
    std::uint64_t from_cache = 0;
    bool operator==(const CompiledUnits&) const = default;
};

/// The code of a run's cases. To compile takes as long as some hundred cells, so trials begin when the first cases have
/// theirs.
class Images {
public:
    /// All of these have to outlive it; `cache` may be null.
    Images(const Gpu& gpu, const RunSetup& setup, std::span<const Case> cases, const CodeCache* cache)
        : gpu_(gpu), setup_(setup), cases_(cases), cache_(cache) {}
    /// Waits for no more than the units that are being compiled.
    ~Images() { stop_.request_stop(); }
    Images(const Images&) = delete;
    Images& operator=(const Images&) = delete;

    /// Compiles the first cases, and begins to compile all others. What does not compile is told by its cells.
    CompiledUnits compile(const Announce& announce);

    /// Whether something is being compiled now.
    bool is_compiling() const;

    /// Why no case has code, where the GPU or the compiler lacks what was asked for.
    const std::optional<std::string>& none() const { return none_; }

    /// The image whose trials are counted, of the case at this place of the list; waits for it.
    const Result<CompiledCase>& of(std::size_t listed, const Announce& announce) const;
    /// The one that takes pictures.
    const Result<CompiledCase>& stamped(std::size_t listed, const Announce& announce) const;

private:
    using Compiled = std::vector<Result<CompiledCase>>;
    Compiled compiled(std::span<const Case> cases, const CompileOptions& options) const;

    const Gpu& gpu_;
    const RunSetup& setup_;
    std::span<const Case> cases_;
    const CodeCache* cache_;
    std::optional<std::string> none_;
    Compiled first_;
    std::stop_source stop_;
    std::shared_future<Compiled> others_;  ///< behind the first
    std::shared_future<Compiled> stamped_; ///< of all cases
};

/// How many of so many cases are compiled before the first trial: so many that those behind them are ready when their
/// turn comes. What shares a unit with what makes no difference to the code (nvrtc_test.cpp).
std::size_t compiled_before_trials(std::size_t cases);

} // namespace pdlcts
