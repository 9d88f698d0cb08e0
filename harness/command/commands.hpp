// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/exit_code.hpp"
#include "harness/command/select.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The commands of pdlcts, each a function from its options to an exit code. Answers go to standard output, complaints
/// and progress to standard error.
namespace pdlcts {

struct RunOptions {
    std::string on = "auto";         ///< `auto`, `gpu`, `machine`, `fault:NAME`, `fault:none`
    Selection selection;             ///< --case, --section, --statement; empty means every case
    std::vector<std::string> routes; ///< --route; empty means every route
    std::vector<std::string> files;  ///< the user's own litmus files, and folders of them; then no built-in case runs
    bool quick = false;
    std::vector<std::string> devices; ///< --devices; numbers, or `all`, which empty means too
    bool one_gpu_as_two = false;      ///< grids of a second GPU run on the first
    bool instances = false;           ///< also launches of many blocks, each an instance, where that is sound
    std::uint64_t seed = 0;           ///< 0 means a new one
    bool calibration = true;
    bool jitter = true;
    std::string output; ///< results file; empty writes none
    bool json = false;
    std::string image = "auto"; ///< `auto`, `sass`, `ptx`, `intrinsic`: what the GPU is given
    bool no_pictures = false;   ///< no stamped trials (harness/gpu/stamps.hpp); --quick takes none either
    bool no_cache = false;      ///< compiled code is neither kept nor taken from what was kept
    double soak_seconds = 0;    ///< more trials, until so much time has passed; 0: each cell has what it has
    bool shuffle = false;       ///< cells run in an order that the seed draws
    bool fail_fast = false;     ///< the first cell that speaks against the device ends the run
    bool isolate = false;       ///< each case in a process of its own
    unsigned retries = 1;       ///< of a VACUOUS cell, at most
    bool resume = false;        ///< go on with the run that left `output`.partial

    // For tests of the runner, and for debuggers; no help shows them.
    bool in_process = false;            ///< no worker
    std::string worker_program;         ///< instead of this program
    unsigned patience_ms = 0;           ///< for everything that a worker is asked; 0: what each thing is given
    unsigned batch_deadline_ms = 0;     ///< 0: TrialOptions' own
    std::vector<std::string> incidents; ///< harness/worker/incidents.hpp, made to happen between the cells
    std::string poison;                 ///< RunSetup's
};
ExitCode run(const RunOptions& options);

struct BisectOptions {
    RunOptions run;           ///< which cells there are, on what, and how they run; the seed is not 0
    std::string name;         ///< the case that fails only after others
    std::string route;        ///< empty means its first
    unsigned most_runs = 200; ///< each in a process of its own
};
/// The smallest list of cells before it that makes a cell fail. Success where one was found, be it an empty one.
ExitCode bisect(const BisectOptions& options);

/// The life of a worker (harness/worker/serve.hpp); the supervisor starts it, and no person.
ExitCode worker();

struct ListOptions {
    bool statements = false;
    bool coverage = false;
    bool json = false;
};
ExitCode list(const ListOptions& options);

struct ExplainOptions {
    std::string name; ///< a case or a litmus file
    bool source = false;
};
ExitCode explain(const ExplainOptions& options);

struct ExportOptions {
    std::string name;  ///< a case or a litmus file
    std::string route; ///< empty means the first on which the case makes its claim
    bool control = false;
    std::string output; ///< empty means standard output
};
ExitCode export_case(const ExportOptions& options);

struct BundleOptions {
    std::string results; ///< a results file
    std::string name;    ///< the case of the cell
    std::string route;   ///< empty where the case has one cell
    std::string file;    ///< the litmus file of a case that is the user's own
    std::string output;  ///< `NAME.tar`, or a folder that does not exist yet; empty: an archive named after the cell
};
ExitCode bundle(const BundleOptions& options);

struct CheckOptions {
    std::vector<std::string> names; ///< cases, litmus files or folders of them; empty means every case
    bool trace = false;
    bool json = false;
    std::size_t states = 1'000'000; ///< limit of each search: a person waits for the answer
};
ExitCode check(const CheckOptions& options);

struct SelfTestCommandOptions {
    std::string on = "gpu";            ///< `gpu`, `machine`
    std::vector<std::string> patterns; ///< --case; empty means every case
    std::vector<std::string> routes;   ///< --route; empty means every route
    std::vector<std::string> mutants;  ///< --mutant; empty means all
    bool list = false;
    bool quick = false;
    std::uint64_t seed = 0; ///< 0 means a new one
    std::string output;     ///< file of the self-test; empty writes none
    std::string markdown;   ///< file to write, `-` for standard output
};
/// On the first usable GPU, as mutants try the suite and not the GPU.
ExitCode selftest(const SelfTestCommandOptions& options);

struct FaultsOptions {
    std::vector<std::string> patterns; ///< --case; empty means every case
    std::vector<std::string> faults;   ///< --fault; empty means all
    std::uint64_t seed = 1;
    bool list = false;
    bool json = false;
    std::string output;   ///< file for the JSON; empty writes none
    std::string markdown; ///< the page: file to write, `-` for standard output
    std::string summary;  ///< the lines of the README: the same
};
/// Exit code 1 where a fault that is not equivalent is not noticed.
ExitCode faults(const FaultsOptions& options);

struct VerifyOptions {
    std::vector<std::string> files;
};
ExitCode verify(const VerifyOptions& options);

struct ReportOptions {
    std::vector<std::string> files;
    bool strict = false;      ///< a file that cannot be read, or does not hold, is the end: nothing is written
    std::string markdown;     ///< file to write, `-` for standard output; so are the next four
    std::string text;         ///< the matrix without colours
    std::string csv;          ///< a line a cell
    std::string json;         ///< all files in one object
    std::string open_metrics; ///< for dashboards
    std::string html;         ///< folder of the site; empty writes none
    bool every_statement = false;
    bool latency = false;              ///< the table of latencies instead of the matrix; in Markdown, behind it
    std::vector<std::string> pictures; ///< the pictures of cells whose case matches, instead of the matrix
};
ExitCode report(const ReportOptions& options);

struct DiffOptions {
    std::string old_file;
    std::string new_file;
    std::string markdown; ///< file to write, `-` for standard output
    bool json = false;
    bool exit_code = false; ///< exit code 1 where cells differ
};
ExitCode diff(const DiffOptions& options);

struct BisectReportsOptions {
    std::string folder;
    std::string statement;    ///< a pattern; empty: every one
    std::string case_pattern; ///< the same
    bool json = false;
};
ExitCode bisect_reports(const BisectReportsOptions& options);

struct GateOptions {
    std::string file;
    std::string baseline;           ///< a results file; empty: none
    std::string waivers;            ///< a TOML file; empty: none
    std::vector<std::string> allow; ///< `partial`, `quick`, `dirty`, `other-suite`
    std::string today;              ///< `2026-11-30`; empty: the day in UTC
    bool explain = false;           ///< every cell
    std::string markdown;           ///< file to write, `-` for standard output
    std::string junit;              ///< the same
    bool json = false;
    bool annotations = false; ///< GitHub's workflow commands instead of the text
};
ExitCode gate(const GateOptions& options);

} // namespace pdlcts
