// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "conformance/support/result.hpp"
#include "harness/environment/environment.hpp"
#include "harness/judge/judge.hpp"
#include "harness/judge/native_cell.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Results files: JSON, versioned, complete enough that every verdict in them can be derived again.
///
///     {
///       "schema": 1,
///       "suite": {"version", "git_hash", "dirty", "cases_digest"},
///       "environment": {the fields of Environment},                                "fault" absent where a GPU ran,
///                      "gpu_state": {the fields of GpuState}, "tools": [name...]   each absent where there is nothing
///       "every_case", "seed", "started", "seconds",
///       "compilation": {"seconds", "units", "units_from_cache"},                   absent where nothing was compiled
///       "digest": SHA-256 of the file without it and without what is derived,
///       "cells": [{
///         "case", "statement", "strength", "basis", "route", "image", "digest",
///         "verdict", "reason", "upper_bound",                                      derived
///         OBSERVATION of the program,
///         "control": {OBSERVATION},                                                absent where there is none
///         "windows": [{"poll", "ceiling_ns", "window_ns",                          absent where nothing was calibrated
///                      "program": {"trials", "satisfied", "median_ns", "high_ns"}, "control": {the same}}...],
///         "branches", "time": {"seconds", "launch_seconds"},                       absent where no device ran
///         "instances": {                                                           absent where there are none
///           "launches", "blocks",
///           TALLY of the program's instances, "control": {TALLY}, "time": {"seconds", "launch_seconds"}
///         },
///         "other_form": {"route", and the keys from the OBSERVATION to here},      absent where there is none
///         "claim": {"never", "sometimes", "ends", "armed"},
///         "thresholds": {"control_violations", "program_trials", "quick"},
///         "incident", "incident_detail",
///         "machine": {"answer", "reason", "trace": [line...]},                     absent where a device ran
///         "rounds": count,                                                         absent where there was one
///         "tries": [{a cell}...],                                                  absent where it was run once
///         "interference": text,                                                    absent where nothing was noticed
///         "picture": {PICTURES}, "latency": [LATENCY...]                           absent where none were taken
///       }...],
///       "native": [{                                                               absent where there is none
///         "case", "statement", "strength", "basis", "digest",
///         "verdict", "reason",                                                     derived
///         "probes": [{"kind", "what", "expected": [text...], "found"}...],
///         "incident", "incident_detail"
///       }...]
///     }
///
/// An OBSERVATION is the same keys everywhere, and begins with a TALLY, which counts "instances" instead of "trials"
/// where it is one of instances:
///
///     "trials", "armed", "violations", "armed_violations",                         derived
///     "outcomes": {"overlapped=1 seen=0": count...}, "unwritten": count,
///     "allowed": [outcome...], "decided": bool,
///     "structure": {"expected": [line...], "built": [line...], "read_back": bool, "undocumented": [line...]},
///     "variations": {"plain": {the keys from "trials" to "unwritten"}...}              absent in older files
///
/// PICTURES are the fields of Pictures (harness/judge/picture.hpp), with "median" and "worst" absent where there is no
/// picture, and a LATENCY those of Latency. They are for people: no verdict depends on them.
///
///     "trials", "armed", "resolution_ns", "measure", "note",
///     "median" and "worst": {"trial", "outcome", "armed", "measured_ns", "nodes": [{"node", "blocks", "stamped",
///         "begin", "end", "shown": [{"block", "multiprocessor", "begin", "trigger", "wait_entered", "wait_returned",
///         "end"}...]}...]}, times in nanoseconds; a block's trigger and wait are absent where it has none
///     "primary", "secondary", "dependency", "between": [node...], "begin": {FIGURES}, "wait_return": {FIGURES},
///         FIGURES: "trials", "p5_ns", "median_ns", "p95_ns"; "wait_return" absent where the secondary does not wait
///
/// The file has a line for each field of its head, for each field of suite and environment, and for each cell: what two
/// runs differ in are lines, and a cell is a JSON value of its own to tools for lines. Nothing depends on it: a file
/// laid out otherwise, as older ones are, reads the same, and its digest is the same.
///
/// What is derived is there for other readers of the file. read_json checks its form and drops it; verify compares it.
namespace pdlcts {

inline constexpr int results_schema_version = 1;

struct Suite {
    std::string version;      ///< `0.1.0`
    std::string git_hash;     ///< of the build; `unknown` outside a repository
    bool dirty = false;       ///< the work tree had changes that the hash does not name
    std::string cases_digest; ///< SHA-256 over the digests of the case list
    bool operator==(const Suite&) const = default;
};

/// How a run came to the code of its first cases. The others are compiled beside the trials.
struct Compilation {
    double seconds = 0; ///< before the first trial, from the first case's source to the last of these units' code
    std::uint64_t units = 0;
    std::uint64_t units_from_cache = 0; ///< of `units`: found on disk, compiled by an earlier run
    bool operator==(const Compilation&) const = default;
};

struct Results {
    int schema = results_schema_version;
    Suite suite;
    Environment environment;
    /// The run was of every case of the suite on every route, and so has a cell for each of them. False where cases or
    /// routes were selected.
    bool every_case = false;
    std::uint64_t seed = 0;
    std::string started; ///< UTC, `2026-11-30T12:00:00Z`
    double seconds = 0;
    std::optional<Compilation> compilation;
    std::vector<Cell> cells;
    std::vector<NativeCell> native; ///< of native checks
    bool operator==(const Results&) const = default;
};

/// What a results file may hold at most.
inline constexpr std::size_t largest_results_file = std::size_t{64} * 1024 * 1024;
inline constexpr std::size_t largest_results_string = std::size_t{64} * 1024;
inline constexpr std::size_t most_results_cells = 100'000;
inline constexpr std::size_t most_results_entries = 100'000; ///< of any other list or object
inline constexpr std::uint64_t most_results_branches = 1024;
inline constexpr std::uint64_t most_results_blocks = std::uint64_t{1} << 31;
inline constexpr std::uint64_t largest_results_count = 1'000'000'000'000;

/// Strings that are not UTF-8 are repaired, strings that are too long are cut, and only then is anything derived from
/// them: what is written can be read, and holds.
std::string write_json(const Results& results);

/// Errors name the file, the JSON path and the rule that fails. Sizes are bounded; results come from strangers.
Result<Results> read_json(std::string_view text, std::string_view file_name);

/// One cell by itself, as an object on one line without its newline: what stands in a results file, for journals and
/// for processes that send each other cells. Cleaned as write_json cleans.
std::string write_json(const Cell& cell);
std::string write_json(const NativeCell& cell);

/// Reads it back, as strictly as a file.
Result<Cell> read_cell_json(std::string_view text, std::string_view file_name);
Result<NativeCell> read_native_cell_json(std::string_view text, std::string_view file_name);

/// Derives every verdict and every count of a results file again, and compares them with what the file says.
/// An empty list means that the file holds. A difference, too: two cells of one case and route; a statement that the
/// ledger does not have, or has with another strength or basis, so that no verdict is earned by a new label. A cell
/// that names no statement (a user's own pattern) has to be a guarantee (read), which is judged hardest.
///
/// One thing a file cannot show by itself: that its allowed sets are the abstract machine's.
std::vector<std::string> verify(std::string_view text, std::string_view file_name);
std::vector<std::string> verify(std::string_view text, std::string_view file_name, const Ledger& ledger);

} // namespace pdlcts
