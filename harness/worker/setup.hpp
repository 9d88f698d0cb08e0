// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/gpu/gpu.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

/// What a worker has to know, and what it is asked to do.
namespace pdlcts {

/// What all cells of a run have in common.
struct RunSetup {
    std::string on = "gpu"; ///< or `fault:NAME`, `fault:none`
    std::uint64_t seed = 1;
    bool quick = false;
    bool instances = false;
    bool calibration = true;
    bool jitter = true;
    bool one_gpu_as_two = false;
    bool stamps = false; ///< pictures will be asked for
    /// Everything is compiled before the first trial, as a worker before this one died while it compiled beside them.
    bool compile_first = false;
    ImageChoice image = ImageChoice::automatic;
    std::string cache_folder; ///< empty: nothing is kept
    /// For one batch of trials, at least; a case that needs more has it (least_deadline).
    std::chrono::milliseconds batch_deadline = TrialOptions{}.deadline;
    /// For tests of the runner: `a/b+c/d>e/f`, after cells of the cases a/b and c/d in the same process, those of e/f
    /// are a HARNESS ERROR. Empty: no cell depends on another.
    std::string poison;
    bool operator==(const RunSetup&) const = default;
};

/// One cell, or one more round of one.
struct CellJob {
    std::size_t listed = 0; ///< index of the case in the run's list
    Route route = Route::stream;
    std::size_t number = 1;  ///< of the cell in the run, from 1: its seed follows from it
    std::uint64_t round = 0; ///< behind the first, of a cell that gets more trials or is tried again
    std::uint64_t trials = 0;
    bool operator==(const CellJob&) const = default;
};

/// Told before each step that may be the last one: what is about to run.
using Announce = std::function<void(std::string_view)>;

std::optional<ImageChoice> image_choice(std::string_view name); ///< `auto`, `sass`, `ptx`, `intrinsic`
std::string_view name(ImageChoice choice);

/// Whether a device cannot be used any more by the process in which this happened.
bool loses_device(Incident incident);

} // namespace pdlcts
