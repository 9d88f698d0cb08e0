// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/native_cell.hpp"
#include "harness/worker/performer.hpp"
#include "reports/results/results.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// The lines that a supervisor and its worker exchange, each an object of JSON. The supervisor asks, and the worker
/// answers before it is asked again:
///
///     {"do": "list"}                              {"say": "gpus", "usable": [0, 1]} or {"say": "unavailable", ...}
///     {"do": "open", "device", "setup", "cases"}  {"say": "hello", "protocol", "head": {a results file without cells}}
///                                                 or {"say": "unavailable", "problem", "message"}
///     {"do": "compile"}                           {"say": "compiled", "seconds", "units", "from_cache"}
///     {"do": "cell", "job", ...}                  {"say": "cell", "job", "last", "cell": {a cell of a results file}}
///     {"do": "native", "job", "case"}             {"say": "native", "job", "last", "cell": {a native cell}}
///     {"do": "pictures", "job", ...}              {"say": "pictures", "job", "last", "cell": {...}}
///     {"do": "incident", "job", "name"}           {"say": "native", ...}, if anything
///     {"do": "look"}                              {"say": "seen", "head": {...}}: the environment at the end
///
/// Before an answer come any number of {"say": "about", "job", "what", "compiling"}: what is about to run, and whether
/// code for later jobs is being compiled beside it. `last` says that the
/// device is lost to the worker, which ends itself. Where no job is asked for, `job` is 0.
namespace pdlcts {

inline constexpr std::uint64_t protocol_version = 1;
/// Of one job. A cell says so much for each of its batches.
inline constexpr std::size_t most_announcements = 100'000;

/// A case as a worker is told of it: a user's own with its text, as the file may change meanwhile.
struct AskedCase {
    std::string id;
    std::string text; ///< empty: the suite's own
    bool operator==(const AskedCase&) const = default;
};

struct AskList {
    bool operator==(const AskList&) const = default;
};
struct AskOpen {
    int device = 0;
    RunSetup setup;
    std::vector<AskedCase> cases;
    bool operator==(const AskOpen&) const = default;
};
struct AskCompile {
    bool operator==(const AskCompile&) const = default;
};
struct AskCell {
    std::uint64_t job = 0;
    CellJob cell;
    bool pictures = false; ///< instead of trials that are counted
    bool operator==(const AskCell&) const = default;
};
struct AskNative {
    std::uint64_t job = 0;
    std::string name;
    bool incident = false; ///< one of incidents.hpp
    bool operator==(const AskNative&) const = default;
};
struct AskLook {
    bool operator==(const AskLook&) const = default;
};
using Ask = std::variant<AskList, AskOpen, AskCompile, AskCell, AskNative, AskLook>;

struct SayGpus {
    std::vector<int> usable;
    bool operator==(const SayGpus&) const = default;
};
struct SayUnavailable {
    GpuUnavailable why;
    bool operator==(const SayUnavailable& other) const {
        return why.problem == other.why.problem && why.message == other.why.message;
    }
};
struct SayHello {
    std::uint64_t protocol = protocol_version;
    Results head; ///< suite and environment
    bool operator==(const SayHello&) const = default;
};
struct SayCompiled {
    CompiledUnits units;
    bool operator==(const SayCompiled&) const = default;
};
struct SayAbout {
    std::uint64_t job = 0;
    std::string what;
    bool compiling = false;
    bool operator==(const SayAbout&) const = default;
};
struct SayCell {
    std::uint64_t job = 0;
    bool last = false;
    Cell cell;
    bool pictures = false;
    bool operator==(const SayCell&) const = default;
};
struct SayNative {
    std::uint64_t job = 0;
    bool last = false;
    NativeCell cell;
    bool operator==(const SayNative&) const = default;
};
struct SaySeen {
    Results head;
    bool operator==(const SaySeen&) const = default;
};
using Say = std::variant<SayGpus, SayUnavailable, SayHello, SayCompiled, SayAbout, SayCell, SayNative, SaySeen>;

/// A line without its newline.
std::string write_ask(const Ask& ask);
std::string write_say(const Say& say);

/// As strict as the reading of a results file: an error says what is wrong with the line.
Result<Ask> read_ask(std::string_view line);
Result<Say> read_say(std::string_view line);

/// Suite and environment of a results file, on one line.
std::string write_head(const Results& results);

} // namespace pdlcts
