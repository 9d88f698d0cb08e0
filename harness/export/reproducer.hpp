// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/check.hpp"
#include "harness/catalogue/catalogue.hpp"

#include <span>
#include <string>

/// Stand-alone reproducers: one CUDA C++ file that needs the runtime API and nothing else, runs a case and its control
/// as the suite does, and prints the outcomes and the verdict. It builds with plain `nvcc -arch=sm_90`.
namespace pdlcts {

struct ReproducerOptions {
    Route route = Route::stream;
    /// The control alone, as the program of interest.
    bool control_alone = false;
    /// Who wrote it: `pdlcts 0.1.0 (git 0123456789ab)`.
    std::string suite;
    /// Of the search for what is allowed. Where one is met, no outcome counts as unexplained.
    Limits limits = {};
    /// What `check` has found of the case with these limits, on any routes: it is not explored again.
    std::span<const Check> known = {};
};

/// The text of the file. An error says why there is none: the route cannot express the case, the case has no cell on
/// it, it needs a second GPU, there is no control, or its trials cannot be told apart.
Result<std::string> reproducer(const Case& listed, const Ledger& ledger, const ReproducerOptions& options);

} // namespace pdlcts
